/**
 * The ledger itself, taken over: its program does what the forger wants, and signs it with its own key. He has its user of the bus
 * and its login. He starts it on the database with other settings: it takes keys of his for those of the services, and bounds no
 * price.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changePolicy } from '@stablecoin/contracts/wallet/change-policy';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { endPayoutWait } from '@stablecoin/contracts/wallet/end-payout-wait';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import type { Signer } from '@stablecoin/ledger-domain/events';
import type { Database } from '../ground/databases';
import type { TakenOver } from '../ground/ledger-on-copy';
import type { Site } from '../ground/site';
import type { WaitingPayout, WatchedMerchant } from '../ground/watched-merchant';
import { type Evidence, type Expectation, foundByVerify, noticedBy, refusedBy } from '../judging/expectation';
import type { Forgery, Row } from './forgery';
import { keepsAPolicyBack } from './kept-back';
import { does, publishes, verified } from './lines';
import { MISCOUNTED_ITSELF } from './miscounted';
import { destinationInTheLog, opensNothing } from './sealed-destination';
import {
  forgedDeposit,
  forgedHold,
  forgedPolicy,
  forgedSettlement,
  forgedSwap,
  inventedTransfer,
  NO_TRANSFER,
} from './stated';

const inDecider = (from: string, to = '') => ({ file: 'libs/ledger-domain/src/decide.js', from, to });
const ofEvidence = (from: string, to = '') => ({
  file: 'apps/wallet-ledger/src/callers/command-evidence.js',
  from,
  to,
});

/** Its program ends a wait whenever it is asked to. */
const ENDS_EACH_WAIT = inDecider("refuseIf(!isOver, 'invalid_transition');");
/** Its program does not ask who has created a payout. */
const APPROVES_OWN = inDecider(
  "refuseIf(created_by?.key_id === key_id || created_by?.signer_id === signer_id, 'approver_not_allowed');",
);
/** Its program judges no payout by its merchant's policy. */
const JUDGES_NOTHING = inDecider(
  'const judgement = (0, _payoutpolicy.judgedByPolicy)(command, amount, ledger, context.now);',
  'const judgement = undefined;',
);
/** Its program has a payout look like money that goes from one wallet to another. */
const CALLS_IT_A_TRANSFER = inDecider("transaction_type: 'PAYOUT',", "transaction_type: 'INTERNAL TRANSFER',");
/** Its program does not ask what a customer has. */
const CLOSES_EACH_CUSTOMER = inDecider("refuseIf(notEmpty, 'customer_not_empty');");
/** Its program takes a quote under any command. */
const TAKES_QUOTES_AGAIN = ofEvidence(
  'if (quote && command_id !== (0, _derivedcommand.derivedUuid)((0, _postswap.postSwapCommandName)(swap_id))) throw',
  'if (false) throw',
);
/** Its program takes the end of a deposit from each rail. */
const ENDS_DEPOSITS_OF_OTHERS = ofEvidence("if (!isItsRecorder) throw this.refused(subject, 'not_a_caller');");
/** Its program does not ask when a policy was stated. */
const TAKES_POLICIES_LATE = ofEvidence('|| !isOfNow) throw', ') throw');
/** Its program does not ask whether the number that was stated is the next one. */
const TAKES_POLICIES_OUT_OF_TURN = inDecider(
  "refuseIf((command.stated_version ?? policy_version) !== policy_version, 'invalid_transition');",
);
/** Its program takes money of a chain that came by no transfer. */
const ASKS_FOR_NO_TRANSFER = ofEvidence(
  "if (deposit?.rail === 'chain' && !((0, _evidence.isOfOneTransfer)(deposit) && nameOf(deposit))) throw",
  'if (false) throw',
);
/** Its program lets live merchants pay out of whom no operator has said how much. */
const ASKS_NO_POLICY = {
  file: 'libs/ledger-domain/src/payout-policy.js',
  from: 'if (command.is_live) throw',
  to: 'if (false) throw',
};
const DAY_MS = 24 * 3_600_000;
const BOUNDS_NO_PRICE = { SWAP_PRICE_BAND: '0', SWAP_BOOK_BAND: '0', SWAP_LOSS_PER_HOUR: '0' };
/** A price at which only the house loses. */
const DEAR = { from_amount: '1', to_amount: '1000000', price: '1000000' };
const NO_KEY = 'is signed by none of its keys';

