/** The login of the runner beside the auditor: it states how a verification goes that was asked for at the console, and nothing else. */
import { OWNER } from '../ground/databases';
import { noticedBy, refusedBy } from '../judging/expectation';
import { MEMBER } from './database-roles';
import type { Row } from './forgery';
import { does, readsEverything, sql, verified } from './lines';
import { actsAsTheOwner } from './owners-functions';

const LOGIN = 'backoffice_audit_runner';
const may = (table: string) => refusedBy('Postgres', `permission denied for table ${table}`);
const at = (database: 'ledger' | 'backoffice', what: string, statement: string, table: string) =>
  sql(what, { login: LOGIN, database, statements: [statement] }, may(table));

/** As the owner has forged what is to be hidden, and a person has asked for a verification. */
const statesAFalseVerdict = does(
  'states of a verification that was asked for that it found nothing, and the console shows that',
  'at rest',
  noticedBy('an auditor', 'when audit verify is run by hand', 'account_balances'),
  async (site) => {
    const people = await site.copies.of('backoffice');
    const ledger = await site.copies.of('ledger');
    [people.isForged, ledger.isForged] = [true, true];
    await ledger.as(OWNER, ['UPDATE account_balances SET balance = balance + 1000000']);
    await people.as(OWNER, [MEMBER, 'INSERT INTO audit_runs (asked_by) SELECT id FROM members LIMIT 1']);
    const { count } = await people.as(LOGIN, [
      `UPDATE audit_runs SET state = 'running', runner = gen_random_uuid(), began_at = now(), alive_at = now() WHERE state = 'asked'`,
      `UPDATE audit_runs SET state = 'sound', ended_at = now(),
         report = '{"ok":true,"events":1,"seconds":1,"findings":[],"what_to_do":[]}' WHERE state = 'running'`,
    ]);
    if (count !== 1) throw new Error('no verification was asked for: it is no forgery');
    const evidence = await verified(site, ledger);
    return evidence.became === 'found' ? { became: 'noticed', shown: evidence.report } : evidence;
  },
);

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
    statesAFalseVerdict,
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
