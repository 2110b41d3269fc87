import { randomUUID } from 'node:crypto';
import { OPENED_AT_ONCE_MAX, openSealed } from '@stablecoin/contracts/customer/open-sealed';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { PAYOUT_DESTINATION_FIELD, TransactionView } from '@stablecoin/contracts/wallet/views';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import {
  call,
  held,
  MERCHANT,
  outcome,
  ownerOf,
  owners,
  sealOf,
  standIns,
  useGateway,
} from '../../testing/gateway-fixture';

useGateway();

const DESTINATION = { kind: 'bank', account_number: '0123456789', recipient_name: 'Ada Obi' };
const BANK = {
  ...{ currency: 'USDT', amount: '10', account_number: '0123456789', bank_code: '058', recipient_name: 'Ada Obi' },
  recipient_currency: 'NGN',
};

/** A payout of the merchant, or of a customer of it, as its ledger shows it. */
const payout = (sealed_destination: string, customer_id: string | null = null): TransactionView => ({
  ...held({ merchant_id: MERCHANT, customer_id } as Plain<HoldPayout>),
  ...{ bank_code: '058', sealed_destination },
});

async function listed(...items: TransactionView[]) {
  standIns.on(listTransactions, () => ({ items, total: items.length, page: 1, limit: 100 }));
  const { body } = await call('GET', '/api/transactions?limit=100');
  return (body['data'] as unknown as Record<string, unknown>[]).map(({ bank_account }) => bank_account);
}

it('seals so that only the data key opens it, which the gateway has not', async () => {
  const { body } = await call('POST', '/api/payouts/banks', BANK);
  expect(body.data).toMatchObject({ bank_account: '0123456789', withdrawal_recipient_name: 'Ada Obi' });
  const [request] = standIns.requestsTo(holdPayout);
  const sealed = request?.['sealed_destination'] as string;
  expect(sealed).toMatch(/^h1\./);
  expect(sealOf(MERCHANT).open(PAYOUT_DESTINATION_FIELD, sealed)).toMatchObject(DESTINATION);
  // It shows what it has just sealed without asking for it.
  expect(standIns.requestsTo(openSealed)).toEqual([]);
});

it('shows the stored result of a repeated request, whose destination it did not seal', async () => {
  const stored = payout(sealOf(MERCHANT).seal(PAYOUT_DESTINATION_FIELD, DESTINATION));
  standIns.on(holdPayout, () => ({ result: stored, replayed: true }));
  const { body } = await call('POST', '/api/payouts/banks', BANK, { 'idempotency-key': randomUUID() });
  expect(body.data).toMatchObject({ bank_account: '0123456789' });
  expect(standIns.requestsTo(openSealed)).toHaveLength(1);
});

it('has a page opened at once, of either way of sealing, and keeps it for a moment', async () => {
  const customer = randomUUID();
  owners.set(customer, ownerOf(customer, customer));
  const seal = sealOf(customer);
  const page = Array.from({ length: OPENED_AT_ONCE_MAX }, (_, index) =>
    payout(seal.seal(PAYOUT_DESTINATION_FIELD, { ...DESTINATION, account_number: `000${index}` }), customer),
  );
  const accounts = page.map((_, index) => `000${index}`);
  expect(await listed(...page)).toEqual(accounts);
  expect(await listed(...page)).toEqual(accounts);
  expect(standIns.requestsTo(openSealed)).toHaveLength(1);
});

it('has the transactions of a reference opened at once', async () => {
  const accounts = ['0001', '0002', '0003'];
  const sharing = accounts.map((account_number) =>
    payout(sealOf(MERCHANT).seal(PAYOUT_DESTINATION_FIELD, { ...DESTINATION, account_number })),
  );
  standIns.on(listTransactionsByReference, () => sharing);
  const { body } = await call('GET', `/api/customers/transactions/by_ref_id/${randomUUID()}`);
  const shown = body.data as unknown as { bank_account: string }[];
  expect(shown.map(({ bank_account }) => bank_account)).toEqual(accounts);
  expect(standIns.requestsTo(openSealed)).toHaveLength(1);
});

it('shows nothing of an owner that was erased, and what is no payout beside it', async () => {
  const erased = randomUUID();
  const sealed = sealOf(erased).seal(PAYOUT_DESTINATION_FIELD, DESTINATION);
  const own = payout(sealOf(MERCHANT).seal(PAYOUT_DESTINATION_FIELD, DESTINATION));
  const deposit = { ...payout(''), sealed_destination: null };
  expect(await listed(payout(sealed, erased), deposit, own)).toEqual([null, null, '0123456789']);
});

it('without a customer service that gives keys it refuses, and nothing is held', async () => {
  const customer = randomUUID();
  owners.set(customer, ownerOf(customer, customer, { sealing_key: undefined }));
  expect(outcome(await call('POST', '/api/payouts/banks', { ...BANK, customer_id: customer }))).toEqual([
    503,
    'unavailable',
  ]);
  expect(standIns.requestsTo(holdPayout)).toEqual([]);
});

it('says that it is unavailable while the customer service is', async () => {
  standIns.on(openSealed, () => {
    throw new Refusal('unavailable');
  });
  const own = payout(sealOf(MERCHANT).seal(PAYOUT_DESTINATION_FIELD, DESTINATION));
  standIns.on(listTransactions, () => ({ items: [own], total: 1, page: 1, limit: 10 }));
  expect(outcome(await call('GET', '/api/transactions'))).toEqual([503, 'unavailable']);
});
