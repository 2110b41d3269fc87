/**
 * Backup and restore of the data folder with only Postgres: recovery to a later point in time, and refusals.
 * apps/journeys-e2e/src/backup-restore.e2e.spec.ts tests the whole stack under load.
 */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { DataPaths, dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import { endLeftovers } from '@stablecoin/local-stack/processes';
import { loadSecrets } from '@stablecoin/local-stack/secrets';
import { DATABASES } from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';

const STEP_TIMEOUT_MS = 300_000;
const PROGRAM = join(ROOT, 'dist/apps/operator/src/main.js');

let folder: string;
let paths: DataPaths;
let archive: string;
let backup: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  chmodSync(folder, 0o711);
  paths = dataPaths(join(folder, 'data'));
  archive = join(folder, 'archive');
  backup = join(folder, 'backup');
  makeDataDir(paths);
  const postgres = await startPostgres(paths, loadSecrets(paths));
  for (const name of DATABASES) await migrate({ name, url: postgres.url(name) });
  await postgres.stop();
}, STEP_TIMEOUT_MS);

afterAll(async () => {
  for (const name of readdirSync(folder)) await endLeftovers(join(folder, name));
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the operator's command on a data folder, like npm run. */
function operate(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_DATABASE_URL$/.test(name)));
  const options = { cwd: ROOT, env: { ...inherited, DATA_DIR: paths.dataDir, ...env }, timeout: STEP_TIMEOUT_MS };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

type Query = <Row>(statement: string) => Promise<Row[]>;

async function withServer<Result>(
  of: DataPaths,
  work: (query: Query) => Promise<Result>,
  database: 'payout' | 'customer' = 'payout',
): Promise<Result> {
  const postgres = await startPostgres(of, loadSecrets(of));
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    return await work(async <Row>(statement: string) => (await client.query(statement)).rows as Row[]);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** Writes two rows, one before and one after the time that it returns, and archives the log of both. */
async function writeAroundAMoment(): Promise<string> {
  return withServer(paths, async (query) => {
    await query('INSERT INTO written VALUES (1)');
    const [first] = await query<{ at: Date }>('SELECT clock_timestamp() AS at');
    await query('SELECT pg_sleep(0.05)');
    await query('INSERT INTO written VALUES (2)');
    const [segment] = await query<{ file: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file');
    await query('SELECT pg_switch_wal()');
    const archived = join(archive, segment?.file ?? '');
    await eventually('the log to be archived', () => existsSync(archived), { timeoutMs: 20_000 });
    return new Date((first?.at.getTime() ?? NaN) + 10).toISOString();
  });
}

it(
  'recovers from a backup and the archived log to a given time, and no further',
  async () => {
    mkdirSync(archive);
    chmodSync(archive, 0o777); // Started by root, Postgres archives as another user.
    await withServer(paths, async (query) => {
      await query('CREATE TABLE written (number int)');
      await query('ALTER SYSTEM SET archive_mode = on');
      await query(`ALTER SYSTEM SET archive_command = 'cp "%p" "${archive}/%f"'`);
    });
    const by = ['--actor', 'Ada Obi', '--reason', 'case 7'];
    expect(await operate(['backup', '--to', backup, ...by])).toMatchObject({ code: 0 });
    const moment = await writeAroundAMoment();
    for (const [name, flags, expected] of [
      ['to-the-moment', ['--wal-archive', archive, '--until', moment], [1]],
      ['to-the-end', ['--wal-archive', archive], [1, 2]],
      ['backup-alone', [], []],
    ] as const) {
      const restored = dataPaths(join(folder, name));
      const args = ['restore', '--from', backup, '--keys', paths.secrets, ...flags];
      expect(await operate(args, { DATA_DIR: restored.dataDir })).toMatchObject({ code: 0 });
      const rows = await withServer(restored, (query) =>
        query<{ number: number }>('SELECT number FROM written ORDER BY number'),
      );
      expect({ name, numbers: rows.map(({ number }) => number) }).toEqual({ name, numbers: expected });
      // The restored server has a new timeline, and writes nothing of it into the original's archive.
      expect(readdirSync(join(restored.postgres, 'pg_wal'))).toContain('00000002.history');
      expect(readdirSync(archive)).not.toContain('00000002.history');
      expect(readFileSync(join(restored.postgres, 'postgresql.auto.conf'), 'utf8')).not.toMatch(/restore_command/);
    }
  },
  STEP_TIMEOUT_MS,
);

it(
  'replaces existing data only on request, and keeps it aside',
  async () => {
    const target = dataPaths(join(folder, 'backup-alone'));
    const refused = await operate(['restore', '--from', backup], { DATA_DIR: target.dataDir });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is data in .*--replace/s) as unknown,
    });
    const replaced = await operate(['restore', '--from', backup, '--replace', '--json'], { DATA_DIR: target.dataDir });
    expect(replaced).toMatchObject({ code: 0 });
    expect(JSON.parse(replaced.stdout)).toMatchObject({ restored: target.dataDir });
    const [aside = ''] = readdirSync(target.dataDir).filter((name) => name.startsWith('replaced-'));
    expect(existsSync(join(target.dataDir, aside, 'postgres', 'PG_VERSION'))).toBe(true);
    // On the record of the server: the backup, which is in itself, and the restore of it.
    const acts = await withServer(
      target,
      (query) => query<{ act: string }>('SELECT act FROM operator_acts ORDER BY number'),
      'customer',
    );
    expect(acts.map(({ act }) => JSON.parse(act) as object)).toMatchObject([
      { action: 'backup', actor: 'Ada Obi', reason: 'case 7', details: { with_keys: false } },
      { action: 'restore', actor: expect.stringMatching(/./) as unknown, reason: null },
    ]);
  },
  STEP_TIMEOUT_MS,
);

