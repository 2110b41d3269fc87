// Writes the secrets of a deployment as files, one each, as docker-compose.yml mounts them. Keeps existing files, draws
// missing ones, and writes derived ones (the owner's connection strings, the broker's list of passwords) each time: to
// rotate a secret, replace its file and run this again.
//
// Only the owner may enter the folder. The files in it are readable for every user, because a container's process has
// another user id than the user who runs Docker, and a mounted file keeps its mode.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { appRole, DATABASES, namedUrls } from '@stablecoin/migrations/databases';
import { BUS_USERS, natsPasswordVariable } from './bus-users';
import { callerKeysOf, COMMAND_CALLERS, commandKeyName, evidenceKeysOf } from './command-keys';
import { inputHashKeyOf } from './input-hash-key';
import { OWNER_ROLE } from './postgres';

/** Reads an existing secret file. */
type ValueOf = (name: string) => string;
type Step = 'accept' | 'use' | 'drop';

const password = () => randomBytes(24).toString('hex');
const key = () => randomBytes(32).toString('base64');
const none = () => '';
const databaseUrl = (role: string, secret: string, name: string, host = 'postgres') =>
  `postgresql://${role}:${secret}@${host}:5432/${name}`;

/** The file with the connection string of a user of the bus. */
export const natsUrlFile = (user: string) => `${user.replaceAll('-', '_')}_nats_url`;

/** Secrets that are drawn once. */
const DRAWN: Record<string, (value: ValueOf) => string> = {
  personal_data_key: key,
  personal_data_previous_key: none,
  // Derived, so that an older deployment keeps the key that its gateway derived.
  input_hash_key: (value) => inputHashKeyOf(value('personal_data_key')),
  blind_index_key: key,
  people_key: key,
  // As the identity provider has drawn it, where there is one.
  oidc_client_secret: none,
  bus_key: key,
  bus_accepted_key: none,
  deposit_seed: () => randomBytes(64).toString('hex'),
  // Addresses that the signer names, where the ledger has public parents.
  deposit_solana_pool: none,
  // Deposit addresses are its children too: the signer sweeps what the ledger gave out.
  signer_seed: (value) => value('deposit_seed'),
  signer_http_token: none,
  checkpoint_signing_key: key,
  // Each service's own; the ledger's files are derived from them.
  ...Object.fromEntries(COMMAND_CALLERS.map((service) => [commandKeyName(service), key])),
  // URLs of nodes, which their operator fills in.
  chain_rpc_erc20: none,
  chain_rpc_bep20: none,
  chain_rpc_polygon: none,
  postgres_password: password,
  postgres_b_password: password,
  // Further databases of the ledger, as NAME=URL: see addSecondLedger. What is on servers elsewhere their operator adds.
  ledger_databases: none,
  audit_databases: none,
  ledger_migration_databases: none,
  grafana_admin_password: password,
  ...Object.fromEntries(
    DATABASES.map((name) => [`${name}_database_url`, () => databaseUrl(appRole(name), password(), name)]),
  ),
  customer_compliance_database_url: () => databaseUrl('customer_compliance', password(), 'customer'),
  audit_database_url: () => databaseUrl('ledger_auditor', password(), 'ledger'),
  audit_runs_database_url: () => databaseUrl('backoffice_audit_runner', password(), 'backoffice'),
  chain_audit_database_url: () => databaseUrl('chain_auditor', password(), 'chain'),
  ...Object.fromEntries(BUS_USERS.map((user) => [natsUrlFile(user), () => `nats://${user}:${password()}@nats:4222`])),
};

/** Files that are derived from drawn secrets. */
const DERIVED: Record<string, (value: ValueOf) => string> = {
  ...Object.fromEntries(
    DATABASES.map((name) => [
      `${name}_migration_database_url`,
      (value: ValueOf) => databaseUrl(OWNER_ROLE, encodeURIComponent(value('postgres_password')), name),
    ]),
  ),
  command_caller_keys: callerKeysOf,
  command_evidence_keys: evidenceKeysOf,
  nats_passwords: (value) =>
    BUS_USERS.map(
      (user) => `${natsPasswordVariable(user)}: "${decodeURIComponent(new URL(value(natsUrlFile(user))).password)}"`,
    ).join('\n'),
};

/** Keys that can be changed while the services run, each with the file of the second key that they accept. */
const ACCEPTED_BESIDE: Record<string, string> = {
  personal_data_key: 'personal_data_previous_key',
  bus_key: 'bus_accepted_key',
};
export const CHANGEABLE_KEYS = Object.keys(ACCEPTED_BESIDE);

export const SECRET_NAMES = [...Object.keys(DRAWN), ...Object.keys(DERIVED)];

