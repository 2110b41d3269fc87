// The local stack's secrets: drawn at random on the first start, kept in DATA_DIR/secrets.json (mode 0600), and the
// environment wins over each. Losing the file while the data stays would make encrypted data unreadable, so that case
// is refused instead of silently drawing new keys.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DATABASES, rolesOf } from './databases.mjs';
import { Refusal } from './terminal.mjs';

const DATABASE_ROLES = DATABASES.flatMap(rolesOf);
const password = () => randomBytes(24).toString('hex');

const GENERATORS = {
  PERSONAL_DATA_KEY: () => randomBytes(32).toString('base64'),
  BLIND_INDEX_KEY: () => randomBytes(32).toString('base64'),
  BUS_KEY: () => randomBytes(32).toString('base64'),
  DEPOSIT_SEED: () => randomBytes(64).toString('hex'),
  CHECKPOINT_SIGNING_KEY: () => randomBytes(32).toString('base64'),
  postgres_owner_password: password,
  nats_password: password,
  ...Object.fromEntries(DATABASE_ROLES.map((role) => [`${role}_password`, password])),
};

export function readSecrets(paths) {
  if (!existsSync(paths.secrets)) return undefined;
  try {
    return JSON.parse(readFileSync(paths.secrets, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(
      `${paths.secrets} can't be read (${error.message}): restore it from a backup, or forget all data with npm run reset.`,
    );
  }
}

export function loadSecrets(paths) {
  const stored = readSecrets(paths);
  if (stored === undefined && existsSync(paths.postgres)) {
    throw new Refusal(
      `${paths.secrets} is missing, but there is data that its keys encrypt: restore the file, or forget all data with npm run reset.`,
    );
  }
  const secrets = { ...stored };
  for (const [name, draw] of Object.entries(GENERATORS)) secrets[name] ??= draw();
  writeOwnerOnly(paths.secrets, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Replaces a file in one step, readable by its owner only. */
export function writeOwnerOnly(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
