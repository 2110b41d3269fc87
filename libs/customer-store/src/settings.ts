import { databaseUrl } from '@stablecoin/service-host/repeated-settings';
import { bytes, filePath, SettingDefinition } from '@stablecoin/service-host/setting';

/** How the store is reached and searched: the service and the operator's commands need the same values, so the definition is one. */
export const CUSTOMER_DATABASE_URL = databaseUrl('customer', "The customer service's own database.");

export const BLIND_INDEX_KEY: SettingDefinition<Buffer> = {
  env: 'BLIND_INDEX_KEY',
  describe: 'Makes the fingerprints by which sealed e-mail addresses and phone numbers are found.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};

export const ERASURES_FILE: SettingDefinition<string | null> = {
  env: 'ERASURES_FILE',
  describe:
    'Where it is kept who was erased, outside of the database: after a restore of an older backup they are erased again ' +
    'before the service takes requests. The same file for the service and the operator.',
  example: '/var/lib/stablecoin/erasures.jsonl',
  read: filePath,
  default: null,
};
