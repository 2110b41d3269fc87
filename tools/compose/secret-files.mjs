// The secrets of a deployment as files, one each, as docker-compose.yml mounts them. What is there is kept; what is
// missing is drawn; what follows from others (the owner's connection strings, the broker's list of passwords) is written
// anew each time, so that replacing one file and running this again is a rotation.
//
// The folder is its owner's alone. The files in it can be read by everybody who gets past that, because a container's
// process has another user id than who runs Docker, and a mounted file keeps its mode.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUS_USERS, variableOf } from '../bus-permissions.mjs';
import { appRole, DATABASES } from '../stack/databases.mjs';
import { OWNER_ROLE } from '../stack/postgres.mjs';

const password = () => randomBytes(24).toString('hex');
const key = () => randomBytes(32).toString('base64');
const databaseUrl = (role, secret, name) => `postgresql://${role}:${secret}@postgres:5432/${name}`;
const underscored = (name) => name.replaceAll('-', '_');
const natsUrlFile = (user) => `${underscored(user)}_nats_url`;

/** Drawn once. */
const DRAWN = {
  personal_data_key: key,
  blind_index_key: key,
  bus_key: key,
  deposit_seed: () => randomBytes(64).toString('hex'),
  checkpoint_signing_key: key,
  postgres_password: password,
  grafana_admin_password: password,
  ...Object.fromEntries(
    DATABASES.map((name) => [`${name}_database_url`, () => databaseUrl(appRole(name), password(), name)]),
  ),
  customer_compliance_database_url: () => databaseUrl('customer_compliance', password(), 'customer'),
  audit_database_url: () => databaseUrl('ledger_auditor', password(), 'ledger'),
  ...Object.fromEntries(BUS_USERS.map((user) => [natsUrlFile(user), () => `nats://${user}:${password()}@nats:4222`])),
};

/** Follow from what was drawn. */
const DERIVED = {
  ...Object.fromEntries(
    DATABASES.map((name) => [
      `${name}_migration_database_url`,
      (value) => databaseUrl(OWNER_ROLE, encodeURIComponent(value('postgres_password')), name),
    ]),
  ),
  nats_passwords: (value) =>
    BUS_USERS.map(
      (user) => `${variableOf(user)}: "${decodeURIComponent(new URL(value(natsUrlFile(user))).password)}"`,
    ).join('\n'),
};

export const SECRET_NAMES = [...Object.keys(DRAWN), ...Object.keys(DERIVED)];

/** Makes the folder complete; resolves to the names of what was drawn and of what was written anew. */
export function writeSecretFiles(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const path = (name) => join(folder, name);
  const value = (name) => readFileSync(path(name), 'utf8').trim();
  const drawn = Object.keys(DRAWN).filter((name) => !existsSync(path(name)));
  for (const name of drawn) write(path(name), DRAWN[name]());
  const derived = Object.keys(DERIVED).filter(
    (name) => !existsSync(path(name)) || value(name) !== DERIVED[name](value),
  );
  for (const name of derived) write(path(name), DERIVED[name](value));
  return { drawn, derived };
}

/** A file that is there is written in place: who has it mounted sees the new text, not a file that was replaced. */
function write(file, text) {
  if (existsSync(file)) chmodSync(file, 0o644);
  writeFileSync(file, text, { mode: 0o644 });
  chmodSync(file, 0o444);
}
