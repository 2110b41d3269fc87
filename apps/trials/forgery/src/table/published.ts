/** How far the ledger's facts were published, as a row says that its login may write. */
import { eventually } from '@stablecoin/testing/eventually';
import { refusedBy } from '../judging/expectation';
import { does } from './lines';

/** The relay would publish nothing of what has happened in between. */
export const setsTheRelayForward = does(
  'says that facts were published which were not',
  'at rest',
  refusedBy('the ledger', 'goes back to the last fact on the stream'),
  async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    const far = 1_000_000;
    await copy.as('ledger_app', [`UPDATE relay_checkpoints SET position = position + ${far}`]);
    const ledger = await site.startLedger(copy);
    try {
      await ledger.verdict();
      await eventually('the relay has looked', async () => {
        const rows = await copy.rows(`SELECT FROM relay_checkpoints WHERE position >= ${far}`);
        return rows.length === 0 ? true : undefined;
      });
      return { became: 'refused', by: 'the ledger', error: 'it goes back to the last fact on the stream' };
    } finally {
      await ledger.end();
    }
  },
);
