import { DryRunTransactionView, TransactionView } from '@stablecoin/contracts/wallet/views';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';

/** A transaction as the contract shows it. */
export function transactionView({ wallet_id: _, position: __, currency, ...shown }: Transaction): TransactionView {
  return { ...shown, asset_code: currency };
}

/** Reads a transaction from the ledger right after the command that wrote it. */
export function shownTransaction(ledger: LedgerView, reference: string): TransactionView {
  const transaction = ledger.transaction(reference);
  if (!transaction) throw new Error(`transaction ${reference} is not where it was just written`);
  return transactionView(transaction);
}

/** The same after a dry run, in a ledger that is thrown away: without what the transaction would have got by being recorded. */
export function dryRunTransaction(ledger: LedgerView, reference: string): DryRunTransactionView {
  const unrecorded = { id: null, transaction_id: null, reference_id: null, created_at: null, updated_at: null };
  return { ...shownTransaction(ledger, reference), ...unrecorded };
}
