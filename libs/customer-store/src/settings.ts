import { databaseUrl } from '@stablecoin/service-host/repeated-settings';
import { bytes, SettingDefinition } from '@stablecoin/service-host/setting';

/** How the store is reached and searched: the service and the operator's commands need the same values, so the definition is one. */
export const CUSTOMER_DATABASE_URL = databaseUrl('customer', "The customer service's own database.");

export const BLIND_INDEX_KEY: SettingDefinition<Buffer> = {
  env: 'BLIND_INDEX_KEY',
  describe: 'Makes the fingerprints by which sealed e-mail addresses and phone numbers are found.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};
