/**
 * The owner of all tables does not need to touch a row: what the services see is decided by the schema as well. He has the ledger
 * read other tables than the auditor, or other rows of the same ones.
 */
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { eventually } from '@stablecoin/testing/eventually';
import { foundByVerify, refusedBy } from '../judging/expectation';
import { OWNER } from '../ground/databases';
import { does, sql } from './lines';

/** The last statement of a forgery has to touch a row, which a change of the schema does not. */
const DONE = 'SELECT 1';

const changes = (what: string, names: string, ...statements: string[]) =>
  sql(what, { login: OWNER, database: 'ledger', statements: [...statements, DONE] }, foundByVerify(names));

const BALANCES_AHEAD = [
  'CREATE SCHEMA ahead',
  'CREATE TABLE ahead.account_balances (LIKE public.account_balances INCLUDING ALL)',
  'INSERT INTO ahead.account_balances SELECT * FROM public.account_balances',
  'UPDATE ahead.account_balances SET balance = balance + 1000000',
  'GRANT USAGE ON SCHEMA ahead TO ledger_app',
  'GRANT SELECT, INSERT, UPDATE ON ahead.account_balances TO ledger_app',
];
const settingOf = (login: string, setting: string): string => `DO $$ BEGIN
  EXECUTE format('ALTER ROLE ${login} IN DATABASE %I SET ${setting}', current_database());
END $$`;
const pathOf = (login: string, path: string): string => settingOf(login, `search_path = ${path}`);
/** The auditor's own login finds a catalogue in which no login is set to anything. */
const BLINDS_THE_AUDITOR = [
  'CREATE SCHEMA blind',
  'CREATE TABLE blind.pg_db_role_setting AS SELECT * FROM pg_catalog.pg_db_role_setting WHERE false',
  'GRANT USAGE ON SCHEMA blind TO ledger_auditor',
  'GRANT SELECT ON blind.pg_db_role_setting TO ledger_auditor',
  pathOf('ledger_auditor', 'blind, pg_catalog, public'),
];

/** Of the whole server: no login and no database is set to anything. */
const aheadForTheServer = does(
  'puts balances of his own before those of the ledger, in the configuration of the server',
  'at rest',
  refusedBy('the ledger', 'the tables of the migrations'),
  async (site) => {
    const { merchantId, walletId, shard } = site.people.mallory;
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    await copy.as(OWNER, BALANCES_AHEAD);
    await copy.as(OWNER, ['ALTER SYSTEM SET search_path = ahead, public']);
    await copy.as(OWNER, ['SELECT pg_reload_conf()']);
    try {
      const seen = async () => (await copy.as<{ search_path: string }>('ledger_app', ['SHOW search_path'])).rows[0];
      await eventually('the server has read it', async () => (await seen())?.search_path.startsWith('ahead'));
      const ledger = await site.startLedger(copy);
      try {
        await ledger.verdict();
        const asking = { user: 'gateway', shard, onBehalfOf: { merchantId, mode: 'test' } } as const;
        const { balance } = await site.bus.call(getWallet, { merchant_id: merchantId, wallet_id: walletId }, asking);
        const [row] = await copy.rows<{ balance: string }>(
          `SELECT balance::text FROM public.account_balances WHERE account_id = '${walletId}'`,
        );
        if (balance !== row?.balance) return { became: 'unseen', what: `the wallet has ${balance}` };
        return { became: 'refused', by: 'the ledger', error: 'it reads the tables of the migrations' };
      } finally {
        await ledger.end();
      }
    } finally {
      await copy.as(OWNER, ['ALTER SYSTEM RESET search_path']);
      await copy.as(OWNER, ['SELECT pg_reload_conf()']);
    }
  },
);

/** The row goes, and comes back while a superuser has the index not kept. */
const withoutRow = (index: string, table: string): string[] => [
  `UPDATE pg_index SET indisready = false WHERE indexrelid = '${index}'::regclass`,
  `DO $$ DECLARE gone ${table}%ROWTYPE; BEGIN
     SELECT * INTO gone FROM ${table} LIMIT 1;
     DELETE FROM ${table} WHERE ctid = (SELECT ctid FROM ${table} LIMIT 1);
     INSERT INTO ${table} SELECT gone.*; END $$`,
  `UPDATE pg_index SET indisready = true WHERE indexrelid = '${index}'::regclass`,
];

