import { parseKey } from '@stablecoin/personal-data/parse-key';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { Setting, text, wholeNumber } from '@stablecoin/service-host/setting';

export class GatewayConfiguration extends ServiceConfiguration {
  @Setting({
    env: 'HOST',
    describe: 'The address to listen on; 0.0.0.0 for all of the machine.',
    example: '127.0.0.1',
    read: text,
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

  @Setting({
    env: 'PERSONAL_DATA_KEY',
    describe: 'The master key of personal data: it wraps the data key of each owner. The same for all services.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: parseKey,
    secret: true,
  })
  personalDataKey: Buffer;

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
}
