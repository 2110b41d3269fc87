import { FactTransaction, LedgerFact, MOVEMENTS } from '@stablecoin/contracts/wallet/facts';
import { eventOfFact } from './ledger-event';

const AT = '2026-01-02T03:04:05.678Z';
const transaction: FactTransaction = {
  id: 't1',
  transaction_id: 'ABCDEF1234',
  reference_id: 'r1',
  transaction_type: 'PAYOUT',
  transaction_mode: 'DEBIT',
  network: null,
  bank_code: '011',
  recipient_currency: 'NGN',
  sealed_destination: 'v1.sealed.destination',
  currency: 'USD',
  amount: '10.00000000',
  status: 'COMPLETED',
  wallet_id: 'w1',
};
const fact: LedgerFact = {
  shard: 3,
  position: 42,
  movement: 'payout-completed',
  recorded_at: AT,
  merchant_id: 'm1',
  customer_id: 'c1',
  transactions: [transaction],
};

describe('the event of a fact of the ledger', () => {
  it('has the fields of a look-up, and nothing of the destination', () => {
    expect(eventOfFact(fact)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_id: 'm1',
      type: 'payout.completed',
      resource_id: 't1',
      sequence: 1,
      created_at: new Date(AT),
      data: {
        id: 't1',
        transaction_id: 'ABCDEF1234',
        reference_id: 'r1',
        customer_id: 'c1',
        sender_wallet_id: 'w1',
        receiver_wallet_id: null,
        transaction_type: 'PAYOUT',
        transaction_mode: 'DEBIT',
        asset_code: 'USD',
        amount: '10.00000000',
        status: 'COMPLETED',
        network: null,
        crypto_transaction_id: null,
        updated_at: AT,
      },
    });
  });

  it('names the transaction on the chain, where the fact does', () => {
    const onChain = { ...transaction, network: 'erc20', crypto_transaction_id: '0xab' } as const;
    expect(eventOfFact({ ...fact, transactions: [onChain] })?.data).toMatchObject({ crypto_transaction_id: '0xab' });
  });

  it('is one for both sides of a swap, under the id of the swap', () => {
    const credit = { ...transaction, id: 't2', transaction_mode: 'CREDIT', wallet_id: 'w2' } as const;
    const event = eventOfFact({ ...fact, movement: 'swap-settled', transactions: [transaction, credit] });
    const wallets = { sender_wallet_id: 'w1', receiver_wallet_id: 'w2' };
    expect(event).toMatchObject({
      type: 'swap.completed',
      resource_id: 'r1',
      sequence: 1,
      data: {
        swapId: 'r1',
        debitTransaction: { id: 't1', ...wallets },
        creditTransaction: { id: 't2', ...wallets },
      },
    });
  });

  it('follows from the fact alone: the same id for the same fact, another for any other', () => {
    const ids = [fact, { ...fact }, { ...fact, position: 43 }, { ...fact, shard: 4 }].map(
      (one) => eventOfFact(one)?.id,
    );
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
  });

  it('of a payout that needs an approval says what is approved; what follows counts on from there', () => {
    const approval_hash = 'ab'.repeat(32);
    const until = '2026-01-03T00:00:00.000Z';
    const asked = { ...transaction, status: 'PENDING', approval_hash, waiting: { for: 'approval', until } } as const;
    expect(eventOfFact({ ...fact, movement: 'payout-waiting', transactions: [asked] })).toMatchObject({
      ...{ type: 'payout.approval_required', sequence: 1 },
      data: { id: 't1', status: 'PENDING', approval_hash, approval_expires_at: until },
    });
    const approved = { ...transaction, approval_hash };
    const later = (['payout-failed', 'payout-completed', 'payout-reversed'] as const).map(
      (movement) => eventOfFact({ ...fact, movement, transactions: [approved] })?.sequence,
    );
    expect(later).toEqual([2, 2, 3]);
    const cooling = { ...transaction, waiting: { for: 'cooling_off', until } } as const;
    expect(eventOfFact({ ...fact, movement: 'payout-waiting', transactions: [cooling] })).toBeUndefined();
  });

  it('comes in the order in which its resource lives', () => {
    const told = MOVEMENTS.flatMap((movement) => {
      const swap = movement === 'swap-settled';
      const credit = { ...transaction, transaction_mode: 'CREDIT' } as const;
      const event = eventOfFact({ ...fact, movement, transactions: swap ? [transaction, credit] : [transaction] });
      return event ? [[movement, event.type, event.sequence]] : [];
    });
    expect(told).toEqual([
      ['deposit-recorded', 'deposit.pending', 1],
      ['deposit-completed', 'deposit.completed', 2],
      ['deposit-failed', 'deposit.failed', 2],
      ['deposit-reversed', 'deposit.reversed', 3],
      ['swap-settled', 'swap.completed', 1],
      ['payout-completed', 'payout.completed', 1],
      ['payout-failed', 'payout.failed', 1],
      ['payout-reversed', 'payout.reversed', 2],
    ]);
  });
});