it('refuses other keys than those that the backup was made with', async () => {
  const other = dataPaths(join(folder, 'other-keys'));
  makeDataDir(other);
  loadSecrets(other);
  const sealed = await operate(['restore', '--from', backup], { DATA_DIR: other.dataDir });
  expect(sealed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sealed under another backup key') as unknown,
  });
  const { BACKUP_KEY } = loadSecrets(paths);
  const run = await operate(['restore', '--from', backup], { DATA_DIR: other.dataDir, BACKUP_KEY });
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has other keys than the backup was made under \(PERSONAL_DATA_KEY/) as unknown,
  });
  expect(existsSync(other.postgres)).toBe(false);
});

it(
  'a backup with the keys in it opens with the backup key alone, which is not in it',
  async () => {
    const whole = join(folder, 'with-keys');
    expect(await operate(['backup', '--to', whole, '--with-keys'])).toMatchObject({ code: 0 });
    const { BACKUP_KEY, PERSONAL_DATA_KEY } = loadSecrets(paths);
    expect(readFileSync(join(whole, 'secrets.json'), 'latin1')).not.toContain(PERSONAL_DATA_KEY);
    const target = dataPaths(join(folder, 'from-one-key'));
    const without = await operate(['restore', '--from', whole], { DATA_DIR: target.dataDir });
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('is sealed: set BACKUP_KEY') as unknown });
    expect(await operate(['restore', '--from', whole], { DATA_DIR: target.dataDir, BACKUP_KEY })).toMatchObject({
      code: 0,
    });
    expect(loadSecrets(target)).toMatchObject({ PERSONAL_DATA_KEY, BACKUP_KEY });
    // Who was erased stays erased: what the folder knows, and what another record says beside it.
    const erased = (id: number) => ({
      merchant_id: 'm',
      customer_id: `00000000-0000-4000-8000-00000000000${id}`,
      erased_at: '',
    });
    const lines = (...ids: number[]) => ids.map((id) => `${JSON.stringify(erased(id))}\n`).join('');
    writeFileSync(target.erasures, lines(1));
    writeFileSync(join(folder, 'erased-elsewhere'), lines(1, 2));
    const again = ['restore', '--from', whole, '--replace', '--erasures', join(folder, 'erased-elsewhere')];
    expect(await operate(again, { DATA_DIR: target.dataDir, BACKUP_KEY })).toMatchObject({ code: 0 });
    expect(readFileSync(target.erasures, 'utf8')).toBe(lines(1, 2));
  },
  STEP_TIMEOUT_MS,
);

it('refuses a backup that is not sealed, unless it is said that it is meant', async () => {
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  writeFileSync(join(plain, 'backup.json'), JSON.stringify({ format: 1, keys: {}, files: [] }));
  const target = join(folder, 'from-plain');
  expect(await operate(['restore', '--from', plain], { DATA_DIR: target })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not sealed, so anybody could have made or changed it') as unknown,
  });
  expect(await operate(['restore', '--from', plain, '--unsealed'], { DATA_DIR: target })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('secrets.json') as unknown,
  });
});

const OTHER_SERVER = 'b=postgresql://ledger_app:x@127.0.0.1:1/ledger';

it(
  'says what of the ledger is not in it, and what that means for a restore',
  async () => {
    const env = { LEDGER_DATABASES: OTHER_SERVER };
    const made = await operate(['backup', '--to', join(folder, 'without'), '--without', 'b'], env);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("Not in it: the ledger's b") as unknown });
    const flags = ['--from', join(folder, 'without'), '--keys', paths.secrets];
    const restored = await operate(['restore', ...flags], { ...env, DATA_DIR: join(folder, 'home-alone') });
    const said = expect.stringContaining(
      'it is on both or on neither. operator shards list, and audit verify',
    ) as unknown;
    expect(restored).toMatchObject({ code: 0, stderr: said });
  },
  STEP_TIMEOUT_MS,
);

it('refuses what it cannot do, and says what to do instead', async () => {
  const cases: [string[], RegExp, NodeJS.ProcessEnv?][] = [
    [['backup', '--to', backup], /has something in it already/],
    [['backup'], /There is no data in/, { DATA_DIR: join(folder, 'nothing') }],
    [['backup'], /databases of your own/, { LEDGER_DATABASE_URL: 'postgresql://127.0.0.1:1/ledger' }],
    [['backup'], /The ledger's database b is on another server[^]*--without b/, { LEDGER_DATABASES: OTHER_SERVER }],
    [['backup', '--nonsense'], /unknown option '--nonsense'/],
    [['restore'], /--from DIR/],
    [['restore', '--from', folder], /is no backup/],
    [['restore', '--from', backup, '--until', 'yesterday'], /--until takes a time/],
  ];
  for (const [args, why, env] of cases)
    expect(await operate(args, env)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(why) as unknown });
});
