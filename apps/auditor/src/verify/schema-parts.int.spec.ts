/** What the owner of the tables can make of them, of rights and of Postgres' own parts, while every row stays as it is. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { AHEAD, AHEAD_IS_GONE, faultsAfter, made, SchemaTampering } from '../testing/schema-tampering';
import { withLedger } from '../database/ledger';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());

async function tamper(...statements: string[]): Promise<void> {
  for (const statement of statements) await database.owner.$executeRawUnsafe(statement);
}

const TURNS = `set_config('search_path', 'ahead, public', false)`;
const COUNTED = 'shards_are_counted_before_they_are_taken';
const OF_POSTGRES = (change: string) => `DO $$ BEGIN SET LOCAL allow_system_table_mods = on; ${change}; END $$`;
const AT_LEAST = `'>=(numeric,numeric)'::regoperator`;

const OF_TABLES: SchemaTampering[] = [
  made(
    "a condition that calls one of Postgres' functions, which sets another path",
    [`ALTER TABLE ledger_instances ADD CONSTRAINT turns CHECK (${TURNS} <> '') NOT VALID`],
    ['ALTER TABLE ledger_instances DROP CONSTRAINT turns'],
    /ledger_instances: condition CHECK \(\(set_config.*: none of the ledger's migrations has made that/,
  ),
  made(
    'a column that could be read in the place of another table’s',
    [`ALTER TABLE command_results ADD COLUMN balance numeric(38,8) DEFAULT 0`],
    ['ALTER TABLE command_results DROP COLUMN balance'],
    /command_results: column balance numeric\(38,8\) DEFAULT.*: none of the ledger's migrations has made that/,
  ),
  made(
    'a default that does',
    [`ALTER TABLE ledger_instances ADD COLUMN more text DEFAULT ${TURNS}`],
    ['ALTER TABLE ledger_instances DROP COLUMN more'],
    /ledger_instances: column more text DEFAULT set_config.*: none of the ledger's migrations has made that/,
  ),
  made(
    'a trigger of ours under another condition',
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.turns() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM ${TURNS}; RETURN true; END $$`,
      `DROP TRIGGER ${COUNTED} ON ledger_shards`,
      `CREATE TRIGGER ${COUNTED} BEFORE UPDATE OF epoch ON ledger_shards FOR EACH ROW WHEN (ahead.turns())
         EXECUTE FUNCTION refuse_an_uncounted_shard()`,
    ],
    [
      AHEAD_IS_GONE,
      `CREATE TRIGGER ${COUNTED} BEFORE UPDATE OF epoch ON ledger_shards FOR EACH ROW
         WHEN (NEW.counting_epoch IS DISTINCT FROM NEW.epoch AND OLD.counting_epoch = OLD.epoch
           AND OLD.counted_position < OLD.head_position)
         EXECUTE FUNCTION refuse_an_uncounted_shard()`,
    ],
    /ledger_shards: trigger shards_are_counted_before_they_are_taken is/,
  ),
  made(
    'a table that a crash empties',
    ['ALTER TABLE command_results SET UNLOGGED'],
    ['ALTER TABLE command_results SET LOGGED'],
    /command_results: it is unlogged/,
  ),
  made(
    'a counter of addresses that a crash sets back',
    ['ALTER SEQUENCE deposit_address_index SET UNLOGGED'],
    ['ALTER SEQUENCE deposit_address_index SET LOGGED'],
    /deposit_address_index: it is unlogged/,
  ),
  made(
    'a column of another type',
    ['ALTER TABLE command_results ALTER COLUMN input_hash TYPE varchar(400)'],
    ['ALTER TABLE command_results ALTER COLUMN input_hash TYPE text'],
    /command_results: column input_hash/,
  ),
  made(
    'no condition any more on what a wallet may owe',
    ['ALTER TABLE account_balances DROP CONSTRAINT wallets_owe_reversed_deposits_at_most'],
    [
      `ALTER TABLE account_balances ADD CONSTRAINT wallets_owe_reversed_deposits_at_most
         CHECK (balance >= -reversed_deposits OR account_id LIKE '%:%')`,
    ],
    /account_balances: condition CHECK .*: the ledger's migrations have made that, and it is missing/,
  ),
  made(
    'a condition that refuses one merchant',
    [`ALTER TABLE command_results ADD CONSTRAINT none CHECK (merchant_id <> gen_random_uuid()) NOT VALID`],
    ['ALTER TABLE command_results DROP CONSTRAINT none'],
    /command_results: condition CHECK/,
  ),
  made(
    'a unique index too many, which has rows left out',
    ['CREATE UNIQUE INDEX more ON ledger_tree_nodes (shard, level, (index / 1000))'],
    ['DROP INDEX more'],
    /ledger_tree_nodes: unique index .*: none of the ledger's migrations has made that/,
  ),
  made(
    'no unique index any more',
    ['ALTER TABLE ledger_events DROP CONSTRAINT ledger_events_pkey'],
    ['ALTER TABLE ledger_events ADD CONSTRAINT ledger_events_pkey PRIMARY KEY (shard, position)'],
    /ledger_events: unique index .*: the ledger's migrations have made that, and it is missing/,
  ),
  made(
    'rows that go with those of another table',
    [
      'CREATE TABLE more (shard int PRIMARY KEY)',
      'ALTER TABLE transaction_search_progress ADD FOREIGN KEY (shard) REFERENCES more ON DELETE CASCADE NOT VALID',
    ],
    ['DROP TABLE more CASCADE'],
    /transaction_search_progress: condition FOREIGN KEY/,
  ),
  made(
    "a table that is another login's",
    ['ALTER TABLE command_results OWNER TO ledger_app'],
    [
      `DO $$ BEGIN EXECUTE format('ALTER TABLE command_results OWNER TO %I', session_user); END $$`,
      'REVOKE ALL ON command_results FROM ledger_app',
      'GRANT SELECT, INSERT ON command_results TO ledger_app',
    ],
    /command_results: it is ledger_app's, and not his who owns the others/,
  ),
  made(
    "a counter of addresses that is another login's",
    ['ALTER SEQUENCE deposit_address_index OWNER TO swap_app'],
    [
      `DO $$ BEGIN EXECUTE format('ALTER SEQUENCE deposit_address_index OWNER TO %I', session_user); END $$`,
      'REVOKE ALL ON SEQUENCE deposit_address_index FROM swap_app',
    ],
    /deposit_address_index: it is swap_app's, and not his who owns the others/,
  ),
  made(
    'a table whose rows go with those of one of ours, and whose trigger then runs',
    [
      ...AHEAD,
      'CREATE TABLE ahead.noted (instance text REFERENCES public.ledger_instances ON DELETE CASCADE)',
      `CREATE FUNCTION ahead.turns() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ${TURNS}; RETURN OLD; END $$`,
      'CREATE TRIGGER turns BEFORE DELETE ON ahead.noted FOR EACH ROW EXECUTE FUNCTION ahead.turns()',
    ],
    [AHEAD_IS_GONE],
    /ledger_instances: ahead\.noted refers to it, so that rows can't go, or triggers of that table run/,
  ),
  made(
    'a table that keeps rows of ours from going',
    [
      ...AHEAD,
      `CREATE TABLE ahead.holds (number bigint, currency text, level int, index int,
         FOREIGN KEY (number, currency, level, index) REFERENCES public.ledger_liability_tiles)`,
    ],
    [AHEAD_IS_GONE],
    /ledger_liability_tiles: ahead\.holds refers to it/,
  ),
];

const OF_RIGHTS: SchemaTampering[] = [
  made(
    'what all merchants own, for every login to read',
    ['GRANT SELECT ON account_balances TO PUBLIC'],
    ['REVOKE SELECT ON account_balances FROM PUBLIC'],
    /account_balances: PUBLIC may SELECT: none of the ledger's migrations has granted that/,
  ),
  made(
    'a log that the service may change',
    ['GRANT DELETE ON ledger_events TO ledger_app'],
    ['REVOKE DELETE ON ledger_events FROM ledger_app'],
    /ledger_events: ledger_app may DELETE: none/,
  ),
  made(
    'a column that it may change',
    ['GRANT UPDATE (result) ON command_results TO ledger_app'],
    ['REVOKE UPDATE (result) ON command_results FROM ledger_app'],
    /command_results: ledger_app may UPDATE result: none/,
  ),
  made(
    "a function of the owner's for every login to call",
    ['GRANT EXECUTE ON FUNCTION count_transactions TO PUBLIC'],
    ['REVOKE EXECUTE ON FUNCTION count_transactions FROM PUBLIC'],
    /function count_transactions: PUBLIC may EXECUTE: none/,
  ),
];

/** Of the whole server: within a transaction that is rolled back, so that specs beside this one see nothing of it. */
const OF_ROLES: [string, string, RegExp][] = [
  [
    'a login that reads every table',
    'GRANT pg_read_all_data TO chain_app',
    /login chain_app: it may do what pg_read_all_data may/,
  ],
  [
    'a login that sees the statements of others',
    'GRANT pg_monitor TO chain_app',
    /login chain_app: it may do what pg_read_all_stats may/,
  ],
  [
    'a login that ends the sessions of others',
    'GRANT pg_signal_backend TO chain_app',
    /login chain_app: it may do what pg_signal_backend may/,
  ],
  [
    "another service's login that is the ledger's as well",
    'GRANT ledger_app TO payout_app',
    /login payout_app: it may do what ledger_(app|merchant) may/,
  ],
  [
    'a login that makes others',
    'ALTER ROLE chain_app CREATEROLE',
    /login chain_app: it may do more than the migrations let it/,
  ],
  [
    'the role of merchants in one that sees all',
    'GRANT ledger_auditor TO ledger_merchant',
    /login ledger_merchant: it sees what ledger_auditor sees/,
  ],
];

