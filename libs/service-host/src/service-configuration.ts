import { LOG_FORMAT, LOG_LEVEL, LogFormat, LogLevel, OPERATIONS_HOST, OPERATIONS_PORT } from './repeated-settings';
import { bytes, filePath, Setting, share, urlOf, urlsOf, wholeNumber } from './setting';

/** The settings of every program that speaks on the bus. */
export class BusConfiguration {
  @Setting({
    env: 'NATS_URL',
    describe: 'The broker; the servers of a cluster separated by commas, each with its user and password.',
    example: 'nats://customer:secret@127.0.0.1:4222',
    read: urlsOf('nats:', 'tls:'),
    secret: true,
  })
  natsUrl: string;

  @Setting<string | null>({
    env: 'NATS_CA_FILE',
    describe:
      "With tls:// in NATS_URL: a file with the certificates, in PEM, that vouch for the broker's; else those that Node trusts do.",
    example: '/etc/ssl/broker-ca.pem',
    read: filePath,
    default: null,
  })
  natsCaFile: string | null;

  @Setting({
    env: 'BUS_KEY',
    describe: 'Seals every message on the bus; the same for all services, or one that the others accept as well.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    secret: true,
  })
  busKey: Buffer;

  @Setting<Buffer | null>({
    env: 'BUS_ACCEPTED_KEY',
    describe: 'Opens messages as BUS_KEY does, and seals none: the next key or the one before, while keys are changed.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    default: null,
    secret: true,
  })
  busAcceptedKey: Buffer | null;
}

/** The settings that every service has. */
export class ServiceConfiguration extends BusConfiguration {
  @Setting(LOG_LEVEL) logLevel: LogLevel;
  @Setting(LOG_FORMAT) logFormat: LogFormat;
  @Setting(OPERATIONS_PORT) operationsPort: number | null;
  @Setting(OPERATIONS_HOST) operationsHost: string;

  @Setting({
    env: 'INBOX_RETENTION_DAYS',
    describe:
      'How long a service remembers which facts of the ledger it has had; longer than the stream keeps them, 7 days.',
    example: '30',
    read: wholeNumber(8, 3_650),
    default: 30,
  })
  inboxRetentionDays: number;

  @Setting<string | null>({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    describe: 'Where traces are sent to (OTLP over HTTP), less its /v1/traces; nothing is traced when it is not set.',
    example: 'http://127.0.0.1:4318',
    read: urlOf('http:', 'https:'),
    default: null,
  })
  tracesEndpoint: string | null;

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    describe: 'The share of traces that are kept; decided where a trace begins.',
    example: '0.01',
    read: share,
    default: 1,
  })
  tracesRatio: number;
}
