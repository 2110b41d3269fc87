/** A person who has a backup of all databases, and can have it restored, changed or as it is. The keys are not in it. */
import { OWNER } from '../ground/databases';
import { foundByVerify, refusedBy } from '../judging/expectation';
import { erasedComesBack } from './erased-customers';
import type { Row } from './forgery';
import { does, readsEverything, sql } from './lines';

const inBackup = (what: string, names: string, statement: string) =>
  sql(what, { login: OWNER, database: 'ledger', statements: [statement] }, foundByVerify(names));

const older = (what: string) =>
  does(what, 'at rest', refusedBy('the ledger', 'is not the event that was signed'), async (site) => {
    const copy = await site.copies.again('ledger', site.backups.ledger);
    const ledger = await site.startLedger(copy);
    try {
      const refusal = await ledger.verdict();
      return refusal === undefined
        ? { became: 'unseen', what: 'the ledger serves an older log' }
        : { became: 'refused', by: 'the ledger', error: refusal };
    } finally {
      await ledger.end();
    }
  });

export const BACKUP_HOLDER: Row = {
  mint: [
    inBackup(
      'adds to balances in it, and has it restored',
      'account_balances',
      'UPDATE account_balances SET balance = balance + 1000000',
    ),
  ],
  move: [
    inBackup(
      'makes another merchant the owner of wallets in it',
      'wallets',
      `UPDATE wallets SET merchant_id = gen_random_uuid() WHERE currency = 'USDT'`,
    ),
  ],
  hide: [older('has an older one restored, from before a payout')],
  undo: [older('has an older one restored, so that money that was paid out is there again'), erasedComesBack],
  read: [readsEverything(OWNER, ['ledger', 'customer', 'payout', 'swap', 'chain'])],
};
