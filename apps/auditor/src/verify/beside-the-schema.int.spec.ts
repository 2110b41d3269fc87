/** What a superuser makes of the schema so that the catalogue itself does not tell of it, and what is lent where no table is named. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { withLedger } from '../database/ledger';
import { AHEAD, AHEAD_IS_GONE, faultsAfter, made, SchemaTampering } from '../testing/schema-tampering';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;
beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());

const IN_ONE_DATABASE: SchemaTampering[] = [
  made(
    'a view of which pg_depend says nothing any more',
    [
      ...AHEAD,
      'CREATE VIEW ahead.seen AS SELECT count(*) FROM account_balances',
      'GRANT SELECT ON ahead.seen TO PUBLIC',
      `DELETE FROM pg_depend WHERE classid = 'pg_rewrite'::regclass AND deptype = 'n'
         AND objid IN (SELECT oid FROM pg_rewrite WHERE ev_class = 'ahead.seen'::regclass)`,
    ],
    [AHEAD_IS_GONE],
    /^view ahead\.seen: it shows rows of account_balances with the rights of its owner/,
  ),
  made(
    'a column whose values are the same in either case, of which pg_depend says nothing any more',
    [
      ...AHEAD,
      `CREATE COLLATION ahead.either_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      'ALTER TABLE payout_usage ALTER COLUMN subject TYPE text COLLATE ahead.either_case',
      `DELETE FROM pg_depend WHERE refclassid = 'pg_collation'::regclass AND refobjid = 'ahead.either_case'::regcollation`,
    ],
    ['ALTER TABLE payout_usage ALTER COLUMN subject TYPE text COLLATE "default"', AHEAD_IS_GONE],
    /^payout_usage: .*(COLLATE ahead\.either_case|column subject text NOT NULL)/,
  ),
  made(
    "a column in another order of Postgres' own",
    ['ALTER TABLE transactions ALTER COLUMN status TYPE text COLLATE "C"'],
    ['ALTER TABLE transactions ALTER COLUMN status TYPE text COLLATE "default"'],
    /^transactions: column status text/,
  ),
  made(
    "a schema that is another login's",
    ['ALTER SCHEMA public OWNER TO chain_app'],
    ['ALTER SCHEMA public OWNER TO pg_database_owner'],
    /^schema public: it is chain_app's, who may take any of its tables away/,
  ),
  made(
    'the commonest values of each column, for a neighbour to read',
    ['GRANT SELECT ON pg_statistic TO chain_app'],
    ['REVOKE SELECT ON pg_statistic FROM chain_app'],
    /^table pg_statistic: chain_app may SELECT: it has the commonest values of all columns, and/,
  ),
  made(
    'passwords for other servers, for a neighbour to read',
    ['GRANT SELECT ON pg_user_mapping TO chain_app'],
    ['REVOKE SELECT ON pg_user_mapping FROM chain_app'],
    /^table pg_user_mapping: chain_app may SELECT: it has passwords for other servers, and/,
  ),
  made(
    'one column of them, for all',
    ['GRANT SELECT (stavalues1) ON pg_statistic TO PUBLIC'],
    ['REVOKE SELECT (stavalues1) ON pg_statistic FROM PUBLIC'],
    /^table pg_statistic: PUBLIC may SELECT: it has the commonest values of all columns, and/,
  ),
  made(
    'the commonest values of each column, by a view',
    [...AHEAD, 'CREATE VIEW ahead.seen AS SELECT stavalues1::text FROM pg_statistic'],
    [AHEAD_IS_GONE],
    /^view ahead\.seen: it shows the commonest values of all columns with the rights of its owner$/,
  ),
  made(
    'the hashes of passwords, by one',
    [...AHEAD, 'CREATE VIEW ahead.seen AS SELECT rolname, rolpassword FROM pg_authid'],
    [AHEAD_IS_GONE],
    /^view ahead\.seen: it shows the hashes of passwords with the rights of its owner$/,
  ),
  made(
    'a policy on the table of migrations, which runs in each session that looks whether it is ready',
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.turns() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
         PERFORM set_config('search_path', 'ahead, public', false); RETURN true; END $$`,
      'ALTER TABLE _prisma_migrations ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY turns ON _prisma_migrations USING (ahead.turns())',
    ],
    ['ALTER TABLE _prisma_migrations DISABLE ROW LEVEL SECURITY', AHEAD_IS_GONE],
    /^_prisma_migrations: row-level security decides who sees which of its rows/,
  ),
  made(
    'a view in the place of that table',
    [
      'ALTER TABLE _prisma_migrations RENAME TO kept',
      'CREATE VIEW _prisma_migrations AS SELECT * FROM kept',
      'GRANT SELECT ON _prisma_migrations TO ledger_app',
    ],
    ['DROP VIEW _prisma_migrations', 'ALTER TABLE kept RENAME TO _prisma_migrations'],
    /^_prisma_migrations: (it is no table|column|unique index)/,
  ),
  made(
    'rows of another table among those of that one',
    ['CREATE TABLE more () INHERITS (_prisma_migrations)'],
    ['DROP TABLE more'],
    /^_prisma_migrations: rows of (public\.)?more are taken for its own/,
  ),
  made(
    'a column of that table that is none of it',
    [`ALTER TABLE _prisma_migrations ADD COLUMN more text DEFAULT set_config('search_path', 'ahead, public', false)`],
    ['ALTER TABLE _prisma_migrations DROP COLUMN more'],
    /^_prisma_migrations: column more text DEFAULT set_config/,
  ),
  ...[
    ['array_nulls = off', 'array_nulls'],
    ['gin_fuzzy_search_limit = 100', 'gin_fuzzy_search_limit'],
    [`"DateStyle" = ''SQL, DMY''`, 'DateStyle'],
    [`app.merchant_id = ''0199f000-0000-7000-8000-000000000001''`, 'app.merchant_id'],
    ['extra_float_digits = -15', 'extra_float_digits'],
    ['zero_damaged_pages = on', 'zero_damaged_pages'],
    ['ignore_checksum_failure = on', 'ignore_checksum_failure'],
  ].map(([setting = '', name = '']) =>
    made(
      `sessions of the ledger with another ${name}`,
      [`DO $$ BEGIN EXECUTE format('ALTER ROLE ledger_app IN DATABASE %I SET ${setting}', current_database()); END $$`],
      [`DO $$ BEGIN EXECUTE format('ALTER ROLE ledger_app IN DATABASE %I RESET ${name}', current_database()); END $$`],
      new RegExp(`^login ledger_app: it is set to another ${name}$`),
    ),
  ),
];

it.each(IN_ONE_DATABASE)('$name: found, with one sentence', async ({ change, undo, problem }) => {
  for (const statement of change) await database.owner.$executeRawUnsafe(statement);
  try {
    const found = await database.audit((ledger) => verify(ledger));
    const faults = found.schema.map((fault) => `${fault.of}: ${fault.problem}`);
    expect({ ok: found.ok, some: faults.length > 0 }).toEqual({ ok: false, some: true });
    for (const fault of faults) expect(fault).toMatch(problem);
    expect(
      verificationReport(found, 1)
        .text.split('\n')
        .filter((line) => line.startsWith('What to do')),
    ).toHaveLength(1);
  } finally {
    for (const statement of undo) await database.owner.$executeRawUnsafe(statement);
  }
  expect(await database.audit((ledger) => verify(ledger))).toMatchObject({ ok: true, schema: [] });
});

const CHANGED = "it is Postgres' own, and was changed since the server was made";

it.each<[string, string[], string, ...string[]]>([
  [
    'two functions that are called in the place of each other',
    ['GRANT EXECUTE ON FUNCTION pg_catalog.nextval(regclass), pg_catalog.currval(regclass) TO ledger_app'],
    `DO $$ DECLARE one oid := 'nextval(regclass)'::regprocedure; other oid := 'currval(regclass)'::regprocedure; BEGIN
       UPDATE pg_proc SET proname = 'between' WHERE oid = one; UPDATE pg_proc SET proname = 'nextval' WHERE oid = other;
       UPDATE pg_proc SET proname = 'currval' WHERE oid = one; END $$`,
    ...[`function currval(regclass): ${CHANGED}`, `function nextval(regclass): ${CHANGED}`],
  ],
  [
    'the setting by which merchants are kept apart, asked once for all of them',
    ['GRANT EXECUTE ON FUNCTION pg_catalog.current_setting(text, boolean) TO PUBLIC'],
    'ALTER FUNCTION pg_catalog.current_setting(text, boolean) IMMUTABLE',
    `function current_setting(text,boolean): ${CHANGED}`,
  ],
  [
    'the time, which stands still in a statement that is kept',
    ['GRANT EXECUTE ON FUNCTION pg_catalog.now() TO PUBLIC'],
    'ALTER FUNCTION pg_catalog.now() IMMUTABLE',
    `function now(): ${CHANGED}`,
  ],
  [
    'a function that is asked before row-level security',
    ['GRANT EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) TO PUBLIC'],
    'ALTER FUNCTION pg_catalog.set_config(text, text, boolean) LEAKPROOF',
    `function set_config(text,text,boolean): ${CHANGED}`,
  ],
  [
    'a function whose first argument the planner takes for what it answers',
    ['GRANT EXECUTE ON FUNCTION pg_catalog.current_setting(text, boolean) TO PUBLIC'],
    'ALTER FUNCTION pg_catalog.current_setting(text, boolean) SUPPORT numeric_support',
    `function current_setting(text,boolean): ${CHANGED}`,
  ],
])('%s: found, and the right alone is not', async (_name, granted, change, ...faults) => {
  expect(await faultsAfter(database.owner, ...granted)).toEqual([]);
  expect((await faultsAfter(database.owner, ...granted, change)).toSorted()).toEqual(faults);
});

it("a setting of the auditor's login hides what the server is set to: found, whatever its value", async () => {
  const set = (login: string) =>
    `DO $$ BEGIN EXECUTE format('ALTER ROLE ${login} IN DATABASE %I SET synchronous_commit = on', current_database()); END $$`;
  expect(await faultsAfter(database.owner, set('ledger_app'))).toEqual([]);
  expect(await faultsAfter(database.owner, set('ledger_auditor'))).toEqual([
    'login ledger_auditor: it is set to a synchronous_commit, so that verify does not see that of the server',
  ]);
});

it('a merchant who is named in the configuration of the server: found', async () => {
  const url = `${database.auditorUrl}?options=-c%20search_path%3Dpublic%20-c%20app.merchant_id%3D0199f000-0000-7000-8000-000000000001`;
  const { schema } = await withLedger({ AUDIT_DATABASE_URL: url }, (ledger) => verify(ledger));
  expect(schema).toEqual([{ of: 'the configuration of the server', problem: 'it is set to another app.merchant_id' }]);
});

it.each<[string, string[], string[]]>([
  ['a table that is written anew', ['VACUUM FULL transactions', 'VACUUM (FREEZE, ANALYZE) command_results'], []],
  ['a table in the order of an index', ['CLUSTER transactions USING transactions_pkey'], []],
  [
    'indexes that are made anew, beside traffic or not',
    ['REINDEX SCHEMA public', 'REINDEX TABLE CONCURRENTLY command_results', 'REINDEX TABLE pg_catalog.pg_trigger'],
    [],
  ],
  [
    'one that was broken off',
    [
      'CREATE INDEX command_results_ccnew ON command_results (merchant_id)',
      `UPDATE pg_index SET indisvalid = false, indisready = false WHERE indexrelid = 'command_results_ccnew'::regclass`,
    ],
    ['DROP INDEX command_results_ccnew'],
  ],
  [
    'an index of columns, statistics and parameters of its own',
    [
      'CREATE INDEX own ON transactions (amount) INCLUDE (fee)',
      'CREATE STATISTICS own_statistics ON merchant_id, currency FROM transactions',
      'ALTER TABLE transactions SET (autovacuum_vacuum_scale_factor = 0.01)',
      'ANALYZE',
    ],
    [
      'DROP INDEX own',
      'DROP STATISTICS own_statistics',
      'ALTER TABLE transactions RESET (autovacuum_vacuum_scale_factor)',
    ],
  ],
  [
    'extensions that look at tables',
    ['CREATE EXTENSION pgstattuple', 'CREATE EXTENSION amcheck'],
    ['DROP EXTENSION pgstattuple', 'DROP EXTENSION amcheck'],
  ],
  [
    'a slot for a standby',
    [`SELECT pg_create_physical_replication_slot('honest_standby')::text`],
    [`SELECT pg_drop_replication_slot('honest_standby')::text`],
  ],
])('%s: no finding', async (_name, done, undo) => {
  for (const statement of done) await database.owner.$executeRawUnsafe(statement);
  try {
    const { ok, schema, indexes } = await database.audit((ledger) => verify(ledger));
    expect({ ok, schema, faults: indexes.faults }).toEqual({ ok: true, schema: [], faults: [] });
  } finally {
    for (const statement of undo) await database.owner.$executeRawUnsafe(statement);
  }
});
