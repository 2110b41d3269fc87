import { EventData, EventTransaction, EventType } from '@stablecoin/contracts/customer/webhook-views';
import { FactTransaction, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { NewEvent } from '@stablecoin/customer-store/events/record-events';
import { derivedUuid } from '@stablecoin/messaging/derived-command';

interface Told {
  type: EventType;
  /** Fixed and not counted: each of these happens once to its resource, and in one order only. One more after an approval. */
  sequence: number;
}

const TOLD: Partial<Record<Movement, Told>> = {
  'deposit-recorded': { type: 'deposit.pending', sequence: 1 },
  'deposit-completed': { type: 'deposit.completed', sequence: 2 },
  'deposit-failed': { type: 'deposit.failed', sequence: 2 },
  'deposit-reversed': { type: 'deposit.reversed', sequence: 3 },
  'swap-settled': { type: 'swap.completed', sequence: 1 },
  'payout-waiting': { type: 'payout.approval_required', sequence: 1 },
  'payout-completed': { type: 'payout.completed', sequence: 1 },
  'payout-failed': { type: 'payout.failed', sequence: 1 },
  'payout-reversed': { type: 'payout.reversed', sequence: 2 },
};

export const TOLD_MOVEMENTS = Object.keys(TOLD) as Movement[];

/**
 * The event that a merchant receives for a fact of the ledger; undefined where there is none. All of it, also the id,
 * follows from the fact, so that it does not matter in which order and how often facts arrive.
 */
export function eventOfFact(fact: LedgerFact): NewEvent | undefined {
  const told = TOLD[fact.movement];
  const [first] = fact.transactions;
  if (!told || !first) return undefined;
  // One that only has to wait for its time asks nothing of its merchant.
  if (fact.movement === 'payout-waiting' && first.waiting?.for !== 'approval') return undefined;
  const about = aboutOf(fact, first);
  return {
    id: derivedUuid('ledger-event', String(fact.shard), String(fact.position)),
    merchant_id: fact.merchant_id,
    type: told.type,
    resource_id: about.id,
    sequence: told.sequence + (first.approval_hash && fact.movement !== 'payout-waiting' ? 1 : 0),
    data: about.data,
    created_at: new Date(fact.recorded_at),
  };
}

function aboutOf(fact: LedgerFact, first: FactTransaction): { id: string; data: EventData } {
  if (fact.movement === 'swap-settled') return swapOf(fact);
  const data = transactionOf(fact, first);
  const { approval_hash, waiting } = first;
  if (fact.movement !== 'payout-waiting' || !approval_hash || !waiting) return { id: first.id, data };
  return { id: first.id, data: { ...data, approval_hash, approval_expires_at: waiting.until } };
}

function swapOf(fact: LedgerFact) {
  const debit = fact.transactions.find(({ transaction_mode }) => transaction_mode === 'DEBIT');
  const credit = fact.transactions.find(({ transaction_mode }) => transaction_mode === 'CREDIT');
  if (!debit || !credit) throw new Error('a swap has a debit and a credit');
  const wallets = { sender_wallet_id: debit.wallet_id, receiver_wallet_id: credit.wallet_id };
  const data = {
    swapId: debit.reference_id,
    debitTransaction: { ...transactionOf(fact, debit), ...wallets },
    creditTransaction: { ...transactionOf(fact, credit), ...wallets },
  };
  return { id: debit.reference_id, data };
}

function transactionOf(fact: LedgerFact, transaction: FactTransaction): EventTransaction {
  const isDebit = transaction.transaction_mode === 'DEBIT';
  return {
    id: transaction.id,
    transaction_id: transaction.transaction_id,
    reference_id: transaction.reference_id,
    customer_id: fact.customer_id,
    sender_wallet_id: isDebit ? transaction.wallet_id : null,
    receiver_wallet_id: isDebit ? null : transaction.wallet_id,
    transaction_type: transaction.transaction_type,
    transaction_mode: transaction.transaction_mode,
    asset_code: transaction.currency,
    amount: transaction.amount,
    status: transaction.status,
    network: transaction.network,
    crypto_transaction_id: transaction.crypto_transaction_id ?? null,
    updated_at: fact.recorded_at,
  };
}
