// npm run restore: puts a backup (npm run backup) into the data folder of a stopped stack, and starts Postgres once, so that
// what was copied while it changed is made whole, and it is seen that it can be.

import './stack/node-version.mjs';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connect,
  copyListed,
  headsOf,
  keyFingerprints,
  majorVersion,
  readManifest,
  sync,
  syncFolder,
} from './stack/base-backup.mjs';
import { takeLock } from './stack/lock.mjs';
import { dataDirFrom, dataPaths, makeDataDir } from './stack/paths.mjs';
import { startPostgres } from './stack/postgres.mjs';
import { endLeftovers } from './stack/processes.mjs';
import { readSecrets, writeOwnerOnly } from './stack/secrets.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, Refusal, runCommand, say, step } from './stack/terminal.mjs';

const HELP = `
npm run restore -- --from DIR [--keys FILE] [--replace] [--wal-archive DIR [--until TIME]] [--json]

Restores a backup into DATA_DIR (default .data), whose stack must be stopped. Every file is held against the backup's list.
Then npm start: the stream of facts is filled again from the ledger's log; npm run audit -- verify proves the log.

  --from DIR         the backup
  --keys FILE        the secrets.json that the backup was made under, unless the backup has it or DATA_DIR still does
  --replace          set data that is in DATA_DIR aside, into DATA_DIR/replaced-<time>; else it is refused
  --wal-archive DIR  go on from the backup's end through the write-ahead log that the server archived there
  --until TIME       … and no further than this moment, such as 2026-11-21T10:00:00Z
  --json             one line on stdout: {"restored","ended_at","heads"}
  --help
`;
const FLAGS = {
  from: { type: 'string' },
  keys: { type: 'string' },
  replace: { type: 'boolean' },
  'wal-archive': { type: 'string' },
  until: { type: 'string' },
  json: { type: 'boolean' },
};
const RECOVERY_POLL_MS = 100;
const RECOVERY_MARK = '# npm run restore';

async function main(argv) {
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { from, until, 'wal-archive': archive } = parsed.values;
  if (from === undefined) throw new Refusal('Which backup? npm run restore -- --from DIR. Try --help.');
  if (until !== undefined && (archive === undefined || Number.isNaN(Date.parse(until))))
    throw new Refusal('--until takes a time such as 2026-11-21T10:00:00Z, and goes with --wal-archive.');
  const backup = resolve(from);
  const manifest = await readManifest(backup);
  await ensureReady({ build: false, quiet: true });
  const paths = dataPaths(dataDirFrom(process.env));
  makeDataDir(paths);
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    await endLeftovers(paths.dataDir);
    const heads = await restore({ ...parsed.values, archive: checkArchive(archive), backup, manifest, paths });
    tell(paths.dataDir, manifest, heads, parsed.values.json);
  } finally {
    release();
  }
  return 0;
}

async function restore({ backup, manifest, paths, keys, replace, archive, until }) {
  const secrets = fittingSecrets({ backup, manifest, paths, keys });
  if (existsSync(paths.postgres) && !replace)
    throw new Refusal(
      `There is data in ${paths.dataDir} already: choose another folder with DATA_DIR, or set it aside with --replace.`,
    );
  await step('Copying the backup', async (detail) => {
    rmSync(paths.postgresUnfinished, { recursive: true, force: true });
    mkdirSync(paths.postgresUnfinished, { mode: 0o700 });
    await copyListed(backup, manifest, paths.postgresUnfinished, detail);
    await syncFolder(paths.postgresUnfinished);
    if (majorVersion(paths.postgresUnfinished) !== manifest.postgres_version.split('.')[0])
      throw new Refusal(`The backup is damaged: it is not of Postgres ${manifest.postgres_version}.`);
  }).catch((error) => {
    rmSync(paths.postgresUnfinished, { recursive: true, force: true });
    throw error;
  });
  setAside(paths);
  writeOwnerOnly(paths.secrets, `${JSON.stringify(secrets, null, 2)}\n`);
  recoverFrom(paths.postgresUnfinished, archive, until);
  renameSync(paths.postgresUnfinished, paths.postgres);
  await sync(paths.dataDir);
  try {
    return await step('Recovery', () => recover(paths, secrets, manifest));
  } catch (error) {
    rmSync(paths.postgres, { recursive: true, force: true }); // A copy: what is to be done otherwise begins anew.
    throw error;
  }
}

async function recover(paths, secrets, manifest) {
  const postgres = await startPostgres(paths, secrets);
  try {
    return await recoveredHeads(postgres, manifest);
  } finally {
    await postgres.stop();
    forgetRecovery(paths.postgres);
  }
}

