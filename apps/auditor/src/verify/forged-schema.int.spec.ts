/** What the owner of the ledger's database makes of its tables, so that the ledger or verify sees something else than is there. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { verify, Verification } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(() => database.restore());
afterAll(() => database.drop());

const run = () => database.audit((ledger) => verify(ledger));
const advice = (found: Verification) =>
  verificationReport(found, 1)
    .text.split('\n')
    .filter((line) => line.startsWith('What to do'));

async function tamper(...statements: string[]): Promise<void> {
  for (const statement of statements) await database.owner.$executeRawUnsafe(statement);
}

describe('a schema that has the ledger see something else', () => {
  const inDatabase = (action: string) =>
    `DO $$ BEGIN EXECUTE format('ALTER ROLE ledger_app IN DATABASE %I ${action}', current_database()); END $$`;
  const replaced = (text: string, by: string) => `DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('merchants_balances'::regproc), '${text}', '${by}');
  END $$`;
  const cases: [string, string[], string[], RegExp][] = [
    [
      'a table of another schema, before public in the search path',
      [inDatabase('SET search_path = ahead, public')],
      [inDatabase('RESET search_path')],
      /search_path/,
    ],
    [
      'a table of a schema named as its login',
      ['CREATE SCHEMA ledger_app', 'CREATE TABLE ledger_app.account_balances (LIKE public.account_balances)'],
      ['DROP SCHEMA ledger_app CASCADE'],
      /its account_balances is read in the place/,
    ],
    [
      'rows that its login does not see',
      ['CREATE POLICY seen ON transactions AS RESTRICTIVE TO ledger_app USING (false)'],
      ['DROP POLICY seen ON transactions'],
      /transactions: .*row-level security/,
    ],
    [
      'policies on a table that has none',
      ['ALTER TABLE account_balances ENABLE ROW LEVEL SECURITY', 'CREATE POLICY seen ON account_balances USING (true)'],
      ['DROP POLICY seen ON account_balances', 'ALTER TABLE account_balances DISABLE ROW LEVEL SECURITY'],
      /account_balances: .*row-level security/,
    ],
    [
      'merchants who see the rows of others',
      ['ALTER POLICY of_the_merchant ON wallets USING (true)'],
      [
        `ALTER POLICY of_the_merchant ON wallets
           USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid)`,
      ],
      /wallets: .*row-level security/,
    ],
    [
      'no wall between merchants',
      ['ALTER TABLE transactions DISABLE ROW LEVEL SECURITY'],
      ['ALTER TABLE transactions ENABLE ROW LEVEL SECURITY'],
      /transactions: .*row-level security/,
    ],
    [
      'balances that a function makes up',
      [replaced('account.balance,', 'account.balance + 1,')],
      [replaced('account.balance + 1,', 'account.balance,')],
      /function merchants_balances/,
    ],
    [
      'a function that reads as its caller',
      ['ALTER FUNCTION merchants_balances SECURITY INVOKER'],
      ['ALTER FUNCTION merchants_balances SECURITY DEFINER'],
      /function merchants_balances/,
    ],
    [
      'a rule',
      ['CREATE RULE forgets AS ON INSERT TO command_results DO INSTEAD NOTHING'],
      ['DROP RULE forgets ON command_results'],
      /rule forgets/,
    ],
    [
      'a trigger',
      [
        `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
        'CREATE TRIGGER forgets BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION forget()',
      ],
      ['DROP TRIGGER forgets ON command_results', 'DROP FUNCTION forget'],
      /trigger forgets/,
    ],
    [
      'a trigger with the name of one of ours, on another table',
      [
        `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
        'CREATE TRIGGER ledger_events_are_append_only BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION forget()',
      ],
      ['DROP TRIGGER ledger_events_are_append_only ON command_results', 'DROP FUNCTION forget'],
      /command_results: trigger ledger_events_are_append_only is none/,
    ],
    [
      'one of ours that is switched off',
      ['ALTER TABLE transactions DISABLE TRIGGER transactions_are_counted_when_opened'],
      ['ALTER TABLE transactions ENABLE TRIGGER transactions_are_counted_when_opened'],
      /transactions: trigger transactions_are_counted_when_opened is missing, or switched off/,
    ],
    [
      'what a trigger of ours does',
      [`ALTER FUNCTION count_transactions SET search_path = pg_temp`],
      ['ALTER FUNCTION count_transactions SET search_path = pg_catalog, pg_temp'],
      /function count_transactions/,
    ],
    [
      'a function that looks elsewhere first',
      ['ALTER FUNCTION merchants_balances SET search_path = ahead, pg_catalog, pg_temp'],
      ['ALTER FUNCTION merchants_balances SET search_path = pg_catalog, pg_temp'],
      /function merchants_balances/,
    ],
    [
      'a function that fits better than one of Postgres',
      [`CREATE FUNCTION lower(uuid) RETURNS text LANGUAGE sql AS $$ SELECT '' $$`],
      ['DROP FUNCTION lower(uuid)'],
      /function (public\.)?lower\(uuid\): it is none of the ledger's/,
    ],
    [
      'an operator that fits better than one of Postgres',
      ['CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_catalog.starts_with)'],
      ['DROP OPERATOR public.= (text, text)'],
      /operator public\.=\(text,text\): it is none of the ledger's/,
    ],
    [
      'rows of a table that inherits from one of ours',
      ['CREATE TABLE more () INHERITS (wallets)'],
      ['DROP TABLE more'],
      /wallets: rows of (public\.)?more are taken for its own/,
    ],
    [
      'what is done when a session begins',
      [
        `CREATE FUNCTION begins() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'`,
        'CREATE EVENT TRIGGER begins ON login EXECUTE FUNCTION begins()',
        'ALTER FUNCTION begins SET SCHEMA information_schema',
      ],
      ['DROP EVENT TRIGGER begins', 'DROP FUNCTION information_schema.begins'],
      /event trigger begins/,
    ],
    [
      'another path of the ledger, and a catalogue for the auditor that does not say so',
      [
        'CREATE SCHEMA blind',
        'CREATE TABLE blind.pg_db_role_setting AS SELECT * FROM pg_db_role_setting WHERE false',
        'GRANT USAGE ON SCHEMA blind TO ledger_auditor',
        'GRANT SELECT ON blind.pg_db_role_setting TO ledger_auditor',
        inDatabase('SET search_path = ahead, public'),
        inDatabase('SET search_path = blind, pg_catalog, public').replace('ledger_app', 'ledger_auditor'),
      ],
      [
        inDatabase('RESET search_path'),
        inDatabase('RESET search_path').replace('ledger_app', 'ledger_auditor'),
        'DROP SCHEMA blind CASCADE',
      ],
      /search_path/,
    ],
  ];

  const TURNS = [
    'CREATE SCHEMA ahead',
    `CREATE FUNCTION ahead.turns() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       PERFORM set_config('search_path', 'ahead, public', false); RETURN true; END $$`,
  ];
  const AWAY = 'DROP SCHEMA ahead CASCADE';
  const madeOfItsOwn: typeof cases = [
    [
      'a trigger of the table of instances, which sets another path in each session',
      [
        'CREATE SCHEMA ahead',
        `CREATE FUNCTION ahead.turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           PERFORM set_config('search_path', 'ahead, public', false); RETURN NULL; END $$`,
        'CREATE TRIGGER turns AFTER INSERT OR UPDATE ON ledger_instances FOR EACH ROW EXECUTE FUNCTION ahead.turn()',
      ],
      [AWAY],
      /ledger_instances: trigger turns is none/,
    ],
    [
      'a condition that does',
      [...TURNS, 'ALTER TABLE ledger_shards ADD CONSTRAINT turns CHECK (ahead.turns())'],
      [AWAY],
      /ledger_shards: function ahead\.turns\(\) decides/,
    ],
    [
      'a default that does',
      [...TURNS, 'ALTER TABLE ledger_instances ADD COLUMN more boolean DEFAULT ahead.turns()'],
      ['ALTER TABLE ledger_instances DROP COLUMN more', AWAY],
      /ledger_instances: function ahead\.turns\(\) decides/,
    ],
    [
      'numbers that are cast to texts otherwise',
      [
        'CREATE SCHEMA ahead',
        `CREATE FUNCTION ahead.shown(numeric) RETURNS text LANGUAGE sql AS 'SELECT textin(numeric_out($1))'`,
        'CREATE CAST (numeric AS text) WITH FUNCTION ahead.shown(numeric)',
      ],
      [AWAY],
      /cast from numeric to text: it is none of Postgres'/,
    ],
    [
      'a table in the catalogue',
      [
        `DO $$ BEGIN SET LOCAL allow_system_table_mods = on;
           CREATE VIEW pg_catalog.transactions AS SELECT * FROM public.transactions; END $$`,
      ],
      ['DO $$ BEGIN SET LOCAL allow_system_table_mods = on; DROP VIEW pg_catalog.transactions; END $$'],
      /schema pg_catalog: its transactions|view transactions: it shows rows/,
    ],
    [
      'a function of the catalogue that fits better than one of Postgres',
      [`CREATE FUNCTION pg_catalog.lower(uuid) RETURNS text LANGUAGE sql AS $$ SELECT '' $$`],
      ['DO $$ BEGIN SET LOCAL allow_system_table_mods = on; DROP FUNCTION pg_catalog.lower(uuid); END $$'],
      /function pg_catalog\.lower: it is none of Postgres'/,
    ],
    [
      'an index that compares otherwise',
      [
        'CREATE SCHEMA ahead',
        'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
        `CREATE FUNCTION ahead.compare(uuid, uuid) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT uuid_cmp($1, $2)'`,
        `CREATE OPERATOR CLASS ahead.ops FOR TYPE uuid USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
           OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 ahead.compare(uuid, uuid)`,
        'CREATE INDEX compared ON transactions (id ahead.ops)',
      ],
      [AWAY],
      /transactions: operator class ahead\.ops .*decides/,
    ],
    [
      'a column whose values compare otherwise',
      [
        'CREATE SCHEMA ahead',
        `CREATE COLLATION ahead.same (provider = icu, locale = 'und', deterministic = false)`,
        'ALTER TABLE closed_customers ADD COLUMN more text COLLATE ahead.same',
      ],
      ['ALTER TABLE closed_customers DROP COLUMN more', AWAY],
      /closed_customers: collation ahead\.same decides/,
    ],
    [
      'what is confirmed and not on disk',
      [inDatabase('SET synchronous_commit = off')],
      [inDatabase('RESET synchronous_commit')],
      /login ledger_app: it is set to another synchronous_commit/,
    ],
  ];

  it.each([...cases, ...madeOfItsOwn])('%s: found, with one sentence', async (_name, change, undo, problem) => {
    expect(await run()).toMatchObject({ ok: true, schema: [] });
    await tamper(...change);
    try {
      const found = await run();
      expect(found.ok).toBe(false);
      const faults = found.schema.map((fault) => `${fault.of}: ${fault.problem}`);
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) expect(fault).toMatch(problem);
      expect(advice(found)).toEqual([expect.stringContaining('does not see what was compared here') as unknown]);
    } finally {
      await tamper(...undo);
    }
  });
});
