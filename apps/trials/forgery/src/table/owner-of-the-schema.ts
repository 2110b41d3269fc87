/**
 * The owner of all tables does not need to touch a row: what the services see is decided by the schema as well. He has the ledger
 * read other tables than the auditor, or other rows of the same ones.
 */
import { foundByVerify } from '../judging/expectation';
import { OWNER } from '../ground/databases';
import { sql } from './lines';

/** The last statement of a forgery has to touch a row, which a change of the schema does not. */
const DONE = 'SELECT 1';

const changes = (what: string, names: string, ...statements: string[]) =>
  sql(what, { login: OWNER, database: 'ledger', statements: [...statements, DONE] }, foundByVerify(names));

export const MINTED_BY_SCHEMA = [
  changes(
    'puts balances of his own before those of the ledger, in its search path',
    'search_path',
    'CREATE SCHEMA ahead',
    'CREATE TABLE ahead.account_balances (LIKE public.account_balances INCLUDING ALL)',
    'INSERT INTO ahead.account_balances SELECT * FROM public.account_balances',
    'UPDATE ahead.account_balances SET balance = balance + 1000000',
    'GRANT USAGE ON SCHEMA ahead TO ledger_app',
    'GRANT SELECT, INSERT, UPDATE ON ahead.account_balances TO ledger_app',
    `DO $$ BEGIN
       EXECUTE format('ALTER ROLE ledger_app IN DATABASE %I SET search_path = ahead, public', current_database());
     END $$`,
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
] as const;
