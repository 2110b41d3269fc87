/** What is owed to live merchants and play money, exchanged for one another in the signed statement of liabilities. */
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { eventually } from '@stablecoin/testing/eventually';
import { type Database, OWNER } from '../ground/databases';
import type { TakenOver } from '../ground/ledger-on-copy';
import type { People } from '../ground/people';
import type { Site } from '../ground/site';
import { type Evidence, foundByVerify } from '../judging/expectation';
import type { Forgery } from './forgery';
import { does, verified } from './lines';
import { forgedDeposit } from './stated';

const STATED_WITHIN = { timeoutMs: 30_000, pollMs: 100 };
const WHAT = {
  playAsOwed: 'counts play money as owed to a live merchant',
  owedAsPlay: "counts a live merchant's money as play money, so that less is owed",
};
const BY_THE_LOG = 'are owed; by the log it is';

/** The live merchant's wallet that money can arrive in over a chain. */
async function liveWallet(ledger: Database, { live }: People): Promise<string> {
  const [wallet] = await ledger.rows<{ id: string }>(
    `SELECT id::text FROM wallets WHERE merchant_id = '${live.merchantId}' AND currency = 'USDT'`,
  );
  if (!wallet) throw new Error('the live merchant has no such wallet');
  return wallet.id;
}

/** A deposit that the chain service has seen: the log goes on. Resolves once the ledger has signed a statement that speaks of it. */
async function depositedAndStated({ bus, people }: Site, ledger: Database, walletId: string): Promise<void> {
  const { merchantId, shard } = people.live;
  const { body, evidence } = forgedDeposit({ merchantId, walletId }, 'chain');
  await bus.call(recordDeposit, body, { user: 'chain', shard, evidence });
  const [head] = await ledger.rows<{ position: string }>(
    `SELECT head_position AS position FROM ledger_shards WHERE shard = ${shard}`,
  );
  await eventually(
    'a statement of the deposit',
    async () => (await ledger.rows(NEWEST_SPEAKS_OF(shard, head?.position ?? ''))).length > 0,
    STATED_WITHIN,
  );
}

const NEWEST_SPEAKS_OF = (shard: number, position: string) => `
  SELECT FROM (SELECT note FROM ledger_liabilities ORDER BY number DESC LIMIT 1) AS newest
  WHERE note LIKE '%' || chr(10) || 'shard ${shard} ${position} %'`;

interface Miscounting {
  taken?: TakenOver;
  /** Runs what is done in between with the tables changed. */
  beneath?: (ledger: Database, people: People, meanwhile: () => Promise<void>) => Promise<void>;
}

const miscounts = (what: string, names: string, { taken, beneath }: Miscounting): Forgery =>
  does(what, 'at rest', foundByVerify(names), async (site): Promise<Evidence> => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    const ledger = await site.startLedger(copy, taken);
    try {
      const refusal = await ledger.verdict();
      if (refusal !== undefined) return { became: 'refused', by: 'the ledger', error: refusal };
      const walletId = await liveWallet(copy, site.people);
      const deposited = () => depositedAndStated(site, copy, walletId);
      // By the first one the live merchant has money; the statement of the second is the one that is wrong.
      await deposited();
      await (beneath ? beneath(copy, site.people, deposited) : deposited());
    } finally {
      await ledger.end();
    }
    return verified(site, copy);
  });

/** While the ledger signs, a wallet is another merchant's in the tables. */
const whileWalletIs =
  (walletOf: (ledger: Database, people: People) => Promise<string>, ownerOf: (people: People) => string) =>
  async (ledger: Database, people: People, meanwhile: () => Promise<void>): Promise<void> => {
    const id = await walletOf(ledger, people);
    const [was] = await ledger.rows<{ merchant_id: string }>(
      `SELECT merchant_id::text FROM wallets WHERE id = '${id}'`,
    );
    const givenTo = (merchant: string | undefined) =>
      `UPDATE wallets SET merchant_id = '${merchant}' WHERE id = '${id}'`;
    await ledger.as(OWNER, [givenTo(ownerOf(people))]);
    await meanwhile();
    await ledger.as(OWNER, [givenTo(was?.merchant_id)]);
  };

/** The owner's: the ledger that runs signs what his tables say. */
export const MISCOUNTED_BENEATH = [
  miscounts(
    `${WHAT.playAsOwed}, by a wallet that is his in the tables while the ledger signs what is owed`,
    `USDT ${BY_THE_LOG}`,
    {
      beneath: whileWalletIs(
        (_, { ada }) => Promise.resolve(ada.walletId),
        ({ live }) => live.merchantId,
      ),
    },
  ),
  miscounts(
    `${WHAT.owedAsPlay}, by a wallet that is a test merchant's in the tables meanwhile`,
    'it does not say that',
    { beneath: whileWalletIs(liveWallet, ({ ada }) => ada.merchantId) },
  ),
] as const;

const inItsProgram = (from: string, to: string): TakenOver => ({
  edits: [{ file: 'libs/ledger-store/src/liabilities/wallet-liabilities.js', from, to }],
});

/** The ledger's, whose program is another one. */
export const MISCOUNTED_ITSELF = [
  // Of the first currency: more than the log knows, or of test merchants nothing.
  miscounts(`${WHAT.playAsOwed}, in the statement that it signs`, 'are owed', {
    taken: inItsProgram("return merchantsOf(modes, 'test');", 'return [];'),
  }),
  miscounts(`${WHAT.owedAsPlay}, in the statement that it signs`, 'it does not say that', {
    taken: inItsProgram("return merchantsOf(modes, 'test');", 'return [...modes.keys()];'),
  }),
] as const;
