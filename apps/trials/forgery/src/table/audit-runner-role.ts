/** The login of the runner beside the auditor: it states how a verification goes that was asked for at the console, and nothing else. */
import { refusedBy } from '../judging/expectation';
import type { Row } from './forgery';
import { readsEverything, sql } from './lines';
import { actsAsTheOwner } from './owners-functions';

const LOGIN = 'backoffice_audit_runner';
const may = (table: string) => refusedBy('Postgres', `permission denied for table ${table}`);
const at = (database: 'ledger' | 'backoffice', what: string, statement: string, table: string) =>
  sql(what, { login: LOGIN, database, statements: [statement] }, may(table));

export const AUDIT_RUNNER: Row = {
  mint: [
    at(
      'ledger',
      "connects to the ledger's database and raises a balance",
      'UPDATE account_balances SET balance = balance + 1000000',
      'account_balances',
    ),
    actsAsTheOwner(LOGIN),
  ],
  move: [
    at(
      'ledger',
      "connects to the ledger's database and takes a wallet",
      'UPDATE wallets SET merchant_id = gen_random_uuid()',
      'wallets',
    ),
  ],
  hide: [
    at('backoffice', 'deletes a verification that has found something', 'DELETE FROM audit_runs', 'audit_runs'),
    at('backoffice', 'deletes acts of people', 'DELETE FROM acts', 'acts'),
  ],
  undo: [
    at(
      'backoffice',
      'asks for a verification in the name of a person',
      'INSERT INTO audit_runs (asked_by) VALUES (gen_random_uuid())',
      'audit_runs',
    ),
    at(
      'backoffice',
      'changes who has asked for one',
      'UPDATE audit_runs SET asked_by = gen_random_uuid()',
      'audit_runs',
    ),
  ],
  read: [
    at('backoffice', 'reads who the people are', 'SELECT sealed_name FROM people', 'people'),
    readsEverything(LOGIN, ['backoffice']),
  ],
};
