/** Payouts and swaps that the backoffice asks for although no person has ordered them. */
import { randomUUID } from 'node:crypto';
import type { PayoutOrderEvidence, SwapOrderEvidence } from '@stablecoin/command-proofs/evidence';
import type { PayoutOrder, SwapOrder } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import type { Person } from '../ground/people';
import type { Site } from '../ground/site';
import { noticedBy, refusedBy } from '../judging/expectation';
import { does, refusalOf } from './lines';
import { forgedHold } from './stated';

const SOON_MS = 60_000;
const device = SoftwareDevice.at('https://console.example');
const asTest = ({ merchantId }: Person) => ({ onBehalfOf: { merchantId, mode: 'test' } });
const soon = () => new Date(Date.now() + SOON_MS).toISOString();

/** A payout, and the order that a person would have signed for it. */
function payoutOf(person: Person) {
  const signer = { key_id: randomUUID(), signer_id: randomUUID() };
  const hold = { ...forgedHold(person), key_mode: 'test' as const, signer, destination_hash: 'ab'.repeat(32) };
  const { merchant_id, customer_id, command_id, currency, exchange_rate, recipient_currency } = hold;
  const order: PayoutOrder = {
    ...{ type: 'payout-order', merchant_id, customer_id, mode: 'test', ...signer, command_id, valid_until: soon() },
    ...{ currency, amount: '5.00000000', fee: null, exchange_rate, recipient_currency, network: null, bank_code: null },
    ...{ sealed_destination: hold.sealed_destination, destination_hash: hold.destination_hash },
  };
  return { hold, order };
}

const holds = (
  { bus, people: { ada } }: Site,
  hold: ReturnType<typeof payoutOf>['hold'],
  evidence?: PayoutOrderEvidence,
) =>
  bus.call(holdPayout, hold, { user: 'backoffice', shard: ada.shard, ...asTest(ada), ...(evidence && { evidence }) });

export const holdsWithoutOrder = does(
  'holds a payout that no person has ordered',
  'running',
  refusedBy('the ledger', 'unavailable no_evidence'),
  (site) => refusalOf(site, () => holds(site, payoutOf(site.people.ada).hold)),
);

export const holdsByAnotherOrder = does(
  "holds a payout by what a person's passkey has signed for a smaller one",
  'running',
  refusedBy('the ledger', 'unavailable wrong_evidence'),
  (site) => {
    const { hold, order } = payoutOf(site.people.ada);
    const signed = device.signs(orderHash({ ...order, amount: '1.00000000' }));
    return refusalOf(site, () => holds(site, hold, { ...order, ...signed }));
  },
);

export const holdsForAnotherDestination = does(
  'sends what a person has ordered to another destination',
  'running',
  refusedBy('the ledger', 'unavailable wrong_evidence'),
  (site) => {
    const { hold, order } = payoutOf(site.people.ada);
    const ordered = { ...order, ...device.signs(orderHash(order)) };
    return refusalOf(site, () => holds(site, { ...hold, sealed_destination: 'h1.elsewhere' }, ordered));
  },
);

export const holdsByItsOwnPasskey = does(
  'holds a payout by a passkey that it has made itself',
  'running',
  noticedBy(
    'the merchant',
    'at the next look at its transactions; the log has the public key, of no passkey that a person has',
    'PENDING',
  ),
  async (site) => {
    const { ada } = site.people;
    const { hold, order } = payoutOf(ada);
    const { result } = await holds(site, hold, { ...order, ...device.signs(orderHash(order)) });
    const path = `/customers/transactions/by_txid/${result.transaction_id}`;
    const { status } = await dataOf(ada.client.get<{ status: string }>(path));
    return { became: 'noticed', shown: status };
  },
);

interface Quote {
  data: { id: string; from_amount: string; to_amount: string; quoted_price: string };
}

/** A swap of a quote, as the backoffice asks swap-pricing for it. @param priced what the person would have signed */
async function swaps({ bus, people: { ada } }: Site, priced?: Partial<SwapOrder>) {
  const { merchantId: merchant_id, customerId: customer_id, shard } = ada;
  const pair = { from_currency: 'USDT', to_currency: 'NGN' } as const;
  const { data: quote } = await dataOf(ada.client.post<Quote>('/instant-swaps', { ...pair, customer_id, amount: '1' }));
  const [command_id, signer] = [randomUUID(), { key_id: randomUUID(), signer_id: randomUUID() }];
  const order: SwapOrder = {
    ...{ type: 'swap-order', merchant_id, customer_id, mode: 'test', ...signer, command_id, valid_until: soon() },
    ...{ swap_id: quote.id, ...pair, from_amount: quote.from_amount, to_amount: quote.to_amount },
    price: quote.quoted_price,
  };
  const ordered: SwapOrderEvidence = { ...order, ...device.signs(orderHash({ ...order, ...priced })) };
  const asked = { merchant_id, customer_id, ...pair, amount: '1', quote_id: quote.id, shard, command_id };
  const signed_order = priced && bus.signedBy('backoffice')(ordered);
  const command = { ...asked, input_hash: '0'.repeat(64), ...(signed_order && { signed_order }) };
  return bus.call(executeSwap, command, { user: 'backoffice', ...asTest(ada) });
}

export const swapsWithoutOrder = does(
  'has a swap made that no person has ordered',
  'running',
  refusedBy('the ledger', 'unavailable no_evidence'),
  (site) => refusalOf(site, () => swaps(site)),
);

export const swapsByAnotherOrder = does(
  "has a swap made by what a person's passkey has signed at another price",
  'running',
  refusedBy('the ledger', 'unavailable wrong_evidence'),
  (site) => refusalOf(site, () => swaps(site, { price: '1' })),
);