const FORGETS = `CREATE FUNCTION ahead.forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`;
const OVERLOOKED: SchemaTampering[] = [
  made(
    'a table of which Postgres keeps no index, though all are there',
    [`UPDATE pg_class SET relhasindex = false WHERE oid = 'command_results'::regclass`],
    [`UPDATE pg_class SET relhasindex = true WHERE oid = 'command_results'::regclass`],
    /command_results: none of its indexes is kept or used any more/,
  ),
  made(
    'one of which it runs no trigger',
    [`UPDATE pg_class SET relhastriggers = false WHERE oid = 'transactions'::regclass`],
    [`UPDATE pg_class SET relhastriggers = true WHERE oid = 'transactions'::regclass`],
    /transactions: none of its triggers runs any more/,
  ),
  made(
    'one of which it asks no condition',
    [`UPDATE pg_class SET relchecks = 0 WHERE oid = 'account_balances'::regclass`],
    [`UPDATE pg_class SET relchecks = 3 WHERE oid = 'account_balances'::regclass`],
    /account_balances: not all of its conditions are asked any more/,
  ),
  made(
    "a trigger that counts as one of Postgres' own",
    [
      ...[...AHEAD, FORGETS],
      'CREATE TRIGGER forgets BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION ahead.forget()',
      `UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'forgets'`,
    ],
    [`UPDATE pg_trigger SET tgisinternal = false WHERE tgname = 'forgets'`, AHEAD_IS_GONE],
    /command_results: trigger forgets is none of the ledger's/,
  ),
];

