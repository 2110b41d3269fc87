/** An older database of the payout service, restored beside the ledger and the broker as they are. */
import type { Database } from '../ground/databases';
import { OWNER } from '../ground/databases';
import type { Site } from '../ground/site';
import { type Evidence, noticedBy, refusedBy } from '../judging/expectation';
import { eventually } from '@stablecoin/testing/eventually';
import { does } from './lines';

const SETTLED_WITHIN = { timeoutMs: 20_000, pollMs: 100 };
const REPLAYED = 'taken once: the stored result, replayed';

/** The services are started on it, and end when it has been looked at. */
async function whileItRuns<Result>(
  site: Site,
  older: Database,
  look: (ledger: Database) => Promise<Result>,
): Promise<Result> {
  const [ledger, customer] = [await site.copies.of('ledger'), await site.copies.of('customer')];
  ledger.isForged = true;
  customer.isForged = true;
  const end: (() => Promise<unknown>)[] = [];
  try {
    const ofLedger = await site.startLedger(ledger);
    end.push(() => ofLedger.end());
    const refusal = await ofLedger.verdict();
    if (refusal !== undefined) throw new Error(`the ledger, of which nothing was changed, says: ${refusal}`);
    const services = [await site.startCustomerService(customer), await site.startPayoutService(older)];
    end.push(...services.map((service) => () => service.kill('SIGTERM')));
    return await look(ledger);
  } finally {
    for (const stop of end.reverse()) await stop();
  }
}

const headOf = async (ledger: Database, shard: number): Promise<string | undefined> => {
  const [head] = await ledger.rows<{ head: string }>(
    `SELECT head_position || ' ' || encode(head_hash, 'hex') AS head FROM ledger_shards WHERE shard = ${shard}`,
  );
  return head?.head;
};

/** Its payout has arrived. The row is as it was before that was sent, and so are the books of the sandbox's rail, which are there too. */
async function sendsAgain(site: Site): Promise<Evidence> {
  const { shard, payoutId } = site.people.ada;
  const older = await site.copies.again('payout', site.backups.payout);
  const { count } = await older.as(OWNER, [
    `DELETE FROM sandbox_rail WHERE reference = (SELECT provider_reference FROM payouts WHERE id = '${payoutId}')`,
    `UPDATE payouts SET state = 'accepted', rail_reference = NULL, attempts = 0, next_step_at = now()
     WHERE id = '${payoutId}' AND state = 'completed'`,
  ]);
  if (count === 0) throw new Error('the payout had not arrived: it is no forgery');
  return whileItRuns(site, older, async (ledger) => {
    const before = await headOf(ledger, shard);
    await eventually(
      'the payout is sent again, and has arrived again',
      async () => (await older.rows(`SELECT FROM payouts WHERE id = '${payoutId}' AND state = 'completed'`)).length > 0,
      SETTLED_WITHIN,
    );
    const after = await headOf(ledger, shard);
    if (after !== before) return { became: 'unseen', what: `the log went on from ${before} to ${after}` };
    return { became: 'refused', by: 'the ledger', error: REPLAYED };
  });
}

export const SENT_AGAIN = does(
  'has an older one of the payout service restored, from when a payout that has arrived was not sent, so that it is paid twice',
  'at rest',
  refusedBy('the ledger', REPLAYED),
  sendsAgain,
);

export const UNKNOWN_PAYOUT = does(
  'has an older one of the payout service restored, which does not know of a payout under way',
  'at rest',
  noticedBy(
    'the merchant',
    'at a look at its payouts: it stays PENDING, its money held, until the facts come again with a new stream',
    'PENDING in the ledger, and no row of the payout service',
  ),
  async (site) => {
    const older = await site.copies.again('payout', site.backups.payout);
    return whileItRuns(site, older, async (ledger): Promise<Evidence> => {
      const { id } = site.payoutSince;
      const [held] = await ledger.rows<{ status: string }>(`SELECT status FROM transactions WHERE id = '${id}'`);
      const rows = await older.rows(`SELECT FROM payouts WHERE id = '${id}'`);
      return {
        became: 'noticed',
        shown: `${held?.status} in the ledger, and ${rows.length || 'no'} row of the payout service`,
      };
    });
  },
);
