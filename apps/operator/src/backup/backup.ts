// npm run backup: a base backup of the local stack's Postgres (tools/stack/base-backup.mjs says how), beside running services
// or on a stopped stack. NATS needs none: its stream is filled again from the ledger's log.

import './stack/node-version.mjs';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  connect,
  headsOf,
  isEmptyFolder,
  keyFingerprints,
  megabytes,
  sizeOf,
  sync,
  takeBaseBackup,
  writeManifest,
} from './stack/base-backup.mjs';
import { givenUrls } from './stack/databases.mjs';
import { readStack } from './stack/description.mjs';
import { lockHolder } from './stack/lock.mjs';
import { dataDirFrom, dataPaths } from './stack/paths.mjs';
import { readSecrets } from './stack/secrets.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, Refusal, runCommand, say, step } from './stack/terminal.mjs';

const HELP = `
npm run backup [-- --to DIR] [--with-keys] [--json]

Backs up all four databases of the local stack in DATA_DIR as of one moment, while it runs and takes writes: whatever was
answered before the backup ended is in it. A stopped stack's Postgres is started for the time of the backup.

In it: Postgres, whole, with the log that makes it consistent, and a list of all files with their hashes.
Not in it: NATS, whose stream is filled again from the ledger; logs; and the keys of DATA_DIR/secrets.json, unless
--with-keys says so. Without its keys nobody can read the personal data of a backup, nor start a stack from it:
keep a copy of secrets.json elsewhere than the backups.

  --to DIR      a folder that is not there yet; default DATA_DIR/backups/<time>
  --with-keys   put secrets.json into the backup, which then is as secret as the keys
  --json        one line on stdout: {"backup","ended_at","bytes","files","heads","with_keys"}
  --help
`;
const FLAGS = { to: { type: 'string' }, 'with-keys': { type: 'boolean' }, json: { type: 'boolean' } };

async function main(argv) {
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const paths = dataPaths(dataDirFrom(process.env));
  if (givenUrls(process.env).length > 0)
    throw new Refusal('You brought databases of your own: back them up where they run, with pg_basebackup.');
  if (!existsSync(paths.postgres)) throw new Refusal(`There is no data in ${paths.dataDir} yet: npm start makes it.`);
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const target = resolve(parsed.values.to ?? join(paths.dataDir, 'backups', stamp));
  if (!isEmptyFolder(target))
    throw new Refusal(`${target} has something in it already: name a folder that is not there yet.`);
  await ensureReady({ build: false, quiet: true });
  const work = (url) => backUp({ paths, url, target, withKeys: parsed.values['with-keys'] === true });
  const manifest = await (lockHolder(paths.lock) === undefined ? onStopped(work) : work(runningUrl()));
  tell(target, manifest, parsed.values.json);
  return 0;
}

function runningUrl() {
  const url = readStack(process.env)?.postgres_url;
  if (url === undefined) throw new Refusal('The stack is just starting, or stopping: try again when it is ready.');
  return url;
}

async function onStopped(work) {
  const { withPostgres } = await import('./stack/stack.mjs');
  return withPostgres(process.env, (environment) => {
    const url = new URL(environment.LEDGER_MIGRATION_DATABASE_URL);
    url.pathname = '/postgres';
    return work(url.href);
  });
}

/** Under another name until it is complete, so that a backup that was cut short is not taken for one. */
async function backUp({ paths, url, target, withKeys }) {
  const draft = `${target}.unfinished`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const client = await connect(url);
  try {
    const taken = await step('Copying Postgres', (detail) =>
      takeBaseBackup({
        client,
        postgresFolder: paths.postgres,
        target: draft,
        tell: detail,
        beforeEnd: () => headsOf(url),
      }),
    );
    const secrets = readSecrets(paths);
    if (withKeys) copyFileSync(paths.secrets, join(draft, 'secrets.json'));
    const keys = keyFingerprints(process.env, secrets);
    const manifest = await writeManifest(draft, taken, { keys, withKeys });
    rmSync(target, { recursive: true, force: true }); // At most an empty folder: that was made sure of.
    renameSync(draft, target);
    await sync(dirname(target));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined); // Which drops the slot, and ends the backup if it is under way.
  }
}

function tell(target, manifest, json) {
  const { ended_at, files, heads, with_keys } = manifest;
  const bytes = sizeOf(manifest);
  if (json) {
    const summary = { backup: target, ended_at, bytes, files: files.length, heads, with_keys };
    return void process.stdout.write(`${JSON.stringify(summary)}\n`);
  }
  process.stdout.write(`\n${target}: ${files.length} files, ${megabytes(bytes)}, as of ${ended_at}\n`);
  say(
    with_keys
      ? 'Its keys are in it: keep it as secret as them.'
      : 'Its keys are not in it: keep a copy of secrets.json elsewhere, without which it can not be read.',
  );
}

runCommand(main);
