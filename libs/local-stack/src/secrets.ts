// The local stack's secrets: drawn at random on the first start and kept in DATA_DIR/secrets.json (mode 0600); the
// environment wins over each. Without the file, existing encrypted data would be unreadable, so the launcher refuses to
// start instead of silently drawing new keys.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { DATABASES, rolesOf } from '@stablecoin/migrations/databases';
import { COMMAND_CALLERS, commandKeyName } from './command-keys';
import { inputHashKeyOf } from './input-hash-key';
import type { DataPaths } from './paths';

const base64Key = () => randomBytes(32).toString('base64');
const password = () => randomBytes(24).toString('hex');
const rolePassword = (role: string) => `${role}_password`;

const GENERATORS = {
  PERSONAL_DATA_KEY: base64Key,
  BLIND_INDEX_KEY: base64Key,
  PEOPLE_KEY: base64Key,
  BUS_KEY: base64Key,
  DEPOSIT_SEED: () => randomBytes(64).toString('hex'),
  CHECKPOINT_SIGNING_KEY: base64Key,
  BACKUP_KEY: base64Key,
  postgres_owner_password: password,
  nats_password: password,
  chain_faucet_private_key: () => `0x${randomBytes(32).toString('hex')}`,
};

/**
 * Values by name: those of GENERATORS, INPUT_HASH_KEY, the password of each login role as `<role>_password`, and of each service
 * that asks the ledger `<service>_command_key`.
 */
export type Secrets = Record<keyof typeof GENERATORS, string> & Record<string, string>;

export function readSecrets(paths: Pick<DataPaths, 'secrets'>): Secrets | undefined {
  if (!existsSync(paths.secrets)) return undefined;
  try {
    return JSON.parse(readFileSync(paths.secrets, 'utf8')) as Secrets;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new OperatorError(
      `${paths.secrets} can't be read (${error.message}): restore it from a backup, or forget all data with npm run reset.`,
    );
  }
}

/** The stored secrets, completed with drawn ones and stored. */
export function loadSecrets(paths: Pick<DataPaths, 'secrets' | 'postgres'>): Secrets {
  const stored = readSecrets(paths);
  if (stored === undefined && existsSync(paths.postgres)) {
    throw new OperatorError(
      `${paths.secrets} is missing, but there is data that its keys encrypt: restore the file, or forget all data with npm run reset.`,
    );
  }
  const secrets = withInputHashKey({ ...drawnSecrets(), INPUT_HASH_KEY: '', ...stored });
  writeOwnerOnly(paths.secrets, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Every secret of a stack, drawn anew. */
export function drawnSecrets(): Secrets {
  const own = Object.entries(GENERATORS).map(([name, draw]) => [name, draw()]);
  const passwords = DATABASES.flatMap(rolesOf).map((role) => [rolePassword(role), password()]);
  const commandKeys = COMMAND_CALLERS.map((service) => [commandKeyName(service), base64Key()]);
  return withInputHashKey(Object.fromEntries([...own, ...passwords, ...commandKeys]) as Secrets);
}

const withInputHashKey = (secrets: Secrets): Secrets => ({
  ...secrets,
  INPUT_HASH_KEY: secrets['INPUT_HASH_KEY'] || inputHashKeyOf(secrets.PERSONAL_DATA_KEY),
});

/** Replaces a file in one step, readable by its owner only. */
export function writeOwnerOnly(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