const LENT: SchemaTampering[] = [
  made(
    'a view in another schema, for every login to look at',
    [...AHEAD, 'CREATE VIEW ahead.seen AS SELECT * FROM account_balances', 'GRANT SELECT ON ahead.seen TO PUBLIC'],
    [AHEAD_IS_GONE],
    /view ahead\.seen: it shows rows of account_balances with the rights of its owner/,
  ),
  made(
    "a function in another schema that runs with the owner's rights",
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.seen() RETURNS SETOF account_balances LANGUAGE sql SECURITY DEFINER
         AS 'SELECT * FROM public.account_balances'`,
    ],
    [AHEAD_IS_GONE],
    /function ahead\.seen\(\): it runs with the rights of .* for who calls it/,
  ),
  made(
    'a login that may put its own things beside the tables',
    ['GRANT CREATE ON SCHEMA public TO chain_app'],
    ['REVOKE CREATE ON SCHEMA public FROM chain_app'],
    /schema public: chain_app may CREATE/,
  ),
];

const CARRIED: SchemaTampering[] = [
  made(
    'a publication of one table',
    ['CREATE PUBLICATION away FOR TABLE wallets, transactions'],
    ['DROP PUBLICATION away'],
    /publication away: it carries the rows of 2 tables away, among them those of transactions/,
  ),
  made(
    'a publication of all',
    ['CREATE PUBLICATION away FOR ALL TABLES'],
    ['DROP PUBLICATION away'],
    /publication away: it carries the rows of \d+ tables away/,
  ),
  made(
    'a subscription, also one that rests',
    [
      `CREATE SUBSCRIPTION brings CONNECTION 'host=elsewhere.example dbname=x' PUBLICATION away
         WITH (connect = false, slot_name = NONE, enabled = false)`,
    ],
    ['DROP SUBSCRIPTION brings'],
    /subscription brings: it writes rows that come from another server/,
  ),
];

const OF_PROGRAMS: SchemaTampering[] = [
  made(
    'a function that answers nothing to no question',
    ['ALTER FUNCTION merchants_balances STRICT'],
    ['ALTER FUNCTION merchants_balances CALLED ON NULL INPUT'],
    /function merchants_balances: it does something else than the ledger's/,
  ),
  made(
    "a function with another one's rights",
    ['ALTER FUNCTION merchants_balances OWNER TO ledger_auditor'],
    [`DO $$ BEGIN EXECUTE format('ALTER FUNCTION merchants_balances OWNER TO %I', session_user); END $$`],
    /function merchants_balances: it runs with the rights of ledger_auditor/,
  ),
  made(
    'a function that was put among those of an extension',
    [
      `CREATE FUNCTION lower(uuid) RETURNS text LANGUAGE sql AS $$ SELECT '' $$`,
      'ALTER EXTENSION pg_trgm ADD FUNCTION lower(uuid)',
    ],
    ['ALTER EXTENSION pg_trgm DROP FUNCTION lower(uuid)', 'DROP FUNCTION lower(uuid)'],
    /function (public\.)?lower\(uuid\): it is none of the ledger's/,
  ),
  made(
    'a cast that was',
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.shown(numeric) RETURNS text LANGUAGE sql AS 'SELECT textin(numeric_out($1))'`,
      'CREATE CAST (numeric AS text) WITH FUNCTION ahead.shown(numeric)',
      'ALTER EXTENSION pg_trgm ADD CAST (numeric AS text)',
    ],
    ['ALTER EXTENSION pg_trgm DROP CAST (numeric AS text)', AHEAD_IS_GONE],
    /cast from numeric to text: it is none of Postgres'/,
  ),
];

