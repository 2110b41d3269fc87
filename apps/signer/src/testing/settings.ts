import { createHash } from 'node:crypto';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { CAP_SETTINGS, COLD, ORDER_KEYS, SEED } from './requests';

export const BUS_KEY = createHash('sha256').update('integration tests of the signer').digest();

/** Of a signer on the tests' broker, with its journal in this folder. */
export const settingsIn = (directory: string): Record<string, string> => ({
  NATS_URL: testNatsUrl(),
  BUS_KEY: BUS_KEY.toString('base64'),
  LOG_LEVEL: 'verbose',
  LOG_FORMAT: 'json',
  OPERATIONS_PORT: '0',
  SIGNER_SEED: SEED.toString('hex'),
  SIGNER_COLD_ADDRESS: COLD,
  SIGNER_JOURNAL_DIRECTORY: directory,
  COMMAND_EVIDENCE_KEYS: ORDER_KEYS,
  ...CAP_SETTINGS,
});
