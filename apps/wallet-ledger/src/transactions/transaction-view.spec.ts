import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { expectedResult } from '@stablecoin/ledger-log/log/expected-result';
import { shownTransaction } from './transaction-view';

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const OPENED: RecordedEvent = {
  ...{ shard: 0, position: 2, group: 2, movement: 'deposit-recorded', recorded_at: '2026-11-28T12:00:00.000Z' },
  ...{ command_id: id(1), merchant_id: id(2), customer_id: null },
  event: {
    ...{ type: 'TransactionStatusChanged', version: 1, transaction: id(3), from: null, to: 'PENDING' },
    ...{ account_id: id(4), balance_after: '0.00000000' },
    opens: {
      ...{ id: id(3), transaction_id: 'A1B2C3D4E5', reference_id: id(5), wallet_id: id(4) },
      ...{ transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT', currency: 'USD', amount: '1.00000000' },
    },
  },
};

it('a transaction is answered in the text that an audit expects: another text it reads and compares, which takes longer', () => {
  const ledger = new LedgerState();
  ledger.putWallet({
    ...{ id: id(4), merchant_id: id(2), customer_id: null, currency: 'USD', description: null, address_index: 1 },
    ...{ created_at: OPENED.recorded_at, updated_at: OPENED.recorded_at, position: 1, addresses: [] },
  });
  ledger.apply(OPENED);
  expect(expectedResult([OPENED], ledger)).toBe(JSON.stringify(shownTransaction(ledger, id(3))));
});