/** Makes the folder complete; returns the names of the files that were drawn and of those that were written anew. */
export function writeSecretFiles(folder: string): { drawn: string[]; derived: string[] } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const path = (name: string) => join(folder, name);
  const value = (name: string) => readFileSync(path(name), 'utf8').trim();
  const drawn = Object.entries(DRAWN).filter(([name]) => !existsSync(path(name)));
  for (const [name, draw] of drawn) write(path(name), draw(value));
  const derived = Object.entries(DERIVED).filter(
    ([name, derive]) => !existsSync(path(name)) || value(name) !== derive(value),
  );
  for (const [name, derive] of derived) write(path(name), derive(value));
  return { drawn: drawn.map(([name]) => name), derived: derived.map(([name]) => name) };
}

/** What the profile two-ledgers of docker-compose.yml starts, and the name of the database on it. */
const SECOND_LEDGER = { name: 'b', host: 'postgres-b' };
const ofSecondLedger = (role: string, secret: string) => databaseUrl(role, secret, 'ledger', SECOND_LEDGER.host);

/** The lists in which a further database of the ledger stands, each with the login that reads it there. */
const SECOND_LEDGER_LISTS: Record<string, (before: string | undefined, value: ValueOf) => string> = {
  ledger_databases: (before) => before ?? ofSecondLedger(appRole('ledger'), password()),
  audit_databases: (before) => before ?? ofSecondLedger('ledger_auditor', password()),
  // Anew each time, for a password that was changed.
  ledger_migration_databases: (_, value) =>
    ofSecondLedger(OWNER_ROLE, encodeURIComponent(value('postgres_b_password'))),
};

/** Names the second database of the ledger in every list; what else stands there stays. @returns the lists that it changed */
export function addSecondLedger(folder: string): string[] {
  const value = (name: string) => read(join(folder, name));
  return Object.entries(SECOND_LEDGER_LISTS).flatMap(([list, login]) => {
    const before = namedUrls(list, value(list));
    const own = before.find(({ name }) => name === SECOND_LEDGER.name);
    const others = before.filter((entry) => entry !== own);
    const entries = [{ name: SECOND_LEDGER.name, url: login(own?.url, value) }, ...others];
    const text = entries.map(({ name, url }) => `${name}=${url}`).join(',');
    if (text === value(list)) return [];
    write(join(folder, list), text);
    return [list];
  });
}

interface KeyFiles {
  file: string;
  besideFile: string;
}

/** One step of changing a key, in the files only: docs/OPERATIONS.md lists the actions between the steps. */
export function changeKey(folder: string, name: string, step: Step): void {
  const beside = ACCEPTED_BESIDE[name];
  if (beside === undefined) throw new Error(`${name} is not changed in steps.`);
  const files = { file: join(folder, name), besideFile: join(folder, beside) };
  const { file, besideFile } = files;
  if (existsSync(noteOf(file))) {
    exchange(files, read(noteOf(file)));
    if (step === 'use') return;
  }
  if (step === 'accept') acceptNext(besideFile);
  if (step === 'drop') write(besideFile, '');
  if (step === 'use') useNext(name, files);
}

function acceptNext(besideFile: string): void {
  if (read(besideFile) !== '')
    throw new OperatorError(
      `${besideFile} holds a key already: end the change that was begun with it, by --use or --drop.`,
    );
  write(besideFile, key());
}

function useNext(name: string, { file, besideFile }: KeyFiles): void {
  if (read(besideFile) === '')
    throw new OperatorError(
      `${besideFile} is empty: --accept ${name} draws the next key, which every service has to know first.`,
    );
  writeFileSync(`${noteOf(file)}.unfinished`, read(file), { mode: 0o600, flush: true });
  renameSync(`${noteOf(file)}.unfinished`, noteOf(file));
  exchange({ file, besideFile }, read(noteOf(file)));
}

/** Holds the key in use while the two keys are exchanged: an interruption at any point loses neither. */
const noteOf = (file: string) => `${file}.before`;
const read = (file: string) => readFileSync(file, 'utf8').trim();
const isKey = (text: string) => Buffer.from(text, 'base64').length === 32;

/** After an interruption, either file may already have been written, fully or in part. */
function exchange({ file, besideFile }: KeyFiles, before: string): void {
  const next = [besideFile, file].map(read).find((text) => text !== before && isKey(text));
  if (next === undefined)
    throw new OperatorError(
      `${noteOf(file)} holds the key that was in use, and no other is there: put it back into ${file}.`,
    );
  write(file, next);
  write(besideFile, before);
  rmSync(noteOf(file));
}

/** Writes an existing file in place: a container that has it mounted would not see a replaced file. */
function write(file: string, text: string): void {
  if (existsSync(file)) chmodSync(file, 0o644);
  writeFileSync(file, text, { mode: 0o644, flush: true });
  chmodSync(file, 0o444);
}