/** The keys, from where they are; other ones than the backup was made under are refused before anything is touched. */
function fittingSecrets({ backup, manifest, paths, keys }) {
  const file = keys === undefined ? (manifest.with_keys ? join(backup, 'secrets.json') : paths.secrets) : resolve(keys);
  if (!existsSync(file))
    throw new Refusal(
      keys === undefined
        ? "The backup's keys are not in it: say where its secrets.json is kept, with --keys FILE."
        : `There is no ${file}.`,
    );
  const secrets = readSecrets({ secrets: file });
  const found = keyFingerprints(process.env, secrets);
  const other = Object.keys(manifest.keys).filter((name) => manifest.keys[name] !== found[name]);
  if (other.length > 0)
    throw new Refusal(
      `${file} has other keys than the backup was made under (${other.join(', ')}): name the right one with --keys.`,
    );
  return secrets;
}

/**
 * What was there before is kept, for whoever meant something else. The broker's stream goes with it: it may tell of what
 * the restored log knows nothing about.
 */
function setAside(paths) {
  const there = [paths.postgres, paths.nats].filter((path) => existsSync(path));
  if (existsSync(paths.postgres)) {
    const aside = join(paths.dataDir, `replaced-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`);
    mkdirSync(aside, { mode: 0o700 });
    for (const path of there) renameSync(path, join(aside, path === paths.nats ? 'nats' : 'postgres'));
    if (existsSync(paths.secrets)) cpSync(paths.secrets, join(aside, 'secrets.json'));
    say(`  What was there is kept in ${aside}`);
  } else rmSync(paths.nats, { recursive: true, force: true });
  rmSync(paths.stack, { force: true });
  makeDataDir(paths);
}

// -- a point in time further on -----------------------------------------------------------------------------------

/**
 * As recovery from an archive, also where there is none: the server then begins a timeline of its own. It archives nothing
 * until somebody says where to: in the archive of the server that the backup was taken of, its log would lead later
 * recoveries astray.
 */
function recoverFrom(folder, archive, until) {
  const settings = [
    `restore_command = '${archive === undefined ? 'false' : `cp "${archive}/%f" "%p"`}'`,
    ...(until === undefined
      ? []
      : [`recovery_target_time = '${postgresTime(until)}'`, "recovery_target_action = 'promote'"]),
  ];
  const file = join(folder, 'postgresql.auto.conf');
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^\s*archive_mode\b/.test(line));
  const lines = [...kept, 'archive_mode = off', ...settings.map((setting) => `${setting} ${RECOVERY_MARK}`)];
  writeFileSync(file, `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'recovery.signal'), '', { mode: 0o600 });
}

function checkArchive(archive) {
  if (archive === undefined) return undefined;
  const path = resolve(archive);
  if (!existsSync(path)) throw new Refusal(`There is no ${path}.`);
  if (/["'%\\\n]/.test(path))
    throw new Refusal('The path of the archive must have no quotation mark, percent sign or backslash.');
  return path;
}

const postgresTime = (until) => new Date(until).toISOString().replace('T', ' ').replace('Z', '+00');

function forgetRecovery(folder) {
  const file = join(folder, 'postgresql.auto.conf');
  const lines = readFileSync(file, 'utf8').split('\n');
  const kept = lines.filter((line) => !line.endsWith(RECOVERY_MARK));
  if (kept.length < lines.length) writeFileSync(file, kept.join('\n'));
}

// -- the outcome --------------------------------------------------------------------------------------------------

async function recoveredHeads(postgres, manifest) {
  await untilRecovered(postgres.url('postgres'));
  const heads = await headsOf(postgres.url('postgres'));
  const short = Object.entries(manifest.heads).filter(([shard, head]) => !(heads[shard] >= head));
  if (short.length === 0) return heads;
  const [shard, head] = short[0];
  throw new Refusal(
    `Recovery ended too soon: shard ${shard} of the ledger ends at ${heads[shard] ?? 0}, but the backup reached ${head}.`,
  );
}

/** Postgres answers while it is still recovering. */
async function untilRecovered(url) {
  const client = await connect(url);
  try {
    for (;;) {
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovering');
      if (!rows[0].recovering) return;
      await sleep(RECOVERY_POLL_MS);
    }
  } finally {
    await client.end();
  }
}

function tell(dataDir, { ended_at }, heads, json) {
  if (json) return void process.stdout.write(`${JSON.stringify({ restored: dataDir, ended_at, heads })}\n`);
  const ends = Object.entries(heads).map(([shard, head]) => `${shard}: ${head}`);
  process.stdout.write(`\nRestored into ${dataDir}. The ledger's shards end at ${ends.join(', ')}.\n`);
  say(
    'Now npm start, then npm run audit -- verify. It archives no log until you turn that on, into a folder of its own.',
  );
}

runCommand(main);
