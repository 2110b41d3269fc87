import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, oneOf, Setting, SettingDefinition, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

/**
 * What the service is told, and what its command line (cli.ts) is told: the same database, keys and shards, so the same
 * definitions; the command line needs no bus.
 */
const DATABASE_URL: SettingDefinition<string> = {
  env: 'CUSTOMER_DATABASE_URL',
  describe: "The customer service's own database.",
  example: 'postgresql://customer_app:secret@127.0.0.1:5432/customer',
  read: urlOf('postgresql:', 'postgres:'),
  secret: true,
};

const PERSONAL_DATA_KEY: SettingDefinition<Buffer> = {
  env: 'PERSONAL_DATA_KEY',
  describe: 'Wraps the data key of every merchant and customer.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};

const BLIND_INDEX_KEY: SettingDefinition<Buffer> = {
  env: 'BLIND_INDEX_KEY',
  describe: 'Makes the fingerprints by which sealed e-mail addresses and phone numbers are found.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};

const LEDGER_SHARDS: SettingDefinition<number> = {
  env: 'LEDGER_SHARDS',
  describe: 'Over how many shards of the ledger new merchants are spread.',
  example: '4',
  read: wholeNumber(1, 1_024),
  default: 4,
};

export class CustomerConfiguration extends ServiceConfiguration {
  @Setting(DATABASE_URL) databaseUrl: string;
  @Setting(PERSONAL_DATA_KEY) personalDataKey: Buffer;
  @Setting(BLIND_INDEX_KEY) blindIndexKey: Buffer;
  @Setting(LEDGER_SHARDS) ledgerShards: number;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    describe: 'Connections to the database at the most.',
    example: '10',
    read: wholeNumber(1, 200),
    default: 10,
  })
  databasePoolSize: number;

  @Setting({
    env: 'SANDBOX_API_KEY',
    describe: 'A test key for which a sandbox merchant is made at the start; none when empty.',
    example: 'sk_test_local_development_key',
    read: sandboxKey,
    default: '',
    secret: true,
  })
  sandboxApiKey: string;

  @Setting({
    env: 'KYC_AUTO_APPROVE',
    describe: 'Approves at once whom a test key registers; false leaves them to a review, as those of live keys are.',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: true,
  })
  sandboxKycAutoApprove: boolean;
}

export class CommandLineConfiguration {
  @Setting(DATABASE_URL) databaseUrl: string;
  @Setting(PERSONAL_DATA_KEY) personalDataKey: Buffer;
  @Setting(BLIND_INDEX_KEY) blindIndexKey: Buffer;
  @Setting(LEDGER_SHARDS) ledgerShards: number;
}

/** Any printable key but a live one: a key that stands in a configuration file must not move real money. */
function sandboxKey(value: string): string {
  if (/^[\x21-\x7e]{16,255}$/.test(value) && !value.startsWith('sk_live_')) return value;
  throw new Error('16 to 255 printable characters that do not begin with sk_live_');
}
