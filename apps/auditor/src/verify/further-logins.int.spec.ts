/** Logins with the ledger's rights, held against those that the deployment names. */
import { PassThrough } from 'node:stream';
import { createAuditor } from '../auditor';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { FurtherLogins, findFurtherLogins } from './further-logins';
import { findSchemaFaults } from './schema-check';
import { verify } from './verify';

let database: AuditedDatabase;
/** Of the tables; a superuser here, as in docker-compose.yml. */
let owner: string;

beforeAll(async () => {
  database = await auditedDatabase();
  const [row] = await database.owner.$queryRaw<[{ name: string }]>`SELECT current_user AS name`;
  owner = row.name;
});
afterAll(() => database.drop());

class Seen extends Error {
  logins: FurtherLogins | undefined;
  schema: string[] = [];
}

/** Roles are of the whole server: what is changed here is rolled back. */
async function seenAfter(statements: readonly string[], names: readonly string[] = [owner]): Promise<Seen> {
  const seen = new Seen();
  try {
    await database.owner.$transaction(async (transaction) => {
      for (const statement of statements) await transaction.$executeRawUnsafe(statement);
      seen.logins = await findFurtherLogins(transaction, names);
      seen.schema = (await findSchemaFaults(transaction)).map(({ of, problem }) => `${of}: ${problem}`);
      throw seen;
    });
  } catch (error) {
    if (error !== seen) throw error;
  }
  return seen;
}

const sentencesAfter = async (statements: readonly string[], names?: readonly string[]) =>
  (await seenAfter(statements, names)).logins?.faults.map(({ of, problem }) => `${of}: ${problem}`);

const MADE = 'CREATE ROLE made LOGIN';
const UNNAMED = 'and the deployment has not named it';
const APPENDS = `login made: it is a member of ledger_app, so it may append to the log, ${UNNAMED}`;
const asTheOwner = (grant: (role: string) => string) =>
  `DO $$ BEGIN EXECUTE format('${grant('%I')}', current_user); END $$`;

it('the logins of the migrations, and an owner who is named, are no finding', async () => {
  expect(await seenAfter([])).toMatchObject({ logins: { with_rights: 1, faults: [] }, schema: [] });
});

