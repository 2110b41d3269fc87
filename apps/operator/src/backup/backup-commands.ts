import { OperatorError } from '@stablecoin/command-line/operator-error';
import { megabytes, sizeOf } from '@stablecoin/local-stack/backup-manifest';
import { Act } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Command } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { recordInServer } from '../acts/record-in-server';
import { command, CommandContext } from '../command-context';
import { Backup, backUp } from './backup';
import { furtherDatabases } from './other-servers';
import { restore, Restored } from './restore';

interface BackupOptions extends ActingOptions {
  to?: string;
  withKeys?: boolean;
  without?: string[];
  json?: boolean;
}

interface RestoreOptions extends ActingOptions {
  from?: string;
  keys?: string;
  replace?: boolean;
  unsealed?: boolean;
  erasures?: string;
  walArchive?: string;
  until?: string;
  json?: boolean;
}

const BACKUP_HELP = `
Backs up all six databases of the local stack in DATA_DIR as of one moment, while it runs and takes writes: whatever was
answered before the backup ended is in it. A stopped stack's Postgres is started for the time of the backup.

In it: Postgres, whole, with the log that makes it consistent, and a list of all files with their hashes. Further databases of the
ledger (LEDGER_DATABASES) are in it where they are on that server; one on another is backed up there, and named here by --without.
Every file is sealed under the backup key (BACKUP_KEY of DATA_DIR/secrets.json, or of the environment), which is in no backup.
Not in it: NATS, whose stream is filled again from the ledger; logs; and the other keys of DATA_DIR/secrets.json, unless
--with-keys says so. Without its keys the personal data of a backup can't be read, nor a stack started from it:
keep a copy of secrets.json elsewhere than the backups.`;

const RESTORE_HELP = `
Restores into DATA_DIR (default .data), whose stack must be stopped. Every file is opened and held against the backup's list
before anything is written. The backup key is BACKUP_KEY, else that of --keys, else that of DATA_DIR/secrets.json.
Then npm start: the stream of facts is filled again from the ledger's log; npm run audit -- verify proves the log.`;

/** Backup and restore of the local stack's databases. */
export function addBackupCommands(root: Command, context: CommandContext): void {
  const { env, print, tell, typed } = context;
  acting(command(root, 'backup', "Backs up the local stack's databases."), { demands: false })
    .option('--to <dir>', 'a folder that is not there yet; default DATA_DIR/backups/<time>')
    .option(
      '--with-keys',
      'put the keys of secrets.json into the backup, all but the backup key, which then opens everything',
    )
    .option(
      '--without <name>',
      'one of LEDGER_DATABASES that is on another server, and backed up there; may be repeated',
      (name: string, before: string[] | undefined) => [...(before ?? []), name],
    )
    .addHelpText('after', BACKUP_HELP)
    .action(async ({ to, withKeys = false, without = [], json, ...who }: BackupOptions) => {
      const record = recorded(context, { action: 'backup', details: { with_keys: withKeys } }, who);
      const backup = await backUp({ env, to, withKeys, without, record });
      print(summaryOf(backup), { json, table: () => backupText(backup) });
      if (!json) tell(keysText(backup));
      if (!json && backup.without.length > 0) tell(withoutText(backup));
    });

  acting(command(root, 'restore', "Puts a backup into the local stack's data folder."), { demands: false })
    .option('--from <dir>', 'the backup')
    .option(
      '--keys <file>',
      'the secrets.json that the backup was made under, unless the backup has it or DATA_DIR still does',
    )
    .option('--erasures <file>', 'who was erased, kept from the stack that the backup is of; else the one of DATA_DIR')
    .option('--unsealed', 'take a backup of a version that sealed nothing, which anybody could have changed')
    .option('--replace', 'set data that is in DATA_DIR aside, into DATA_DIR/replaced-<time>; else it is refused')
    .option(
      '--wal-archive <dir>',
      "go on from the backup's end through the write-ahead log that the server archived there",
    )
    .option('--until <time>', '… and no further than this moment, such as 2026-11-21T10:00:00Z')
    .addHelpText('after', RESTORE_HELP)
    .action(
      async ({
        from,
        until,
        walArchive: archive,
        replace = false,
        unsealed = false,
        erasures,
        keys,
        json,
        ...who
      }: RestoreOptions) => {
        if (from === undefined) throw new OperatorError(`Which backup? ${typed('restore --from DIR')}. Try --help.`);
        if (until !== undefined && (archive === undefined || Number.isNaN(Date.parse(until))))
          throw new OperatorError('--until takes a time such as 2026-11-21T10:00:00Z, and goes with --wal-archive.');
        const record = recorded(context, { action: 'restore', details: { until: until ?? null } }, who);
        const restored = await restore({ env, from, until, archive, replace, unsealed, erasures, keys, record });
        const { dataDir, manifest, heads } = restored;
        const report = { restored: dataDir, ended_at: manifest.ended_at, heads };
        print(report, { json, table: () => restoreText(restored) });
        if (!json && restored.erasures === 0) tell(NONE_ERASED);
        const beside = furtherDatabases(env).map(({ name }) => name);
        if (!json && beside.length > 0) tell(besideText(beside));
        if (!json) tell(NEXT);
      },
    );
}

/** Records the act in the server of which it is, which is the one that a backup is made of, or that was restored. */
function recorded(context: CommandContext, act: Act, who: ActingOptions): (url: string) => Promise<void> {
  const by = actedBy(context, who);
  return async (url) => {
    if (!(await recordInServer(url, act, by)))
      context.tell("Not on the record: these databases are older than the log of operators' acts.");
  };
}

function summaryOf({ folder, manifest, without }: Backup) {
  const { ended_at, files, heads, with_keys } = manifest;
  return { backup: folder, ended_at, bytes: sizeOf(manifest), files: files.length, heads, with_keys, without };
}

function backupText({ folder, manifest }: Backup): string {
  const { files, ended_at } = manifest;
  return `\n${folder}: ${files.length} files, ${megabytes(sizeOf(manifest))}, as of ${ended_at}`;
}

const keysText = ({ manifest }: Backup) =>
  manifest.with_keys
    ? 'Its keys are in it, sealed: the backup key, kept elsewhere, opens everything.'
    : 'Its keys are not in it: keep a copy of secrets.json elsewhere, without which it can not be opened.';

const withoutText = ({ without }: Backup) =>
  `Not in it: the ledger's ${without.join(', ')}, on other servers, each to be backed up there as of a moment of its own.`;

const besideText = (names: readonly string[]) =>
  `The ledger's ${names.join(', ')} may be as of another moment: where a shard was moved between the two, it is on both or on neither. ` +
  'operator shards list, and audit verify, say so, and docs/AUDIT.md what to do.';

function restoreText({ dataDir, heads }: Restored): string {
  const ends = Object.entries(heads).map(([shard, head]) => `${shard}: ${head}`);
  return `\nRestored into ${dataDir}. The ledger's shards end at ${ends.join(', ')}.`;
}

const NONE_ERASED =
  'No record says who was erased: whom you erased since the backup is back. Name the record with --erasures, or erase again.';

const NEXT =
  'Now npm start, then npm run audit -- verify. It archives no log until you turn that on, into a folder of its own.';