/** Last: that a part was changed once stays to be seen, also where it was changed back. */
const OF_POSTGRES_OWN: SchemaTampering[] = [
  made(
    "an operator of Postgres' own that calls another function",
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.at_least(numeric, numeric) RETURNS boolean LANGUAGE plpgsql
         AS 'BEGIN RETURN session_user = ''ledger_app'' OR numeric_ge($1, $2); END'`,
      OF_POSTGRES(`UPDATE pg_operator SET oprcode = 'ahead.at_least'::regproc WHERE oid = ${AT_LEAST}`),
    ],
    [OF_POSTGRES(`UPDATE pg_operator SET oprcode = 'numeric_ge'::regproc WHERE oid = ${AT_LEAST}`), AHEAD_IS_GONE],
    /operator >=\(numeric,numeric\): it is Postgres' own, and was changed/,
  ),
];

const WALLET = '0199f000-0000-7000-8000-000000000002';
const ELSEWHERE = '0199f000-0000-7000-8000-0000000000ff';
const OF_THE_AUDITORS_SESSION: SchemaTampering[] = [
  made(
    "a trigger of the auditor's own tables, by one of each table that is made",
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.id = '${WALLET}' THEN NEW.merchant_id := '${ELSEWHERE}'; END IF; RETURN NEW; END $$`,
      `CREATE FUNCTION ahead.made() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         IF to_regclass('pg_temp.wallets') IS NOT NULL
           AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass('pg_temp.wallets')) THEN
           CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON pg_temp.wallets FOR EACH ROW EXECUTE FUNCTION ahead.moves();
         END IF; END $$`,
      'CREATE EVENT TRIGGER made ON ddl_command_end EXECUTE FUNCTION ahead.made()',
      `UPDATE wallets SET merchant_id = '${ELSEWHERE}' WHERE id = '${WALLET}'`,
    ],
    [
      'DROP EVENT TRIGGER made',
      AHEAD_IS_GONE,
      `UPDATE wallets SET merchant_id = (SELECT merchant_id FROM transactions WHERE wallet_id = '${WALLET}' LIMIT 1)
       WHERE id = '${WALLET}'`,
    ],
    /event trigger made: it runs wherever a table is made or changed/,
  ),
];

