/** swap-pricing, taken over: its user of the bus, and the keys that its program has. */
import { randomUUID } from 'node:crypto';
import { simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { Money } from '@stablecoin/money/money';
import { convert } from '@stablecoin/money/price';
import { successOf } from '@stablecoin/testing/merchant-client';
import type { Site } from '../ground/site';
import { type Evidence, refusedBy } from '../judging/expectation';
import type { Row } from './forgery';
import { calls, does, listens, publishes, refusalOf } from './lines';
import { DREAM, forgedSwap } from './stated';

const asTest = ({ merchantId }: { merchantId: string }) => ({ onBehalfOf: { merchantId, mode: 'test' } });
const NO_CALLER = 'unavailable no_caller';
const STEPS = 80;

/** Posts swap after swap for an accomplice who asks for each. @returns which one the ledger refuses, and with what */
async function untilRefused(
  site: Site,
  steps: number,
  swapAt: (step: number) => ReturnType<typeof forgedSwap>,
): Promise<Evidence> {
  const { mallory } = site.people;
  const asking = { user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) } as const;
  for (let step = 0; step < steps; step += 1) {
    const { body, evidence } = swapAt(step);
    const answer = await refusalOf(site, () => site.bus.call(postSwap, body, { ...asking, evidence }));
    if (answer.became === 'refused') return { ...answer, error: `${answer.error} at step ${step + 1}` };
  }
  return { became: 'unseen', what: `${steps} swaps` };
}

