import { KeyWrappingSettings } from '@stablecoin/key-wrapping/key-wrapping-settings';
import {
  databasePoolSize,
  databaseUrl,
  EVM_RAIL_FOR_TEST,
  PAYOUT_RAIL_BEP20,
  PAYOUT_RAIL_ERC20,
  PAYOUT_RAIL_POLYGON,
  PayoutRailName,
  SANDBOX_RAIL_FOR_LIVE,
  COMMAND_KEY,
} from '@stablecoin/service-host/repeated-settings';
import { PayoutRailSettings } from '@stablecoin/service-host/payout-rails';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { Setting, SettingGroup, wholeNumber } from '@stablecoin/service-host/setting';

export class PayoutConfiguration extends ServiceConfiguration implements PayoutRailSettings {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(databaseUrl('payout', 'Where saved methods and payouts under way are kept.')) databaseUrl: string;
  @Setting(databasePoolSize(10)) databasePoolSize: number;
  @SettingGroup(KeyWrappingSettings) dataKeys: KeyWrappingSettings;

  @Setting(PAYOUT_RAIL_ERC20) payoutRailErc20: PayoutRailName;
  @Setting(PAYOUT_RAIL_BEP20) payoutRailBep20: PayoutRailName;
  @Setting(PAYOUT_RAIL_POLYGON) payoutRailPolygon: PayoutRailName;
  @Setting(EVM_RAIL_FOR_TEST) evmRailForTest: boolean;
  @Setting(SANDBOX_RAIL_FOR_LIVE) sandboxRailForLive: boolean;

  @Setting({
    env: 'SANDBOX_SETTLE_MS',
    describe: 'How long the sandbox rail takes to settle a payout, and again to return one, in milliseconds.',
    example: '500',
    read: wholeNumber(0, 86_400_000),
    default: 500,
  })
  sandboxSettleMs: number;

  @Setting({
    env: 'SANDBOX_CONFIRM_MS',
    describe: 'How long a sandbox deposit waits for its confirmations, in milliseconds; 0 credits it at once.',
    example: '0',
    read: wholeNumber(0, 86_400_000),
    default: 0,
  })
  sandboxConfirmMs: number;
}
