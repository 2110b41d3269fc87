/** What a login of any database can do by functions of the ledger's database that run with the rights of the tables' owner. */
import type { Login } from '../ground/databases';
import { refusedBy } from '../judging/expectation';
import { sql } from './lines';

/** Tables of his own under the names that the function looks for, with a trigger that it sets off while it is the owner. */
const ACTS_AS_THE_OWNER = [
  `CREATE TEMPORARY TABLE transaction_counts (merchant_id int, day date, currency int, transaction_type int, transaction_mode int,
     status int, transactions bigint, first_position bigint,
     UNIQUE (merchant_id, day, currency, transaction_type, transaction_mode, status))`,
  `CREATE FUNCTION pg_temp.adds() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE public.account_balances SET balance = balance + 1000000 WHERE account_id NOT LIKE '%:%';
     EXECUTE format('ALTER ROLE %I SUPERUSER', session_user); RETURN NULL; END $$`,
  'CREATE TRIGGER adds BEFORE INSERT ON transaction_counts FOR EACH ROW EXECUTE FUNCTION pg_temp.adds()',
  `CREATE TEMPORARY TABLE opened AS SELECT 1 AS merchant_id, now() AS created_at, 1 AS currency, 1 AS transaction_type,
     1 AS transaction_mode, 1 AS status, 1 AS position`,
  `CREATE TRIGGER counts AFTER INSERT ON opened REFERENCING NEW TABLE AS rows_after
     FOR EACH STATEMENT EXECUTE FUNCTION public.count_transactions()`,
  'INSERT INTO opened SELECT * FROM opened',
];

export const actsAsTheOwner = (login: Login) =>
  sql(
    "connects to the ledger's database and has a trigger of his own run with the rights of its owner",
    { login, database: 'ledger', statements: ACTS_AS_THE_OWNER },
    refusedBy('Postgres', 'permission denied for function public.count_transactions'),
  );

export const readsByAFunction = (login: Login) =>
  sql(
    "connects to the ledger's database and asks the function that reads a merchant's balances",
    {
      ...{ login, database: 'ledger' },
      statements: ({ ada: { merchantId, walletId } }) => [
        `SELECT set_config('app.merchant_id', '${merchantId}', false)`,
        `SELECT * FROM public.merchants_balances(ARRAY ['${walletId}'::uuid])`,
      ],
    },
    refusedBy('Postgres', 'permission denied for function merchants_balances'),
  );
