import { LedgerCommand, Owner } from './commands';
import { decide } from './decide';
import { RecordedEvent } from './events';
import { LedgerPreview } from './ledger-preview';
import { LedgerState } from './ledger-state';

const merchant: Owner = { merchant_id: 'merchant', customer_id: null };
const customer: Owner = { merchant_id: 'merchant', customer_id: 'customer' };
const none = { network: null, reference: null, description: null };

const open = (wallet_id: string, currency: 'USD' | 'EUR', of = customer): LedgerCommand => {
  const address = { address_id: `${wallet_id}-address`, address_index: 1, network: null };
  return { kind: 'OpenWallet', ...of, ...address, wallet_id, currency, description: null };
};
const deposit: LedgerCommand = {
  ...{ kind: 'RecordDeposit', merchant_id: 'merchant', id: 'deposit', reference_id: 'reference', ...none },
  ...{ wallet_id: 'usd', amount: '100', confirmed: true },
};
const hold: LedgerCommand = {
  ...{ kind: 'HoldPayout', ...customer, id: 'payout', reference_id: 'reference', currency: 'USD', amount: '30' },
  ...{ network: null, bank_name: null, bank_code: '058', recipient_currency: 'USD', recipient_country: null },
  ...{ sealed_destination: 'sealed', exchange_rate: '1', fee_schedule: { flat: '0.5', basis_points: 0 } },
};
const swap: LedgerCommand = {
  ...{ kind: 'PostSwap', ...customer, debit_id: 'debit', credit_id: 'credit', swap_id: 'swap' },
  ...{ from_currency: 'USD', to_currency: 'EUR', from_amount: '10', to_amount: '9', quoted_price: '0.9' },
  valid_until: '2026-01-01T00:00:00.000Z',
};
const completed: LedgerCommand = {
  ...{ kind: 'ResolvePayout', merchant_id: 'merchant', transaction: 'payout', resolution: 'COMPLETED' },
  ...{ rail_reference: 'bank-1', onward: null },
};
const close: LedgerCommand = { kind: 'CloseCustomer', merchant_id: 'merchant', customer_id: 'customer' };

function eventsOf(command: LedgerCommand, ledger: LedgerState, position: number): RecordedEvent[] {
  const context = { shard: 0, nextPosition: position, now: '2025-01-01T00:00:00.000Z', deriveAddress: () => 'address' };
  const place = { shard: 0, group: position, recorded_at: context.now, command_id: 'command' };
  return decide(command, ledger, context).flatMap(({ events, ...group }) =>
    events.map((event, index) => ({ ...place, position: position + index, ...group, event })),
  );
}

/** All that a decision can read. */
const read = (ledger: LedgerState) => ({
  wallets: [customer, merchant].map((of) => ledger.walletsOf(of).sort((one, other) => (one.id < other.id ? -1 : 1))),
  byCurrency: (['USD', 'EUR'] as const).map((currency) =>
    [customer, merchant].map((of) => ledger.walletOf(of, currency)),
  ),
  byId: ['usd', 'eur', 'own'].map((id) => ledger.wallet(id)),
  transactions: ['deposit', 'payout', 'debit', 'credit'].map((id) => ledger.transaction(id)),
  accounts: ['usd', 'payout-clearing:USD', 'external:bank:USD', 'fees:USD', 'liquidity:USD']
    .map((id) => ledger.account(id, 'USD'))
    .concat(['eur', 'liquidity:EUR'].map((id) => ledger.account(id, 'EUR')))
    .map(({ balance, ...account }) => ({ ...account, balance: balance.toString() })),
  isClosed: ledger.isClosed(customer),
});

it.each<[string, LedgerCommand, LedgerCommand[]]>([
  ['a wallet is opened', open('own', 'USD', merchant), []],
  ['a payout is held', hold, [deposit]],
  ['a payout is completed', completed, [deposit, hold]],
  ['a swap is posted', swap, [deposit]],
  ['a customer is closed', close, []],
])('a preview shows what the ledger will be when %s, and leaves it as it is', (_what, command, before) => {
  const ledger = new LedgerState();
  let position = 1;
  const given = (one: LedgerCommand): void =>
    eventsOf(one, ledger, position).forEach((event) => {
      ledger.apply(event);
      position += 1;
    });
  [open('usd', 'USD'), open('eur', 'EUR'), ...before].forEach(given);
  const was = structuredClone(read(ledger));
  const preview = new LedgerPreview(ledger);
  const events = eventsOf(command, ledger, position);
  expect(events.length).toBeGreaterThan(0);
  events.forEach((event) => preview.apply(event));
  expect(read(ledger)).toEqual(was);
  const shown = read(preview);
  events.forEach((event) => ledger.apply(event));
  expect(shown).toEqual(read(ledger));
  expect(read(ledger)).not.toEqual(was);
});
