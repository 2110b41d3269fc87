import {
  EVM_RAIL_FOR_TEST,
  EXPLORER_URL_BEP20,
  EXPLORER_URL_ERC20,
  EXPLORER_URL_POLYGON,
  PAYOUT_RAIL_BEP20,
  PAYOUT_RAIL_ERC20,
  PAYOUT_RAIL_POLYGON,
  PayoutRailName,
  SANDBOX_RAIL_FOR_LIVE,
  COMMAND_KEY,
  DRAIN_LEAD_MS,
  HOST,
  TRUSTED_PROXIES,
} from '@stablecoin/service-host/repeated-settings';
import { PayoutRailSettings } from '@stablecoin/service-host/payout-rails';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, oneOf, Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

/** Paths are added to it, so that it ends in no slash, and has neither query nor fragment. */
function publicUrl(text: string): string {
  const { search, hash } = new URL(urlOf('https:', 'http:')(text));
  if (search === '' && hash === '' && !/[/?#]$/.test(text)) return text;
  throw new Error('a URL without a slash at its end, query and fragment');
}

export class GatewayConfiguration extends ServiceConfiguration implements PayoutRailSettings {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(HOST) host: string;

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

  @Setting(EXPLORER_URL_ERC20) explorerUrlErc20: string | null;
  @Setting(EXPLORER_URL_BEP20) explorerUrlBep20: string | null;
  @Setting(EXPLORER_URL_POLYGON) explorerUrlPolygon: string | null;

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

  @Setting(TRUSTED_PROXIES) trustedProxies: string[];

  @Setting(DRAIN_LEAD_MS) drainLeadMs: number;

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
