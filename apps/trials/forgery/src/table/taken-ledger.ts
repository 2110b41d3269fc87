/**
 * The ledger itself, taken over: its program does what the forger wants, and signs it with its own key. He has its user of the bus
 * and its login. He starts it on the database with other settings: it takes keys of his for those of the services, and bounds no
 * price.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import type { Database } from '../ground/databases';
import type { TakenOver } from '../ground/ledger-on-copy';
import type { Site } from '../ground/site';
import { type Evidence, type Expectation, foundByVerify, noticedBy, refusedBy } from '../judging/expectation';
import type { Forgery, Row } from './forgery';
import { does, publishes, verified } from './lines';
import { destinationInTheLog, opensNothing } from './sealed-destination';
import { forgedDeposit, forgedHold, forgedSettlement, forgedSwap } from './stated';

const DAY_MS = 24 * 3_600_000;
const BOUNDS_NO_PRICE = { SWAP_PRICE_BAND: '0', SWAP_BOOK_BAND: '0', SWAP_LOSS_PER_HOUR: '0' };
/** A price at which only the house loses. */
const DEAR = { from_amount: '1', to_amount: '1000000', price: '1000000' };
const NO_KEY = 'is signed by none of its keys';

const asTest = ({ merchantId }: { merchantId: string }) => ({ onBehalfOf: { merchantId, mode: 'test' } });

interface Taken {
  taken?: (site: Site) => TakenOver;
  /** What the auditor is given beside the log. */
  flags?: (site: Site) => readonly string[];
}

/** The ledger does it and signs it; then the auditor looks. */
const doesItself = (
  what: string,
  expected: Expectation,
  forge: (site: Site, copy: Database) => Promise<unknown>,
  { taken = ({ forgersKeys }) => ({ settings: forgersKeys }), flags = () => [] }: Taken = {},
): Forgery =>
  does(what, 'at rest', expected, async (site): Promise<Evidence> => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    const ledger = await site.startLedger(copy, taken(site));
    let shown: unknown;
    try {
      await ledger.verdict();
      shown = await forge(site, copy);
      const refusal = await ledger.verdict();
      if (refusal !== undefined) return { became: 'refused', by: 'the ledger', error: refusal };
    } finally {
      await ledger.end();
    }
    if (expected.becomes === 'noticed') return { became: 'noticed', shown: String(shown) };
    return verified(site, copy, flags(site));
  });