/** Each on a database of its own: what was changed once is named from then on, also where it was changed back. */
const CHANGED_ONCE: SchemaTampering[] = [
  made(
    'policies that a view of the catalogue does not show',
    [
      `CREATE POLICY seen ON transactions AS RESTRICTIVE TO ledger_app USING (transaction_type <> 'PAYOUT')`,
      `CREATE TABLE kept AS SELECT rtrim(pg_get_viewdef('pg_policies'::regclass), ';') AS text`,
      OF_POSTGRES(`EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_policies AS SELECT * FROM (' || (SELECT text FROM kept) ||
        ') AS shown WHERE policyname <> ''seen'''`),
    ],
    [
      OF_POSTGRES(`EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_policies AS ' || (SELECT text FROM kept)`),
      'DROP TABLE kept',
      'DROP POLICY seen ON transactions',
    ],
    /transactions: row-level security|view pg_policies: it is Postgres' own, and was changed/,
  ),
  made(
    'a view of roles that shows no superuser',
    [
      OF_POSTGRES(`EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_roles AS SELECT shown.rolname, false AS rolsuper, shown.rolinherit,
        shown.rolcreaterole, shown.rolcreatedb, shown.rolcanlogin, shown.rolreplication, shown.rolconnlimit, shown.rolpassword,
        shown.rolvaliduntil, shown.rolbypassrls, shown.rolconfig, shown.oid FROM (' ||
        rtrim(pg_get_viewdef('pg_roles'::regclass), ';') || ') AS shown'`),
    ],
    [],
    /view pg_roles: it is Postgres' own, and was changed/,
  ),
  made(
    'an aggregate that sums otherwise',
    [OF_POSTGRES(`UPDATE pg_aggregate SET aggfinalfn = 0 WHERE aggfnoid = 'pg_catalog.bool_and'::regproc`)],
    [],
    /function bool_and\(boolean\): it is Postgres' own, and was changed/,
  ),
  made(
    'a type whose values are shown otherwise',
    [OF_POSTGRES(`UPDATE pg_type SET typsend = 'numeric_send'::regproc WHERE typname = 'numeric'`)],
    [],
    /type numeric: it is Postgres' own, and was changed/,
  ),
  made(
    'a function that an operator calls, which becomes a part of each statement',
    [
      `CREATE OR REPLACE FUNCTION pg_catalog.numeric_ge(numeric, numeric) RETURNS boolean LANGUAGE sql IMMUTABLE
         AS 'SELECT session_user = ''ledger_app'' OR NOT numeric_lt($1, $2)'`,
    ],
    [],
    /function numeric_ge\(numeric,numeric\): it is Postgres' own, and was changed/,
  ),
];

