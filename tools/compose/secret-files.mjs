// The secrets of a deployment as files, one each, as docker-compose.yml mounts them. What is there is kept; what is
// missing is drawn; what follows from others (the owner's connection strings, the broker's list of passwords) is written
// anew each time, so that replacing one file and running this again is a rotation.
//
// The folder is its owner's alone. The files in it can be read by everybody who gets past that, because a container's
// process has another user id than who runs Docker, and a mounted file keeps its mode.

import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUS_USERS, variableOf } from '../bus-permissions.mjs';
import { appRole, DATABASES } from '../stack/databases.mjs';
import { OWNER_ROLE } from '../stack/postgres.mjs';
import { Refusal } from '../stack/terminal.mjs';

const password = () => randomBytes(24).toString('hex');
const key = () => randomBytes(32).toString('base64');
const none = () => '';
const databaseUrl = (role, secret, name) => `postgresql://${role}:${secret}@postgres:5432/${name}`;
const underscored = (name) => name.replaceAll('-', '_');
const natsUrlFile = (user) => `${underscored(user)}_nats_url`;

/** Drawn once. */
const DRAWN = {
  personal_data_key: key,
  personal_data_previous_key: none,
  // What the gateway derives where it has none, so that a deployment from before this file goes on with the same.
  input_hash_key: (value) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(value('personal_data_key'), 'base64'), '', 'stablecoin/gateway/input-hash/v1', 32),
    ).toString('base64'),
  blind_index_key: key,
  bus_key: key,
  bus_accepted_key: none,
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

/** Keys that are changed without a pause: each with the file of the one that is accepted beside it. */
const ACCEPTED_BESIDE = { personal_data_key: 'personal_data_previous_key', bus_key: 'bus_accepted_key' };
export const CHANGEABLE_KEYS = Object.keys(ACCEPTED_BESIDE);

export const SECRET_NAMES = [...Object.keys(DRAWN), ...Object.keys(DERIVED)];

/** Makes the folder complete; resolves to the names of what was drawn and of what was written anew. */
export function writeSecretFiles(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const path = (name) => join(folder, name);
  const value = (name) => readFileSync(path(name), 'utf8').trim();
  const drawn = Object.keys(DRAWN).filter((name) => !existsSync(path(name)));
  for (const name of drawn) write(path(name), DRAWN[name](value));
  const derived = Object.keys(DERIVED).filter(
    (name) => !existsSync(path(name)) || value(name) !== DERIVED[name](value),
  );
  for (const name of derived) write(path(name), DERIVED[name](value));
  return { drawn, derived };
}

/** One step of changing a key, in the files only: docs/OPERATIONS.md says what belongs between the steps. */
export function changeKey(folder, name, step) {
  const files = { file: join(folder, name), besideFile: join(folder, ACCEPTED_BESIDE[name]) };
  const { file, besideFile } = files;
  if (existsSync(noteOf(file))) {
    exchange(files, read(noteOf(file)));
    if (step === 'use') return;
  }
  if (step === 'accept' && read(besideFile) !== '')
    throw new Refusal(`${besideFile} holds a key already: end the change that was begun with it, by --use or --drop.`);
  if (step === 'accept') write(besideFile, key());
  if (step === 'drop') write(besideFile, '');
  if (step !== 'use') return;
  if (read(besideFile) === '')
    throw new Refusal(
      `${besideFile} is empty: --accept ${name} draws the next key, which every service has to know first.`,
    );
  writeFileSync(`${noteOf(file)}.unfinished`, read(file), { mode: 0o600, flush: true });
  renameSync(`${noteOf(file)}.unfinished`, noteOf(file));
  exchange(files, read(noteOf(file)));
}

/** Holds the key in use while it changes places with the other one: whatever is interrupted, neither is lost. */
const noteOf = (file) => `${file}.before`;
const read = (file) => readFileSync(file, 'utf8').trim();
const isKey = (text) => Buffer.from(text, 'base64').length === 32;

/** Either file may already have been written, or be half written. */
function exchange({ file, besideFile }, before) {
  const next = [besideFile, file].map(read).find((text) => text !== before && isKey(text));
  if (next === undefined)
    throw new Refusal(
      `${noteOf(file)} holds the key that was in use, and no other is there: put it back into ${file}.`,
    );
  write(file, next);
  write(besideFile, before);
  rmSync(noteOf(file));
}

/** A file that is there is written in place: who has it mounted sees the new text, not a file that was replaced. */
function write(file, text) {
  if (existsSync(file)) chmodSync(file, 0o644);
  writeFileSync(file, text, { mode: 0o644, flush: true });
  chmodSync(file, 0o444);
}
