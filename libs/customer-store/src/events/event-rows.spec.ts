import { EventRow, eventView } from './event-rows';

const row = (data: object): EventRow => ({
  ...{ id: 'e1', type: 'payout.completed', sequence: 1 },
  ...{ data: JSON.stringify(data), created_at: new Date(0) },
});
const shown = (data: object) => JSON.stringify(eventView(row(data)).data);

/** The order of the fields is that of the text that is signed. */
describe('an event that a version before has recorded', () => {
  const before = { transaction_mode: 'DEBIT', network: 'erc20', updated_at: 'u' };
  const named = { transaction_mode: 'DEBIT', network: 'erc20', crypto_transaction_id: null, updated_at: 'u' };

  it('has no name of its chain for the transaction', () => expect(shown(before)).toBe(JSON.stringify(named)));

  it('nor for those of a swap', () => {
    const swap = (of: object) => ({ swapId: 's', debitTransaction: of, creditTransaction: of });
    expect(shown(swap(before))).toBe(JSON.stringify(swap(named)));
  });

  it('is like any other where it has one, or is of no transaction', () => {
    for (const data of [
      { ...named, crypto_transaction_id: '0xab' },
      { id: 'c1', status: 'active' },
    ])
      expect(shown(data)).toBe(JSON.stringify(data));
  });
});