/** Of all payouts of this merchant's that are of more than 1 USD, one has to be approved. */
const holdsAnother = ({ bus, waiting: { merchant } }: Site) => {
  const body = { ...forgedHold({ ...merchant, customerId: '' }), customer_id: null, currency: 'USD' as const };
  return bus.call(holdPayout, body, { user: 'gateway', shard: merchant.shard, ...asTest(merchant) });
};

const asTest = ({ merchantId }: { merchantId: string }) => ({ onBehalfOf: { merchantId, mode: 'test' } });

const HASH = '0'.repeat(64);
const about = ({ merchantId }: WatchedMerchant, { id }: WaitingPayout) => ({
  ...{ merchant_id: merchantId, transaction: id, command_id: randomUUID(), input_hash: HASH },
});

function approvalBy(signer: Signer, merchant: WatchedMerchant, payout: WaitingPayout) {
  const body = { ...about(merchant, payout), approval_hash: payout.approval_hash, signer };
  return [approvePayout, body, { user: 'gateway', shard: merchant.shard, ...asTest(merchant) }] as const;
}

/** What a merchant finds who looks at who has approved a payout. */
async function approverOf(ledger: Database, customer: Database, payoutId: string): Promise<string> {
  const [approved] = await ledger.rows<{ key: string }>(
    `SELECT jsonb_path_query_first(body::jsonb, '$.**.signer.key_id') #>> '{}' AS key FROM ledger_events
     WHERE body LIKE '%"PayoutApproved"%${payoutId}%' OR body LIKE '%${payoutId}%"PayoutApproved"%'`,
  );
  if (!approved) throw new Error('the log has no approval: it is no forgery');
  const keys = await customer.rows(`SELECT FROM api_keys WHERE id = '${approved.key}'`);
  return keys.length > 0 ? approved.key : 'approved by a key that the customer service does not know';
}

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

/** By a ledger that remembers nothing: a changed one, or one of another machine. */
export function goesOnFromOlder(what: string): Forgery {
  const found = foundByVerify('missing: the log ends at', 'with --checkpoint or --witness, what is kept elsewhere');
  return does(what, 'at rest', found, async (site) => {
    const copy = await site.copies.again('ledger', site.backups.ledger);
    const ledger = await site.startLedger(copy, { isForgetful: true });
    try {
      const refusal = await ledger.verdict();
      if (refusal !== undefined) return { became: 'refused', by: 'the ledger', error: refusal };
    } finally {
      await ledger.end();
    }
    return withKeptCheckpoint(site, (file) => verified(site, copy, ['--checkpoint', file]));
  });
}

const aDayAgo = () => new Date(Date.now() - DAY_MS).toISOString();

/** That its policy is to have; an operator may have set one before. */
async function nextVersion(copy: Database, { merchantId }: Pick<WatchedMerchant, 'merchantId'>): Promise<number> {
  const [row] = await copy.rows<{ policy_version: number }>(
    `SELECT policy_version FROM payout_policies WHERE merchant_id = '${merchantId}'`,
  );
  return (row?.policy_version ?? 0) + 1;
}