/** As it is in the database that was left, in a file as an auditor keeps one. */
async function withKeptCheckpoint<Result>(
  { databases, people: { ada } }: Site,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const [newest] = await databases.ledger.rows<{ note: string }>(
    `SELECT note FROM ledger_checkpoints WHERE shard = ${ada.shard} ORDER BY tree_size DESC LIMIT 1`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  try {
    writeFileSync(join(folder, 'checkpoint'), newest?.note ?? '');
    return await use(join(folder, 'checkpoint'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const TAKEN_LEDGER: Row = {
  mint: [
    doesItself(
      'records a deposit of which no service states anything',
      foundByVerify('names no service that asked for it'),
      ({ forgersBus, people: { mallory } }) => {
        const { body } = forgedDeposit(mallory, 'chain');
        return forgersBus.call(recordDeposit, body, { user: 'chain', keysOf: null, shard: mallory.shard });
      },
      { taken: () => ({ settings: { COMMANDS_ACCEPTED_UNSIGNED: 'true' } }) },
    ),
    doesItself(
      'records a deposit that it states itself, in the name of the chain service',
      foundByVerify(NO_KEY),
      ({ forgersBus, people: { mallory } }) =>
        forgersBus.call(recordDeposit, ...withEvidence('chain', mallory.shard, forgedDeposit(mallory, 'chain'))),
    ),
    doesItself(
      'posts a swap at a price that it states itself',
      foundByVerify(NO_KEY),
      ({ forgersBus, people: { mallory } }) => forgersBus.call(postSwap, ...dearSwap(mallory)),
      { taken: ({ forgersKeys }) => ({ settings: { ...forgersKeys, ...BOUNDS_NO_PRICE } }) },
    ),
    doesItself(
      'posts a swap at any price that swap-pricing, taken over as well, has signed',
      foundByVerify('is beyond what bounds it', 'with --swap-prices-since'),
      ({ bus, people: { mallory } }) => bus.call(postSwap, ...dearSwap(mallory)),
      {
        taken: () => ({ settings: BOUNDS_NO_PRICE }),
        flags: () => ['--swap-prices-since', new Date(Date.now() - DAY_MS).toISOString()],
      },
    ),
    publishes('wallet-ledger', 'orders a transfer of the chain service', 'chain.submit-transfer'),
  ],
  move: [
    doesItself(
      "holds a payout of another's money in the gateway's name",
      noticedBy(
        'the merchant',
        'at the next look at the wallet or the transactions; no signature but the ledger’s is on what the gateway asks',
        'PENDING',
      ),
      async ({ forgersBus, people: { ada } }, copy) => {
        const asking = { user: 'gateway', shard: ada.shard, ...asTest(ada) } as const;
        const { result } = await forgersBus.call(holdPayout, forgedHold(ada), asking);
        const rows = await copy.rows<{ status: string }>(`SELECT status FROM transactions WHERE id = '${result.id}'`);
        return `its payout ${result.id} is ${rows[0]?.status}`;
      },
    ),
    publishes(
      'wallet-ledger',
      "tells the payout service of no payout, but of a merchant's key",
      'customer.api-key-changed',
    ),
  ],
  hide: [
    does(
      'goes on from an older log, from before a payout, and signs that',
      'at rest',
      foundByVerify('missing: the log ends at', 'with --checkpoint or --witness, what is kept elsewhere'),
      async (site) => {
        const copy = await site.copies.again('ledger', site.backups.ledger);
        const ledger = await site.startLedger(copy, { isForgetful: true });
        try {
          const refusal = await ledger.verdict();
          if (refusal !== undefined) return { became: 'refused', by: 'the ledger', error: refusal };
        } finally {
          await ledger.end();
        }
        return withKeptCheckpoint(site, (file) => verified(site, copy, ['--checkpoint', file]));
      },
    ),
  ],
  undo: [
    doesItself('has a payout returned that has arrived', foundByVerify(NO_KEY), ({ forgersBus, people: { ada } }) =>
      forgersBus.call(resolvePayout, ...withEvidence('payout', ada.shard, forgedSettlement(ada, 'REVERSED'))),
    ),
    doesItself(
      'says that a payout has arrived which the screening holds',
      foundByVerify(NO_KEY),
      ({ forgersBus, people: { ada, held } }) => {
        const forged = forgedSettlement({ ...ada, payoutId: held.payoutId }, 'COMPLETED');
        return forgersBus.call(resolvePayout, ...withEvidence('payout', ada.shard, forged));
      },
    ),
  ],
  read: [
    does(
      'opens a destination that it finds in the log, with every key that its process has',
      'at rest',
      refusedBy('encryption', 'opens nothing'),
      async (site) => {
        const { customer_id, sealed } = await destinationInTheLog(site);
        return opensNothing({ customer_id, sealed, texts: Object.values(site.ledgerEnvironment) });
      },
    ),
    publishes('wallet-ledger', 'has the customer service open it', 'customer.open-sealed'),
    publishes('wallet-ledger', 'asks who is behind a customer', 'customer.find-owner'),
  ],
};

function withEvidence<Body, Stated>(
  user: 'chain' | 'payout',
  shard: number,
  { body, evidence }: { body: Body; evidence: Stated },
) {
  return [body, { user, shard, evidence }] as const;
}

function dearSwap(mallory: Site['people']['mallory']) {
  const { body, evidence } = forgedSwap(mallory, { ...DEAR, swap_id: randomUUID() });
  return [body, { user: 'swap-pricing', shard: mallory.shard, evidence, ...asTest(mallory) }] as const;
}
