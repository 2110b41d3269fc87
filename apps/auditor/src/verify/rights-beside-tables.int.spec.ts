/** Rights that are on no table: each is given in a transaction that is rolled back, since some are of the whole server. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { AHEAD, faultsAfter } from '../testing/schema-tampering';

let database: AuditedDatabase;
/** Of the tables, and of the server. */
let owner: string;

beforeAll(async () => {
  database = await auditedDatabase();
  const [row] = await database.owner.$queryRaw<[{ name: string }]>`SELECT current_user AS name`;
  owner = row.name;
});
afterAll(() => database.drop());

const READS = 'it reads the files of the server, those of all tables too, and Postgres keeps it from every login';
const WRITES = 'it writes the files of the server, and Postgres keeps it from every login';
const UNGRANTED = "and none of the ledger's migrations has granted that";
const SUPERUSERS = 'and Postgres keeps that for superusers';

it.each<[string, string[], string]>([
  [
    'a function that reads files',
    ['GRANT EXECUTE ON FUNCTION pg_read_binary_file(text) TO swap_app'],
    `function pg_read_binary_file(text): swap_app may EXECUTE: ${READS}`,
  ],
  [
    'one that does, for all',
    ['GRANT EXECUTE ON FUNCTION pg_read_file(text, bigint, bigint) TO PUBLIC'],
    `function pg_read_file(text,bigint,bigint): PUBLIC may EXECUTE: ${READS}`,
  ],
  [
    'one by another name, which each login may call at once',
    [
      ...AHEAD,
      `CREATE FUNCTION ahead.seen(text) RETURNS bytea LANGUAGE internal AS 'pg_read_binary_file_all'`,
      'ALTER FUNCTION ahead.seen OWNER TO ledger_app',
    ],
    `function ahead.seen(text): PUBLIC may EXECUTE: ${READS}`,
  ],
  [
    'a function that writes files, by a role that a login is a member of',
    ['CREATE ROLE lent', 'GRANT lent TO swap_app', 'GRANT EXECUTE ON FUNCTION lo_export(oid, text) TO lent'],
    `function lo_export(oid,text): lent may EXECUTE: ${WRITES}`,
  ],
  [
    "a function of Postgres' own that is a login's",
    ['ALTER FUNCTION pg_read_binary_file(text) OWNER TO swap_app'],
    "function pg_read_binary_file(text): it is swap_app's, who may set what it runs with",
  ],
  [
    "a function of an extension that is a login's",
    ['ALTER FUNCTION public.similarity(text, text) OWNER TO swap_app'],
    "function public.similarity(text,text): it is swap_app's, who may set what it runs with",
  ],
  [
    'what the server runs',
    ['GRANT ALTER SYSTEM ON PARAMETER archive_command TO swap_app'],
    `setting archive_command: swap_app may ALTER SYSTEM it, ${SUPERUSERS}`,
  ],
  [
    'whether triggers run',
    ['GRANT SET ON PARAMETER session_replication_role TO ledger_app'],
    `setting session_replication_role: ledger_app may SET it, ${SUPERUSERS}`,
  ],
  [
    'tables that are still to come',
    ['ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT ON TABLES TO swap_app'],
    `what OWNER makes from now on: swap_app may INSERT, SELECT each table, ${UNGRANTED}`,
  ],
  [
    'those of one schema, for all',
    ['ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC'],
    `what OWNER makes from now on: PUBLIC may SELECT each table, ${UNGRANTED}`,
  ],
  [
    'functions that are still to come',
    ['ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO swap_app'],
    `what OWNER makes from now on: swap_app may EXECUTE each function, ${UNGRANTED}`,
  ],
])('%s: found, with one sentence', async (_name, statements, sentence) => {
  expect(await faultsAfter(database.owner, ...statements)).toEqual([sentence.replace('OWNER', owner)]);
});

it.each<[string, string[]]>([
  [
    'what monitors and backups are given',
    ['GRANT EXECUTE ON FUNCTION pg_ls_waldir(), pg_switch_wal() TO chain_auditor'],
  ],
  [
    'a right of an administrator',
    [
      'CREATE ROLE administers CREATEROLE',
      'GRANT EXECUTE ON FUNCTION pg_read_file(text), lo_export(oid, text) TO administers',
      'GRANT SET, ALTER SYSTEM ON PARAMETER log_statement TO administers',
      'ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO administers',
    ],
  ],
  [
    'a right of a role whose members are administrators',
    [
      ...[
        'CREATE ROLE administering',
        'CREATE ROLE administers LOGIN CREATEROLE',
        'GRANT administering TO administers',
      ],
      'GRANT SET ON PARAMETER session_replication_role TO administering',
    ],
  ],
  [
    'a setting whose right was taken back',
    [
      'GRANT SET ON PARAMETER log_statement TO swap_app, ledger_app',
      'REVOKE SET ON PARAMETER log_statement FROM swap_app, ledger_app',
    ],
  ],
  ['functions that none is to call', ['ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC']],
  [
    "tables that are another owner's",
    ['CREATE ROLE other', 'ALTER DEFAULT PRIVILEGES FOR ROLE other GRANT SELECT ON TABLES TO swap_app'],
  ],
])('%s: no finding', async (_name, statements) => {
  expect(await faultsAfter(database.owner, ...statements)).toEqual([]);
});
