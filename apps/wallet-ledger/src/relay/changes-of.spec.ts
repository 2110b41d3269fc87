import { randomUUID } from 'node:crypto';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { isTransactionsChanged } from '@stablecoin/contracts/wallet/transactions-changed';
import { changesOf } from './changes-of';

const [ada, bola] = [randomUUID(), randomUUID()];
const fact = (merchant_id: string, ...ids: string[]) =>
  ({ merchant_id, transactions: ids.map((transaction_id) => ({ transaction_id })) }) as LedgerFact;

it('names each transaction of a merchant once, and a merchant whose wallets alone have changed', () => {
  expect(changesOf([fact(ada, 'A', 'B'), fact(bola), fact(ada, 'B', 'C')])).toEqual({
    merchants: [
      { merchant_id: ada, transaction_ids: ['A', 'B', 'C'] },
      { merchant_id: bola, transaction_ids: [] },
    ],
  });
});

it('is known again, and what is none is not', () => {
  expect(isTransactionsChanged(changesOf([fact(ada, 'A')]))).toBe(true);
  for (const other of [null, {}, { merchants: [{}] }, { merchants: [{ merchant_id: 'x', transaction_ids: [] }] }])
    expect(isTransactionsChanged(other)).toBe(false);
  expect(isTransactionsChanged({ merchants: [{ merchant_id: ada, transaction_ids: [1] }] })).toBe(false);
});