it.each<[string, string[], string]>([
  ['a member of ledger_app', [MADE, 'GRANT ledger_app TO made'], APPENDS],
  [
    'one by a role between them, which does not log in itself',
    [MADE, 'CREATE ROLE between', 'GRANT ledger_app TO between', 'GRANT between TO made'],
    APPENDS,
  ],
  [
    'one that takes the role on, and has none of its rights before',
    ['CREATE ROLE made LOGIN NOINHERIT', 'GRANT ledger_app TO made WITH INHERIT FALSE, SET TRUE'],
    APPENDS,
  ],
  [
    'one that may make itself a member',
    [MADE, 'GRANT ledger_app TO made WITH ADMIN TRUE, INHERIT FALSE, SET FALSE'],
    APPENDS,
  ],
  [
    "a member of the tables' owner",
    [MADE, asTheOwner((role) => `GRANT ${role} TO made`)],
    `login made: it is a member of OWNER, so it may change the ledger's tables as their owner, ${UNNAMED}`,
  ],
  [
    "the owner of the database, and so of the tables' schema",
    [MADE, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO made', current_database()); END $$`],
    `login made: it is a member of pg_database_owner, so it may take the ledger's tables away as the owner of their schema, ${UNNAMED}`,
  ],
  ['a superuser', ['CREATE ROLE made LOGIN SUPERUSER'], `login made: it is a superuser, ${UNNAMED}`],
  [
    'a superuser who is a member as well, with one sentence',
    ['CREATE ROLE made LOGIN SUPERUSER', 'GRANT ledger_app TO made', 'GRANT pg_write_all_data TO made'],
    `login made: it is a superuser, ${UNNAMED}`,
  ],
  [
    'a login that writes everywhere',
    [MADE, 'GRANT pg_write_all_data TO made'],
    `login made: it is a member of pg_write_all_data, so it may write into each table, ${UNNAMED}`,
  ],
  [
    'a login that runs programs on the machine',
    [MADE, 'GRANT pg_execute_server_program TO made'],
    `login made: it is a member of pg_execute_server_program, so it may run programs as the server's user, ${UNNAMED}`,
  ],
  [
    'a login that writes files there',
    [MADE, 'GRANT pg_write_server_files TO made'],
    `login made: it is a member of pg_write_server_files, so it may write the files of the server, ${UNNAMED}`,
  ],
])('%s is found, unless it is named', async (_name, statements, sentence) => {
  const due = sentence.replace('OWNER', owner);
  expect(await sentencesAfter(statements)).toEqual([due]);
  expect(await seenAfter(statements, ['another', 'made', owner])).toMatchObject({
    logins: { with_rights: 2, faults: [] },
  });
});

it.each<[string, string[]]>([
  ['a role that does not log in, without members', ['CREATE ROLE made', 'GRANT ledger_app TO made']],
  ['a login that only reads', [MADE, 'GRANT ledger_auditor, pg_monitor TO made']],
  ["a login of another service's", [MADE, 'GRANT payout_app TO made']],
])('%s is no finding', async (_name, statements) => {
  expect(await sentencesAfter(statements)).toEqual([]);
});

it('an owner who is not named is found, and a name has to be the whole of it', async () => {
  expect(await sentencesAfter([], ['made', `${owner}2`])).toEqual([`login ${owner}: it is a superuser, ${UNNAMED}`]);
});

it('an owner who is no superuser is found as the owner', async () => {
  const give = `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
      EXECUTE format('ALTER TABLE public.%I OWNER TO made', name); END LOOP; END $$`;
  expect(await sentencesAfter([MADE, give])).toEqual([
    `login made: it may change the ledger's tables as their owner, ${UNNAMED}`,
  ]);
});

it('what a login of the migrations may do beyond them is found as ever, and once', async () => {
  expect(await seenAfter(['GRANT ledger_app TO chain_app'])).toMatchObject({
    logins: { faults: [] },
    schema: expect.arrayContaining([
      expect.stringMatching(/^login chain_app: it may do what ledger_app may/),
    ]) as unknown,
  });
});

it('a right that was granted on a table itself is found without any names, and once', async () => {
  expect(await seenAfter([MADE, 'GRANT INSERT ON ledger_events TO made'])).toMatchObject({
    logins: { faults: [] },
    schema: ["ledger_events: made may INSERT: none of the ledger's migrations has granted that"],
  });
});

it('a table in the place of the catalogue hides none', async () => {
  const hides = [
    'CREATE TEMPORARY TABLE pg_roles ON COMMIT DROP AS SELECT * FROM pg_catalog.pg_roles WHERE false',
    'CREATE TEMPORARY TABLE pg_auth_members ON COMMIT DROP AS SELECT * FROM pg_catalog.pg_auth_members WHERE false',
  ];
  expect(await sentencesAfter([MADE, 'GRANT ledger_app TO made', ...hides])).toEqual([APPENDS]);
});

describe('the command', () => {
  async function audit(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
    const auditor = createAuditor({ AUDIT_DATABASE_URL: database.auditorUrl, ...env }, stdout, stderr);
    const code = await auditor.run(['verify', ...args]);
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }
  /** Committed, since the auditor looks from a connection of its own. */
  const LOGIN = 'further_logins_spec';
  const FOUND = `login ${LOGIN}: it is a member of ledger_app, so it may append to the log, ${UNNAMED}`;
  beforeAll(() => database.owner.$executeRawUnsafe(`CREATE ROLE ${LOGIN} LOGIN IN ROLE ledger_app`));
  afterAll(() => database.owner.$executeRawUnsafe(`DROP ROLE ${LOGIN}`));

  it('looks for none without the option, and says so', async () => {
    const { code, out } = await audit([]);
    expect(code).toBe(0);
    expect(out).toContain("logins with the ledger's rights were not looked for: --logins");
    expect(JSON.parse((await audit(['--json'])).out)).toMatchObject({ ok: true, logins: null });
    expect(await database.audit((ledger) => verify(ledger))).toMatchObject({ ok: true, logins: null });
  });

  it('ends with 1 where one is not named, with a sentence and one piece of advice', async () => {
    const { code, out } = await audit(['--logins', owner]);
    expect(code).toBe(1);
    const lines = out.split('\n');
    expect(lines.filter((line) => line.startsWith('!!'))).toEqual([`!! ${FOUND}`]);
    expect(lines.filter((line) => line.startsWith('What to do'))).toEqual([
      expect.stringContaining('is not among those that the deployment has named'),
    ]);
    expect(JSON.parse((await audit(['--logins', owner, '--json'])).out)).toMatchObject({
      ...{ ok: false, findings: [FOUND], logins: { with_rights: 2, faults: [{ of: `login ${LOGIN}` }] } },
    });
  });

  it.each<[string, () => { args: string[]; env?: NodeJS.ProcessEnv }]>([
    ['by commas', () => ({ args: ['--logins', ` ${owner} ,${LOGIN},`] })],
    ['one by one', () => ({ args: ['--logins', owner, '--logins', LOGIN] })],
    ['by the environment', () => ({ args: [], env: { AUDIT_LOGINS: `${owner}, ${LOGIN}` } })],
    ['by the option first', () => ({ args: ['--logins', `${owner},${LOGIN}`], env: { AUDIT_LOGINS: owner } })],
  ])('takes names %s', async (_name, given) => {
    const { args, env } = given();
    const { code, out } = await audit(args, env);
    expect({ code, out }).toEqual({
      ...{ code: 0, out: expect.stringContaining("2 logins with the ledger's rights, all of them named") as unknown },
    });
  });

  it('finds by the names of the environment, and looks for none where that is empty', async () => {
    expect(await audit([], { AUDIT_LOGINS: owner })).toMatchObject({ code: 1 });
    expect((await audit([], { AUDIT_LOGINS: ' ' })).out).toContain('were not looked for');
  });

  it('an option without a name is wrong usage', async () => {
    expect(await audit(['--logins', ' ,'])).toMatchObject({
      ...{ code: 2, err: expect.stringContaining('It takes names of logins, by commas.') as unknown },
    });
  });
});
