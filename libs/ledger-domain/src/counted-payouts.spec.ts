import { isCounting, usagesAfter } from './counted-payouts';
import { LedgerCommand, RejectPayout } from './commands';
import { LedgerState } from './ledger-state';
import { noUsage, usageName, withHeld } from './payout-usage';
import { customer, deposit, hold, MERCHANT, open, resolve, Scenario } from './testing/ledger-scenario';

const policy = (above: string): LedgerCommand => ({
  ...{ kind: 'ChangePolicy', merchant_id: MERCHANT, changed_by: 'an operator', reason: 'case 1' },
  policy: {
    limits: [{ currency: 'USD', per: 'merchant', within: 'month', count: 100 }],
    new_destination_wait_seconds: 0,
    approval: {
      ...{ above: [{ currency: 'USD', amount: above }], new_destination: false, new_rail: false },
      ...{ approvers: 1, expires_after_seconds: 60 },
    },
  },
});
const CREATOR = { key_id: 'key', signer_id: 'signer' };
const APPROVER = { key_id: 'other key', signer_id: 'other signer' };
const pay = (id: string, amount: string, more: object = {}) =>
  hold(amount, { id, destination_hash: 'somewhere', created_by: CREATOR, ...more });
const reject = (transaction: string): RejectPayout => ({
  ...{ kind: 'RejectPayout', merchant_id: MERCHANT, transaction, signer: APPROVER },
});

/** A ledger with payouts that were let go at once, that failed, were rejected, were approved, and wait. */
function counted(): Scenario {
  const ledger = new Scenario().given(open('USD'), deposit('1000'), pay('unjudged', '1'), policy('100.00000000'));
  ledger.given(open('USD', { ...customer, wallet_id: 'of-customer' }));
  ledger.given(deposit('10', { id: 'deposit-2', wallet_id: 'of-customer' }));
  ledger.given(pay('sent', '10'), resolve('COMPLETED', 'sent'), pay('failed', '20'), resolve('FAILED', 'failed'));
  ledger.given(pay('by-customer', '5', { ...customer, network: null }), pay('rejected', '200'), reject('rejected'));
  ledger.given(pay('approved', '300', { destination_hash: 'elsewhere' }));
  const approval_hash = ledger.state.transaction('approved')?.under_policy?.approval?.hash ?? '';
  return ledger.given(
    { kind: 'ApprovePayout', merchant_id: MERCHANT, transaction: 'approved', approval_hash, signer: APPROVER },
    pay('waiting', '150'),
    resolve('FAILED', 'unjudged'),
  );
}

it('what is counted follows from the events that count and from the payouts as they are in the end', () => {
  const ledger = counted();
  const folded = new LedgerState();
  for (const recorded of ledger.events.filter(isCounting)) {
    const payout = ledger.state.transaction((recorded.event as { transaction: string }).transaction);
    if (!payout) throw new Error('an event of no transaction');
    usagesAfter(recorded, payout, (name) => folded.payoutUsage(name)).forEach((usage) => folded.putPayoutUsage(usage));
  }
  expect(folded.payoutUsages.size).toBe(5);
  expect(folded.payoutUsages).toEqual(ledger.state.payoutUsages);
});

it('most events count nothing', () => {
  const types = new Set(
    counted()
      .events.filter(isCounting)
      .map(({ event }) => event.type),
  );
  expect([...types].sort()).toEqual([
    ...['DebitPosted', 'PayoutRejected', 'PayoutReleased', 'PolicyApplied', 'TransactionStatusChanged'],
  ]);
});

it('each currency has counts of its own, which those of another one leave as they are', () => {
  const route = { merchant_id: MERCHANT, customer_id: null, destination: 'somewhere', network: null };
  const held = ['USD', 'EUR', 'USD', 'NGN'].reduce(
    (usage, currency) =>
      withHeld(usage, { ...route, currency: currency as 'USD', units: 5n }, '2026-11-28T12:00:00.000Z'),
    noUsage(usageName(MERCHANT, 'merchant')),
  );
  const counts = Object.entries(held.used).map(([currency, { day }]) => [currency, day.units, day.count]);
  expect(counts).toEqual([
    ['USD', 10n, 2],
    ['EUR', 5n, 1],
    ['NGN', 5n, 1],
  ]);
});
