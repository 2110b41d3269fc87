import { PERSONAL_DATA_KEY, PERSONAL_DATA_PREVIOUS_KEY } from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, hostName, oneOf, Setting, wholeNumber } from '@stablecoin/service-host/setting';

export class GatewayConfiguration extends ServiceConfiguration {
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

  @Setting(PERSONAL_DATA_KEY) personalDataKey: Buffer;
  @Setting(PERSONAL_DATA_PREVIOUS_KEY) personalDataPreviousKey: Buffer | null;

  @Setting<Buffer | null>({
    env: 'INPUT_HASH_KEY',
    describe:
      'Makes the fingerprint by which a repeated request is known to ask for the same; changed, repetitions from before ' +
      'are refused. Derived from PERSONAL_DATA_KEY when it is not set.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    default: null,
    secret: true,
  })
  inputHashKey: Buffer | null;

  @Setting({
    env: 'RATE_LIMIT_PER_SECOND',
    describe: 'Requests per second that one API key may make in the long run.',
    example: '100',
    read: wholeNumber(1, 1_000_000),
    default: 100,
  })
  rateLimitPerSecond: number;

  @Setting({
    env: 'RATE_LIMIT_BURST',
    describe: 'Requests that one API key may make at once after a pause.',
    example: '200',
    read: wholeNumber(1, 1_000_000),
    default: 200,
  })
  rateLimitBurst: number;

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
    example: '256',
    read: wholeNumber(1, 10_000),
    default: 256,
  })
  requestsInFlightMax: number;

  @Setting({
    env: 'LOG_REQUESTS',
    describe: 'Which requests have a line of their own in the log: all, those answered with an error, or none.',
    example: 'refused',
    read: oneOf('all', 'refused', 'none'),
    default: 'all',
  })
  logRequests: 'all' | 'refused' | 'none';
}