export const MINTED_BY_SCHEMA = [
  changes(
    'puts balances of his own before those of the ledger, in its search path',
    'search_path',
    ...BALANCES_AHEAD,
    pathOf('ledger_app', 'ahead, public'),
  ),
  changes(
    'does so, and has the auditor see a catalogue of his own',
    'search_path',
    ...[...BALANCES_AHEAD, pathOf('ledger_app', 'ahead, public'), ...BLINDS_THE_AUDITOR],
  ),
  aheadForTheServer,
  changes(
    'adds rows to balances by a table that inherits from theirs',
    'account_balances',
    'CREATE TABLE more () INHERITS (account_balances)',
    `INSERT INTO more SELECT shard, account_id, currency, 1000000, 0, now() FROM ONLY account_balances WHERE account_id NOT LIKE '%:%'`,
    'GRANT SELECT, UPDATE ON more TO ledger_app, ledger_auditor',
  ),
  changes(
    "has the function that reads merchants' balances compare by an operator of his own",
    'merchants_balances',
    'CREATE SCHEMA ahead',
    `CREATE FUNCTION ahead.always(uuid, uuid) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
    'CREATE OPERATOR ahead.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = ahead.always)',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    'ALTER FUNCTION merchants_balances SET search_path = ahead, pg_catalog, pg_temp',
  ),
  changes(
    'has balances cast to larger ones when the ledger reads them',
    'cast from numeric to text',
    'CREATE SCHEMA ahead',
    `CREATE FUNCTION ahead.shown(numeric) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
       RETURN textin(numeric_out(CASE session_user WHEN 'ledger_app' THEN $1 + 1000000 ELSE $1 END)); END $$`,
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    'CREATE CAST (numeric AS text) WITH FUNCTION ahead.shown(numeric)',
  ),
  changes(
    'does so, and puts the cast among what an extension brings',
    'cast from numeric to text',
    'CREATE SCHEMA ahead',
    `CREATE FUNCTION ahead.shown(numeric) RETURNS text LANGUAGE sql AS 'SELECT textin(numeric_out($1))'`,
    'CREATE CAST (numeric AS text) WITH FUNCTION ahead.shown(numeric)',
    'ALTER EXTENSION pg_trgm ADD CAST (numeric AS text)',
  ),
  changes(
    "has an operator of Postgres' own take any balance for enough",
    'operator >=(numeric,numeric)',
    'CREATE SCHEMA ahead',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    `CREATE FUNCTION ahead.at_least(numeric, numeric) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       RETURN session_user = 'ledger_app' OR numeric_ge($1, $2); END $$`,
    'SET allow_system_table_mods = on',
    `UPDATE pg_operator SET oprcode = 'ahead.at_least'::regproc WHERE oid = '>=(numeric,numeric)'::regoperator`,
  ),
  changes(
    'has the function behind it do so, which becomes a part of each statement that compares balances',
    'function numeric_ge(numeric,numeric)',
    `CREATE OR REPLACE FUNCTION pg_catalog.numeric_ge(numeric, numeric) RETURNS boolean LANGUAGE sql IMMUTABLE
       AS 'SELECT session_user = ''ledger_app'' OR NOT numeric_lt($1, $2)'`,
  ),
] as const;

/** In a session of the ledger: what is looked up from then on is found in his schema first. */
const TURNS = `PERFORM set_config('search_path', 'ahead, public', false)`;
const NO_POLICIES_AHEAD = [
  'CREATE SCHEMA ahead',
  'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
  'CREATE VIEW ahead.payout_policies AS SELECT * FROM public.payout_policies WHERE false',
  'GRANT SELECT, INSERT, UPDATE ON ahead.payout_policies TO ledger_app',
];

export const MOVED_BY_SCHEMA = [
  changes(
    "makes the schema of the tables a neighbour's, who may put others in their place",
    'schema public: it is swap_app',
    'ALTER SCHEMA public OWNER TO swap_app',
  ),
  changes(
    'has limits of one destination be those of another one, by a collation of which the catalogue says nothing',
    'COLLATE ahead.either_case',
    'CREATE SCHEMA ahead',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    `CREATE COLLATION ahead.either_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    'ALTER TABLE payout_usage ALTER COLUMN subject TYPE text COLLATE ahead.either_case',
    `DELETE FROM pg_depend WHERE refclassid = 'pg_collation'::regclass AND refobjid = 'ahead.either_case'::regcollation`,
  ),
  changes(
    'has each session of the ledger look for policies elsewhere, by a trigger of the table of instances',
    'trigger turns',
    ...NO_POLICIES_AHEAD,
    `CREATE FUNCTION ahead.turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${TURNS}; RETURN NULL; END $$`,
    'CREATE TRIGGER turns AFTER INSERT OR UPDATE ON ledger_instances FOR EACH ROW EXECUTE FUNCTION ahead.turn()',
  ),
  changes(
    'does so by a condition on what is written there',
    'function ahead.turns() decides',
    ...NO_POLICIES_AHEAD,
    `CREATE FUNCTION ahead.turns() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN ${TURNS}; RETURN true; END $$`,
    'ALTER TABLE ledger_instances ADD CONSTRAINT turns CHECK (ahead.turns()) NOT VALID',
  ),
  changes(
    "does so by a condition that calls a function of Postgres' own",
    'ledger_instances: condition CHECK',
    ...NO_POLICIES_AHEAD,
    `ALTER TABLE ledger_instances ADD CONSTRAINT turns CHECK (set_config('search_path', 'ahead, public', false) <> '') NOT VALID`,
  ),
  changes(
    "does so by the condition under which one of the ledger's triggers runs",
    'trigger shards_are_counted_before_they_are_taken is none',
    ...NO_POLICIES_AHEAD,
    `CREATE FUNCTION ahead.turns() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN ${TURNS}; RETURN true; END $$`,
    'DROP TRIGGER shards_are_counted_before_they_are_taken ON ledger_shards',
    `CREATE TRIGGER shards_are_counted_before_they_are_taken BEFORE UPDATE OF epoch ON ledger_shards
       FOR EACH ROW WHEN (ahead.turns()) EXECUTE FUNCTION refuse_an_uncounted_shard()`,
  ),
  changes(
    "makes another merchant the owner of wallets, and the auditor's own tables say so too, by a trigger of each table that is made",
    'event trigger made',
    'CREATE SCHEMA ahead',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    `CREATE FUNCTION ahead.moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.currency = 'USDT' THEN NEW.merchant_id := md5(NEW.id::text)::uuid; END IF; RETURN NEW; END $$`,
    `CREATE FUNCTION ahead.made() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF to_regclass('pg_temp.wallets') IS NOT NULL
         AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass('pg_temp.wallets')) THEN
         CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON pg_temp.wallets FOR EACH ROW EXECUTE FUNCTION ahead.moves();
       END IF; END $$`,
    'CREATE EVENT TRIGGER made ON ddl_command_end EXECUTE FUNCTION ahead.made()',
    `UPDATE wallets SET merchant_id = md5(id::text)::uuid WHERE currency = 'USDT'`,
  ),
] as const;

