/** Functions that run with the rights of the tables' owner run for those that the migrations name, and for no other login. */
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';

let files: TestDatabase;
let owner: Client;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
});
beforeEach(() => owner.query('BEGIN'));
afterEach(() => owner.query('ROLLBACK'));
afterAll(async () => {
  await owner.end();
  await files.drop();
});

async function as(role: string, ...statements: string[]): Promise<unknown[]> {
  await owner.query(`SET LOCAL ROLE ${role}`);
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await owner.query<Record<string, unknown>>(statement));
  return rows;
}

/** His own tables, whose names the function of the ledger takes for its own, and a trigger of his that it sets off. */
const IN_THE_OWNERS_NAME = [
  `CREATE TEMPORARY TABLE transaction_counts (merchant_id int, day date, currency int, transaction_type int, transaction_mode int,
     status int, transactions bigint, first_position bigint,
     UNIQUE (merchant_id, day, currency, transaction_type, transaction_mode, status))`,
  'CREATE TEMPORARY TABLE seen (rights text)',
  `CREATE FUNCTION pg_temp.sees() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO pg_temp.seen VALUES (current_user); RETURN NULL; END $$`,
  'CREATE TRIGGER sees BEFORE INSERT ON transaction_counts FOR EACH ROW EXECUTE FUNCTION pg_temp.sees()',
  `CREATE TEMPORARY TABLE opened AS SELECT 1 AS merchant_id, now() AS created_at, 1 AS currency, 1 AS transaction_type,
     1 AS transaction_mode, 1 AS status, 1 AS position`,
  `CREATE TRIGGER counts AFTER INSERT ON opened REFERENCING NEW TABLE AS rows_after
     FOR EACH STATEMENT EXECUTE FUNCTION public.count_transactions()`,
  'INSERT INTO opened SELECT * FROM opened',
  'SELECT rights FROM seen',
];

describe.each(['ledger_app', 'ledger_auditor', 'ledger_merchant', 'chain_app'])('the role %s', (role) => {
  it('has no trigger of its own run with the rights of the owner', async () => {
    await expect(as(role, ...IN_THE_OWNERS_NAME)).rejects.toThrow(
      /permission denied for function (public\.)?count_transactions/,
    );
  });
});

it.each(['merchants_balances(NULL)', 'merchants_deposit_addresses(NULL)', "merchants_transactions_with_part('%', 1)"])(
  '%s is for the role that reads for a merchant, and for no service of another database',
  async (call) => {
    expect(await as('ledger_merchant', `SELECT * FROM ${call}`)).toEqual([]);
    await expect(as('chain_app', `SELECT * FROM ${call}`)).rejects.toThrow('permission denied for function');
  },
);