/** An operator has stated it; when, and as which one, is what the ledger passes over. */
const POLICIES_OUT_OF_TURN = [
  doesItself(
    'takes a policy that an operator has stated long before, and that was kept back',
    foundByVerify('minutes later'),
    async ({ bus, people: { mallory } }, copy) => {
      const { body, evidence } = forgedPolicy(mallory);
      const stated = { policy_version: await nextVersion(copy, mallory), stated_at: aDayAgo() };
      return bus.call(changePolicy, body, {
        user: 'operator',
        shard: mallory.shard,
        evidence: { ...evidence, ...stated },
      });
    },
    { taken: () => ({ edits: [TAKES_POLICIES_LATE] }) },
  ),
  doesItself(
    'takes a policy behind another one that it has kept back',
    foundByVerify('what was stated in between was not taken'),
    async ({ bus, people: { mallory } }, copy) => {
      const { body, evidence } = forgedPolicy(mallory);
      const policy_version = (await nextVersion(copy, mallory)) + 1;
      const asking = { user: 'operator', shard: mallory.shard } as const;
      return bus.call(changePolicy, body, { ...asking, evidence: { ...evidence, policy_version } });
    },
    { taken: () => ({ edits: [TAKES_POLICIES_OUT_OF_TURN] }) },
  ),
  keepsAPolicyBack("takes no policy that the operators' record names as stated"),
] as const;

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
    doesItself(
      'posts a swap once more by a quote that swap-pricing has signed for one',
      foundByVerify('uses the quote of swap'),
      async ({ bus, people: { mallory } }) => {
        const [body, asking] = dearSwap(mallory);
        await bus.call(postSwap, body, asking);
        return bus.call(postSwap, { ...body, command_id: randomUUID() }, asking);
      },
      { taken: () => ({ settings: BOUNDS_NO_PRICE, edits: [TAKES_QUOTES_AGAIN] }) },
    ),
    doesItself(
      'credits one transfer of a chain twice, as the chain service, taken over as well, has stated it twice',
      foundByVerify('credits transfer trc20'),
      async ({ bus, people: { mallory } }) => {
        const asking = { user: 'chain', shard: mallory.shard } as const;
        const transfer = inventedTransfer();
        const deposit = () => forgedDeposit(mallory, 'chain', transfer);
        for (const { body, evidence } of [deposit(), deposit()])
          await bus.call(recordDeposit, body, { ...asking, evidence });
      },
      { taken: () => ({}) },
    ),
    doesItself(
      'takes a deposit of a chain that names no network for one that a bank has brought, where solvency does not look',
      foundByVerify('and no transfer that it came by'),
      ({ bus, people: { live } }) =>
        bus.call(recordDeposit, ...withEvidence('chain', live.shard, forgedDeposit(live, 'chain', NO_TRANSFER))),
      { taken: () => ({ edits: [ASKS_FOR_NO_TRANSFER] }) },
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
    doesItself(
      'lets a payout go that waits for an approval, without one',
      foundByVerify('lets a payout go without its approvals'),
      ({ bus, waiting: { merchant, payout } }) =>
        bus.call(endPayoutWait, about(merchant, payout), { user: 'payout', shard: merchant.shard }),
      { taken: () => ({ edits: [ENDS_EACH_WAIT] }) },
    ),
    doesItself(
      'lets it go by an approval that it makes up, in the name of a key that no merchant has',
      noticedBy(
        'the merchant',
        'at once, by the payout that is under way; the approval names a key that it does not have',
        'approved by a key that the customer service does not know',
      ),
      async ({ forgersBus, databases, waiting: { merchant, payout } }, copy) => {
        await forgersBus.call(...approvalBy({ key_id: randomUUID(), signer_id: randomUUID() }, merchant, payout));
        return approverOf(copy, databases.customer, payout.id);
      },
    ),
    doesItself(
      'lets it go by an approval of the key that created it',
      foundByVerify('approves a payout of its own signer'),
      async ({ forgersBus, waiting: { merchant, payout } }, copy) => {
        const [created] = await copy.rows<{ by: Signer }>(
          `SELECT jsonb_path_query_first(body::jsonb, '$.**.created_by') AS by FROM ledger_events
           WHERE body LIKE '%"PolicyApplied"%${payout.id}%' OR body LIKE '%${payout.id}%"PolicyApplied"%'`,
        );
        if (!created) throw new Error('the log does not say who created it');
        return forgersBus.call(...approvalBy(created.by, merchant, payout));
      },
      { taken: ({ forgersKeys }) => ({ settings: forgersKeys, edits: [APPROVES_OWN] }) },
    ),
    doesItself(
      'holds a payout that has to be approved, and asks no policy',
      foundByVerify("is a payout that its merchant's policy never judged"),
      holdsAnother,
      { taken: () => ({ edits: [JUDGES_NOTHING] }) },
    ),
    doesItself(
      'holds a payout under the name of a transfer between wallets, which no policy is for',
      foundByVerify('a payout-accepted opens no INTERNAL TRANSFER'),
      ({ bus, people: { ada } }) =>
        bus.call(holdPayout, forgedHold(ada), { user: 'gateway', shard: ada.shard, ...asTest(ada) }),
      { taken: () => ({ edits: [CALLS_IT_A_TRANSFER] }) },
    ),
    doesItself(
      'holds a payout of a live merchant of whom no operator has stated a policy',
      foundByVerify('is a payout of a live merchant of whom there is no policy'),
      async ({ bus, people: { live } }, copy) => {
        const [wallet] = await copy.rows<{ id: string }>(
          `SELECT id FROM wallets WHERE customer_id = '${live.customerId}' AND currency = 'USDT'`,
        );
        const funding = forgedDeposit({ ...live, walletId: wallet?.id ?? '' }, 'chain');
        await bus.call(recordDeposit, ...withEvidence('chain', live.shard, funding));
        const onBehalfOf = { merchantId: live.merchantId, mode: 'live' };
        return bus.call(holdPayout, forgedHold(live), { user: 'gateway', shard: live.shard, onBehalfOf });
      },
      { taken: () => ({ edits: [ASKS_NO_POLICY] }) },
    ),
    ...POLICIES_OUT_OF_TURN,
    publishes(
      'wallet-ledger',
      "tells the payout service of no payout, but of a merchant's key",
      'customer.api-key-changed',
    ),
  ],
  hide: [
    goesOnFromOlder('goes on from an older log, from before a payout, and signs that'),
    ...MISCOUNTED_ITSELF,
    doesItself(
      'closes the account of a customer who has money',
      foundByVerify('closes a customer who has money'),
      ({ bus, people: { mallory } }) => {
        const { merchantId: merchant_id, customerId: customer_id, shard } = mallory;
        const body = { merchant_id, customer_id, command_id: randomUUID(), input_hash: HASH };
        return bus.call(closeCustomerAccount, body, { user: 'customer', shard });
      },
      { taken: () => ({ edits: [CLOSES_EACH_CUSTOMER] }) },
    ),
  ],
  undo: [
    doesItself(
      'has payout, taken over as well, end a deposit that the chain service has recorded',
      foundByVerify('payout ends deposit'),
      async ({ bus, people: { ada } }) => {
        const { merchantId: merchant_id, shard } = ada;
        const { body, evidence } = forgedDeposit(ada, 'chain');
        const pending = [
          { ...body, confirmed: false },
          { ...evidence, confirmed: false },
        ] as const;
        const { result } = await bus.call(recordDeposit, pending[0], { user: 'chain', shard, evidence: pending[1] });
        const about = { merchant_id, id: result.id, command_id: randomUUID() };
        const stated = { type: 'deposit-end', rail: 'sandbox', to: 'FAILED', ...about } as const;
        return bus.call(failDeposit, { ...about, input_hash: HASH }, { user: 'payout', shard, evidence: stated });
      },
      { taken: () => ({ edits: [ENDS_DEPOSITS_OF_OTHERS] }) },
    ),
    doesItself(
      'has a payout returned that has arrived',
      foundByVerify(NO_KEY),
      ({ forgersBus, people: { ada }, arrivedSince }) => {
        const forged = forgedSettlement({ ...ada, payoutId: arrivedSince.id }, 'REVERSED');
        return forgersBus.call(resolvePayout, ...withEvidence('payout', ada.shard, forged));
      },
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