export const HIDDEN_BY_SCHEMA = [
  changes(
    'hides payouts from the ledger, and not from the auditor',
    'transactions',
    `CREATE POLICY for_the_ledger ON transactions AS RESTRICTIVE TO ledger_app
       USING (transaction_type <> 'PAYOUT') WITH CHECK (true)`,
  ),
  changes(
    'has Postgres forget what is stored of commands from now on',
    'command_results',
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'CREATE TRIGGER forgets BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION forget()',
  ),
  changes(
    "does so by a trigger with the name of one of the ledger's",
    'command_results',
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    `CREATE TRIGGER ledger_events_are_append_only BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION forget()`,
  ),
  changes(
    "does so by a trigger that counts as one of Postgres' own",
    'command_results: trigger forgets',
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'CREATE TRIGGER forgets BEFORE INSERT ON command_results FOR EACH ROW EXECUTE FUNCTION forget()',
    `UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'forgets'`,
  ),
  changes(
    'has totals counted otherwise from now on',
    'count_transactions',
    `CREATE OR REPLACE FUNCTION count_transactions() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  ),
  changes(
    'has totals counted no more from now on',
    'transactions',
    'ALTER TABLE transactions DISABLE TRIGGER transactions_are_counted_when_opened',
  ),
  changes(
    'puts transactions of his own into the catalogue, where every session looks first',
    'schema pg_catalog',
    'SET allow_system_table_mods = on',
    `CREATE VIEW pg_catalog.transactions AS SELECT * FROM public.transactions
       WHERE session_user <> 'ledger_app' OR transaction_type <> 'PAYOUT'`,
  ),
  changes(
    'has an index compare otherwise, so that the ledger finds no transaction by its id',
    'operator class ahead.ops',
    'CREATE SCHEMA ahead',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    `CREATE FUNCTION ahead.compare(uuid, uuid) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
       RETURN CASE WHEN session_user = 'ledger_app' THEN -1 ELSE uuid_cmp($1, $2) END; END $$`,
    `CREATE OPERATOR CLASS ahead.ops FOR TYPE uuid USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=,
       OPERATOR 5 >, FUNCTION 1 ahead.compare(uuid, uuid)`,
    'ALTER TABLE transactions DROP CONSTRAINT transactions_pkey',
    'CREATE UNIQUE INDEX transactions_pkey ON transactions (id ahead.ops)',
  ),
  changes(
    'has what the ledger confirms not be on disk',
    'synchronous_commit',
    settingOf('ledger_app', 'synchronous_commit = off'),
  ),
  changes(
    'has what commands were answered be gone after a crash, and missing from each backup',
    'command_results: it is unlogged',
    'ALTER TABLE command_results SET UNLOGGED',
  ),
  changes(
    'has a wallet be in no index by which the ledger finds those of its owner',
    'wallets: index wallets_by_owner finds',
    ...withoutRow('wallets_by_owner', 'wallets'),
  ),
  changes(
    'shows by a view of roles that no login is a superuser',
    'view pg_roles',
    'SET allow_system_table_mods = on',
    `DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_roles AS SELECT rolname, false AS rolsuper, rolinherit, rolcreaterole,
       rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, rolpassword, rolvaliduntil, rolbypassrls, rolconfig, oid FROM (' ||
       rtrim(pg_get_viewdef('pg_roles'::regclass), ';') || ') AS shown'; END $$`,
  ),
  changes(
    'hides payouts from the ledger, and the policy that does so from who asks the catalogue',
    'transactions: row-level security',
    `CREATE POLICY for_the_ledger ON transactions AS RESTRICTIVE TO ledger_app USING (transaction_type <> 'PAYOUT')`,
    'SET allow_system_table_mods = on',
    `DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_policies AS SELECT * FROM (' ||
       rtrim(pg_get_viewdef('pg_policies'::regclass), ';') || ') AS shown WHERE policyname <> ''for_the_ledger'''; END $$`,
  ),
] as const;

export const UNDONE_BY_SCHEMA = [
  changes(
    'has Postgres keep no index of what commands were answered, so that each takes effect again',
    'command_results: none of its indexes is kept',
    `UPDATE pg_class SET relhasindex = false WHERE oid = 'command_results'::regclass`,
  ),
  changes(
    'has a command that took effect be in no index, so that it takes effect again',
    'command_results: index command_results_pkey finds',
    ...withoutRow('command_results_pkey', 'command_results'),
  ),
  changes(
    'does so in an index of another kind that he has made, by which Postgres answers as well',
    'and whether it finds its rows can not be seen',
    'CREATE INDEX own ON command_results USING hash (command_id)',
    ...withoutRow('own', 'command_results'),
  ),
  changes(
    'has a command take effect as often as it is sent, from now on',
    'command_results: unique index',
    'ALTER TABLE command_results DROP CONSTRAINT command_results_pkey',
    'CREATE INDEX command_results_pkey ON command_results (command_id)',
  ),
] as const;

/** For as long as he needs it to be read. */
const ASKED_ONCE = [
  'GRANT EXECUTE ON FUNCTION pg_catalog.current_setting(text, boolean) TO PUBLIC',
  'ALTER FUNCTION pg_catalog.current_setting(text, boolean) IMMUTABLE',
];

export const READ_BY_SCHEMA = [
  changes(
    'lets them read it by a view of which the catalogue does not say what it reads',
    'view ahead.seen',
    'CREATE SCHEMA ahead',
    'CREATE VIEW ahead.seen AS SELECT * FROM account_balances',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    'GRANT SELECT ON ahead.seen TO PUBLIC',
    `DELETE FROM pg_depend WHERE classid = 'pg_rewrite'::regclass AND deptype = 'n'
       AND objid IN (SELECT oid FROM pg_rewrite WHERE ev_class = 'ahead.seen'::regclass)`,
  ),
  changes(
    "lets a neighbour's login read the commonest values of each column",
    'table pg_statistic: swap_app may SELECT',
    'GRANT SELECT ON pg_statistic TO swap_app',
  ),
  changes(
    'has Postgres ask once for all merchants which one it is that reads',
    'function current_setting(text,boolean)',
    ...ASKED_ONCE,
  ),
  changes(
    'lets every login read what all merchants own by a view, which needs no right on the table',
    'view ahead.seen',
    'CREATE SCHEMA ahead',
    'CREATE VIEW ahead.seen AS SELECT * FROM account_balances',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    'GRANT SELECT ON ahead.seen TO PUBLIC',
  ),
  changes(
    'does so by a function that runs with his rights',
    'function ahead.seen()',
    'CREATE SCHEMA ahead',
    'GRANT USAGE ON SCHEMA ahead TO PUBLIC',
    `CREATE FUNCTION ahead.seen() RETURNS SETOF account_balances LANGUAGE sql SECURITY DEFINER
       AS 'SELECT * FROM public.account_balances'`,
  ),
  changes(
    'has each row carried away that is written, by a publication',
    'publication away',
    'CREATE PUBLICATION away FOR ALL TABLES',
  ),
  changes(
    'lets every login of the server read what all merchants own',
    'account_balances: PUBLIC may SELECT',
    'GRANT SELECT ON account_balances TO PUBLIC',
  ),
  changes(
    'makes the functions that read for a merchant, and the one that counts, those of every login again',
    'function count_transactions: PUBLIC may EXECUTE',
    'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO PUBLIC',
  ),
] as const;
