import { BACKOFFICE_DATABASE_URL, consoleOrigin, PEOPLE_KEY } from '@stablecoin/people-store/settings';
import { ExplorerSettings } from '@stablecoin/merchant-resources/transactions/explorer-links';
import { PayoutRailSettings } from '@stablecoin/service-host/payout-rails';
import {
  COMMAND_KEY,
  databasePoolSize,
  DRAIN_LEAD_MS,
  EVM_RAIL_FOR_TEST,
  EXPLORER_URL_BEP20,
  EXPLORER_URL_ERC20,
  EXPLORER_URL_POLYGON,
  HOST,
  PAYOUT_RAIL_BEP20,
  PAYOUT_RAIL_ERC20,
  PAYOUT_RAIL_POLYGON,
  PayoutRailName,
  SANDBOX_RAIL_FOR_LIVE,
  TRUSTED_PROXIES,
} from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { Setting, SettingGroup, wholeNumber } from '@stablecoin/service-host/setting';
import { OidcSettings } from './oidc/oidc-settings';

export class BackofficeConfiguration extends ServiceConfiguration implements PayoutRailSettings, ExplorerSettings {
  @Setting(BACKOFFICE_DATABASE_URL) databaseUrl: string;
  @Setting(databasePoolSize(5)) databasePoolSize: number;
  @Setting(PEOPLE_KEY) peopleKey: Buffer;
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(HOST) host: string;

  @Setting({
    env: 'PORT',
    describe: 'The port to listen on; 0 takes a free one.',
    example: '3001',
    read: wholeNumber(0, 65_535),
    default: 3_001,
  })
  port: number;

  @Setting<string | null>({
    env: 'CONSOLE_ORIGIN',
    describe:
      'Where people reach the console: links begin with it, and only its own pages may change anything. Without it, where ' +
      'this service listens, which then has to be an address of this machine.',
    example: 'https://console.example.com',
    read: consoleOrigin,
    default: null,
  })
  consoleOrigin: string | null;

  @SettingGroup(OidcSettings) oidc: OidcSettings;
  @Setting(TRUSTED_PROXIES) trustedProxies: string[];
  @Setting(DRAIN_LEAD_MS) drainLeadMs: number;

  @Setting(EXPLORER_URL_ERC20) explorerUrlErc20: string | null;
  @Setting(EXPLORER_URL_BEP20) explorerUrlBep20: string | null;
  @Setting(EXPLORER_URL_POLYGON) explorerUrlPolygon: string | null;
  @Setting(PAYOUT_RAIL_ERC20) payoutRailErc20: PayoutRailName;
  @Setting(PAYOUT_RAIL_BEP20) payoutRailBep20: PayoutRailName;
  @Setting(PAYOUT_RAIL_POLYGON) payoutRailPolygon: PayoutRailName;
  @Setting(EVM_RAIL_FOR_TEST) evmRailForTest: boolean;
  @Setting(SANDBOX_RAIL_FOR_LIVE) sandboxRailForLive: boolean;
}