export const SWAP_PRICING: Row = {
  mint: [
    publishes('swap-pricing', 'records a deposit', 'wallet.record-deposit.0'),
    calls(
      "posts 0.01 USDT for 1,000,000,000 with the bus's key alone",
      postSwap,
      ({ mallory }) => ({ user: 'swap-pricing', keysOf: null, shard: mallory.shard, ...forgedSwap(mallory, DREAM) }),
      NO_CALLER,
    ),
    calls(
      'posts it with keys of his own, for a merchant who asks for nothing',
      postSwap,
      ({ mallory }) => ({ user: 'swap-pricing', shard: mallory.shard, ...forgedSwap(mallory, DREAM) }),
      'unavailable wrong_proof',
    ),
    calls(
      'posts it for an accomplice who is just asking for a swap',
      postSwap,
      ({ mallory }) => ({
        ...{ user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) },
        ...forgedSwap(mallory, DREAM),
      }),
      'quote_mismatch',
    ),
    calls(
      'posts it for an accomplice in a pair that was not swapped before',
      postSwap,
      ({ mallory }) => ({
        ...{ user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) },
        ...forgedSwap(mallory, { ...DREAM, from_currency: 'NGN', to_currency: 'USDT' }),
      }),
      'quote_mismatch',
    ),
    does(
      'walks a price up by a fifth with each small swap of an accomplice',
      'running',
      refusedBy('the ledger', 'quote_mismatch at step 3'),
      async (site) => {
        const { mallory } = site.people;
        await successOf(mallory.client.post('/wallets', { customer_id: mallory.customerId, currency: 'USD' }));
        return untilRefused(site, STEPS, (step) => {
          const price = (1.19 ** step).toFixed(6);
          const to_amount = convert(Money.parse('USDT', '1'), price, 'USD', 'currency').toString();
          return forgedSwap(mallory, { from_amount: '1', to_amount, price, to_currency: 'USD' });
        });
      },
    ),
    does(
      'swaps there and back for an accomplice, a tenth dearer each time: the house loses 100,000 dollars an hour, and no more',
      'running',
      refusedBy('the ledger', 'quote_mismatch at step'),
      async (site) => {
        const { mallory } = site.people;
        const owner = { customer_id: mallory.customerId };
        for (const currency of ['EUR', 'GBP']) await successOf(mallory.client.post('/wallets', { ...owner, currency }));
        await successOf(mallory.client.post('/sandbox/deposits', { wallet_id: mallory.walletId, amount: '10000' }));
        const [there, back] = [(1.1 * 1.08) / 1.27, (1.1 * 1.27) / 1.08];
        const ways = [
          { from_currency: 'EUR', to_currency: 'GBP', price: there.toFixed(6) },
          { from_currency: 'GBP', to_currency: 'EUR', price: back.toFixed(6) },
        ] as const;
        let amount = Money.parse('EUR', '900');
        const [first] = [
          forgedSwap(mallory, { from_amount: '1000', to_amount: '900', price: '0.9', to_currency: 'EUR' }),
        ];
        const asking = { user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) } as const;
        await site.bus.call(postSwap, first.body, { ...asking, evidence: first.evidence });
        return untilRefused(site, STEPS, (step) => {
          const way = ways[step % 2 === 0 ? 0 : 1];
          const from_amount = amount.toString();
          amount = convert(amount, way.price, way.to_currency, 'currency');
          return forgedSwap(mallory, { ...way, from_amount, to_amount: amount.toString() });
        });
      },
    ),
    does(
      'makes two swaps of one request of an accomplice',
      'running',
      refusedBy('the ledger', 'unavailable wrong_proof'),
      async (site) => {
        const { mallory } = site.people;
        const terms = { from_amount: '1', to_amount: '1500', price: '1500' };
        const [first, second] = [forgedSwap(mallory, terms), forgedSwap(mallory, terms)];
        const deadline = Date.now() + 5_000;
        const asking = { user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory), deadline } as const;
        const asked = { operation: executeSwap, body: { ...first.body, amount: '1', quote_id: null } };
        await site.bus.call(postSwap, first.body, { ...asking, asked, evidence: first.evidence });
        return refusalOf(site, () =>
          site.bus.call(postSwap, second.body, { ...asking, asked, evidence: second.evidence }),
        );
      },
    ),
    calls(
      'posts amounts that the signed price does not give',
      postSwap,
      ({ mallory }) => ({
        ...{ user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) },
        ...forgedSwap(mallory, { ...DREAM, price: '1500' }),
      }),
      'quote_mismatch',
    ),
    calls(
      'changes a term that was signed',
      postSwap,
      ({ mallory }) => {
        const { body, evidence } = forgedSwap(mallory, { from_amount: '1', to_amount: '1500', price: '1500' });
        const asking = { user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) } as const;
        return { ...asking, body: { ...body, to_amount: '150000' }, evidence };
      },
      'unavailable wrong_evidence',
    ),
    calls(
      'posts a quote under another command, so that it would be used twice',
      postSwap,
      ({ mallory }) => {
        const { body, evidence } = forgedSwap(mallory, { from_amount: '1', to_amount: '1500', price: '1500' });
        const asking = { user: 'swap-pricing', shard: mallory.shard, ...asTest(mallory) } as const;
        return { ...asking, body: { ...body, command_id: randomUUID() }, evidence };
      },
      'unavailable wrong_evidence',
    ),
    calls(
      "posts a quote that another service's key has signed",
      postSwap,
      ({ mallory }) => ({
        ...{ user: 'swap-pricing', shard: mallory.shard, signedBy: 'payout', ...asTest(mallory) },
        ...forgedSwap(mallory, { from_amount: '1', to_amount: '1500', price: '1500' }),
      }),
      'unavailable wrong_evidence',
    ),
  ],
  move: [
    publishes('swap-pricing', "lifts a merchant's limits", 'wallet.change-policy.0'),
    publishes('swap-pricing', 'holds a payout', 'wallet.hold-payout.0'),
    calls(
      "swaps another merchant's money while his accomplice asks",
      postSwap,
      ({ ada, mallory }) => ({
        ...{ user: 'swap-pricing', shard: ada.shard, ...asTest(mallory) },
        ...forgedSwap(ada, { from_amount: '1', to_amount: '1500', price: '1500' }),
      }),
      'unavailable wrong_proof',
    ),
    calls(
      'swaps another amount than a merchant has just asked for',
      postSwap,
      ({ ada }) => {
        const swap = forgedSwap(ada, { from_amount: '100', to_amount: '150000', price: '1500' });
        const asked = { operation: executeSwap, body: { ...swap.body, amount: '1' } };
        return { user: 'swap-pricing', shard: ada.shard, ...asTest(ada), asked, ...swap };
      },
      'unavailable wrong_proof',
    ),
    calls(
      'swaps the money of a merchant who is just paying out',
      postSwap,
      ({ ada }) => ({
        ...{ user: 'swap-pricing', shard: ada.shard, ...asTest(ada) },
        ...{ asked: { operation: simulatePayoutOutcome, body: {} } },
        ...forgedSwap(ada, { from_amount: '1', to_amount: '1500', price: '1500' }),
      }),
      'unavailable wrong_proof',
    ),
    listens('swap-pricing', "answers in the customer service's place who owns a wallet", 'customer.find-owner'),
  ],
  hide: [
    publishes('swap-pricing', 'closes the account of a customer', 'wallet.close-customer-account.0'),
    publishes('swap-pricing', 'tells of a swap that never was', 'ledger.0.swap-settled'),
  ],
  undo: [
    publishes('swap-pricing', 'reverses a deposit', 'wallet.reverse-deposit.0'),
    publishes('swap-pricing', 'reverses a payout', 'wallet.resolve-payout.0'),
  ],
  read: [
    publishes('swap-pricing', 'reads transactions', 'wallet.list-transactions'),
    publishes('swap-pricing', 'asks who is behind a key', 'customer.resolve-api-key'),
  ],
};