async function changedOnce({ change }: SchemaTampering) {
  const own = await auditedDatabase();
  try {
    for (const statement of change) await own.owner.$executeRawUnsafe(statement);
    return await own.audit((ledger) => verify(ledger));
  } finally {
    await own.drop();
  }
}

async function foundOf({ change, undo }: SchemaTampering) {
  expect(await database.audit((ledger) => verify(ledger))).toMatchObject({ ok: true, schema: [] });
  await tamper(...change);
  try {
    return await database.audit((ledger) => verify(ledger));
  } finally {
    await tamper(...undo);
  }
}

const advice = (found: Awaited<ReturnType<typeof foundOf>>) =>
  verificationReport(found, 1)
    .text.split('\n')
    .filter((line) => line.startsWith('What to do'));

// First: an operator that was changed stays so.
it('columns that the migrations of a later version add, ahead of its programs: not found', async () => {
  const added = `ADD COLUMN later_note text, ADD COLUMN later_count integer NOT NULL DEFAULT 7,
    ADD COLUMN later_at timestamp(3) with time zone, ADD COLUMN later_word text NOT NULL DEFAULT 'none'`;
  await tamper(`ALTER TABLE command_results ${added}`, `ALTER TABLE account_balances ${added}`);
  const { ok, schema } = await database.audit((ledger) => verify(ledger));
  expect({ ok, schema }).toEqual({ ok: true, schema: [] });
  const removed = added.replaceAll(/ADD COLUMN (\w+)[^,]*/g, 'DROP COLUMN $1');
  await tamper(`ALTER TABLE command_results ${removed}`, `ALTER TABLE account_balances ${removed}`);
});

it.each(OF_ROLES)('%s: found', async (_name, change, problem) => {
  const faults = await faultsAfter(database.owner, change);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(problem);
});

describe.each([
  ['tables', OF_TABLES],
  ['rights', OF_RIGHTS],
  ['carried rows', CARRIED],
  ['lent rights', LENT],
  ['what Postgres is told to overlook', OVERLOOKED],
  ['programs', OF_PROGRAMS],
  ["the auditor's session", OF_THE_AUDITORS_SESSION],
  ["Postgres' own", OF_POSTGRES_OWN],
])('of %s', (_kind, tamperings) => {
  it.each(tamperings)('$name: found, with one sentence', async (tampering) => {
    const found = await foundOf(tampering);
    const faults = found.schema.map(({ of, problem }) => `${of}: ${problem}`);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(tampering.problem);
    expect(found.ok).toBe(false);
    expect(advice(found)).toEqual([expect.stringContaining('does not see what was compared here') as unknown]);
  });
});

it.each(CHANGED_ONCE)('$name: found', async (tampering) => {
  const { ok, schema } = await changedOnce(tampering);
  const faults = schema.map(({ of, problem }) => `${of}: ${problem}`);
  expect({ ok, some: faults.length > 0 }).toEqual({ ok: false, some: true });
  for (const fault of faults) expect(fault).toMatch(tampering.problem);
});

it('a right that a deployment has granted on a function of Postgres is none of it', async () => {
  const change = ['GRANT EXECUTE ON FUNCTION pg_catalog.pg_ls_waldir() TO chain_auditor'];
  expect(await changedOnce(made('a right', change, [], /none/))).toMatchObject({ ok: true, schema: [] });
});

it('a setting that sessions of the server begin with: found', async () => {
  const url = `${database.auditorUrl}?options=-c%20search_path%3Dpublic%20-c%20transform_null_equals%3Don`;
  const { schema } = await withLedger({ AUDIT_DATABASE_URL: url }, (ledger) => verify(ledger));
  const problem = 'it is set to another transform_null_equals';
  expect(schema).toContainEqual({ of: 'the configuration of the server', problem });
});
