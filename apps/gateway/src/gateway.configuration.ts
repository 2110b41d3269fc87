import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { addressRange } from '@stablecoin/contracts/wire/fields/address-range';
import {
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
import {
  bytes,
  hostName,
  listOf,
  oneOf,
  Setting,
  SettingDefinition,
  urlOf,
  wholeNumber,
} from '@stablecoin/service-host/setting';

const TRUSTED_PROXIES_MAX = 100;

/** Paths are added to it, so that it ends in no slash, and has neither query nor fragment. */
function publicUrl(text: string): string {
  const { search, hash } = new URL(urlOf('https:', 'http:')(text));
  if (search === '' && hash === '' && !/[/?#]$/.test(text)) return text;
  throw new Error('a URL without a slash at its end, query and fragment');
}

/** `{hash}` stands for the transaction. `none`, because a variable that is empty counts as not set. */
function explorerUrl(text: string): string | null {
  if (text === 'none') return null;
  const url = urlOf('https:', 'http:')(text);
  if (url.split('{hash}').length === 2) return url;
  throw new Error('a URL in which {hash} stands for the transaction, or none');
}

const explorer = (network: EvmNetwork, usual: string): SettingDefinition<string | null> => ({
  env: `EXPLORER_URL_${network.toUpperCase()}`,
  describe: `Where a transaction of ${CHAINS[network].name} is looked at, as merchants' transactions link to it; none for no link.`,
  example: usual,
  read: explorerUrl,
  default: usual,
});

export class GatewayConfiguration extends ServiceConfiguration implements PayoutRailSettings {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting({
    env: 'HOST',
    describe: 'The address to listen on; 0.0.0.0 for all of the machine.',
    example: '127.0.0.1',
    read: hostName,
    default: '127.0.0.1',
  })
  host: string;

  @Setting({
    env: 'PORT',
    describe: 'The port to listen on; 0 takes a free one.',
    example: '3000',
    read: wholeNumber(0, 65_535),
    default: 3_000,
  })
  port: number;

  @Setting<string | null>({
    env: 'PUBLIC_API_URL',
    describe:
      'Where merchants reach the interface, as the interface document names it to their clients; without it, where this ' +
      'gateway listens.',
    example: 'https://api.example.com/api',
    read: publicUrl,
    default: null,
  })
  publicApiUrl: string | null;

  @Setting({
    env: 'INPUT_HASH_KEY',
    describe:
      'Makes the fingerprint by which a repeated request is known to ask for the same; changed, repetitions from before ' +
      'are refused. A gateway of a version that had PERSONAL_DATA_KEY may have derived it: see OPERATIONS, Upgrade.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    secret: true,
  })
  inputHashKey: Buffer;

  @Setting(explorer('erc20', 'https://etherscan.io/tx/{hash}')) explorerUrlErc20: string | null;
  @Setting(explorer('bep20', 'https://bscscan.com/tx/{hash}')) explorerUrlBep20: string | null;
  @Setting(explorer('polygon', 'https://polygonscan.com/tx/{hash}')) explorerUrlPolygon: string | null;

  @Setting(PAYOUT_RAIL_ERC20) payoutRailErc20: PayoutRailName;
  @Setting(PAYOUT_RAIL_BEP20) payoutRailBep20: PayoutRailName;
  @Setting(PAYOUT_RAIL_POLYGON) payoutRailPolygon: PayoutRailName;
  @Setting(EVM_RAIL_FOR_TEST) evmRailForTest: boolean;
  @Setting(SANDBOX_RAIL_FOR_LIVE) sandboxRailForLive: boolean;

  @Setting({
    env: 'RATE_LIMIT_PER_SECOND',
    describe:
      'What one API key may ask for per second in the long run, and all keys of a merchant twice; most requests cost 1.',
    example: '100',
    read: wholeNumber(1, 1_000_000),
    default: 100,
  })
  rateLimitPerSecond: number;

  @Setting({
    env: 'RATE_LIMIT_BURST',
    describe: 'What one API key may ask for at once after a pause, and all keys of a merchant twice.',
    example: '200',
    read: wholeNumber(1, 1_000_000),
    default: 200,
  })
  rateLimitBurst: number;

  @Setting({
    env: 'UNAUTHENTICATED_RATE_LIMIT_PER_SECOND',
    describe: 'Requests per second without a valid API key that one client address may make in the long run.',
    example: '20',
    read: wholeNumber(1, 1_000_000),
    default: 20,
  })
  unauthenticatedRateLimitPerSecond: number;

  @Setting({
    env: 'UNAUTHENTICATED_RATE_LIMIT_BURST',
    describe: 'Requests without a valid API key that one client address may make at once after a pause.',
    example: '40',
    read: wholeNumber(1, 1_000_000),
    default: 40,
  })
  unauthenticatedRateLimitBurst: number;

  @Setting({
    env: 'CONNECTIONS_PER_ADDRESS_MAX',
    describe: 'Connections that one client address may have open, trusted proxies excepted; the next one is closed.',
    example: '1000',
    read: wholeNumber(1, 10_000),
    default: 1_000,
  })
  connectionsPerAddressMax: number;

  @Setting<string[]>({
    env: 'TRUSTED_PROXIES',
    describe:
      'Addresses and networks of the load balancers in front, separated by commas: what they add to X-Forwarded-For is ' +
      'believed. Without them the address of a caller is the one that connects.',
    example: '10.0.0.0/8,2001:db8::/32',
    read: listOf(addressRange, TRUSTED_PROXIES_MAX),
    default: [],
  })
  trustedProxies: string[];

  @Setting({
    env: 'DRAIN_LEAD_MS',
    describe: 'How long it goes on accepting after it was asked to end, saying that it is not ready, in milliseconds.',
    example: '5000',
    read: wholeNumber(0, 60_000),
    default: 0,
  })
  drainLeadMs: number;

  @Setting({
    env: 'REQUESTS_UNDER_WAY_MAX',
    describe:
      'Requests that are worked on at once, of which three quarters may wait for one and the same service; ' +
      'whatever comes beyond is answered 503 at once.',
    example: '512',
    read: wholeNumber(1, 10_000),
    default: 512,
  })
  requestsInFlightMax: number;

  @Setting({
    env: 'MERCHANT_REQUESTS_UNDER_WAY_MAX',
    describe:
      'Requests of one merchant that are worked on at once. 16 times as many wait for their turn; more are answered 429 at once.',
    example: '8',
    read: wholeNumber(1, 10_000),
    default: 8,
  })
  merchantRequestsInFlightMax: number;

  @Setting({
    env: 'LOG_REQUESTS',
    describe: 'Which requests have a line of their own in the log: all, those answered with an error, or none.',
    example: 'refused',
    read: oneOf('all', 'refused', 'none'),
    default: 'all',
  })
  logRequests: 'all' | 'refused' | 'none';
}
