import { ApprovalView, DryRunTransactionView, TransactionView } from '@stablecoin/contracts/wallet/views';
import { Transaction, UnderPolicy } from '@stablecoin/ledger-domain/entities';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';

/**
 * A transaction as the contract shows it. Of its policy's part in a payout a merchant sees nothing of the destination's hash,
 * and of signers their keys. Field by field: an object made of the rest of another one takes 20 µs, a fifth of a payout.
 */
export function transactionView(of: Transaction): TransactionView {
  const approval = of.under_policy?.approval;
  // In the order of the fold's: an audit compares the stored answer as text first (expected-result.ts).
  return {
    id: of.id,
    transaction_id: of.transaction_id,
    reference_id: of.reference_id,
    sender_wallet_id: of.sender_wallet_id,
    receiver_wallet_id: of.receiver_wallet_id,
    transaction_type: of.transaction_type,
    transaction_mode: of.transaction_mode,
    amount: of.amount,
    fee: of.fee,
    exchange_rate: of.exchange_rate,
    amount_fiat: of.amount_fiat,
    network: of.network,
    crypto_transaction_id: of.crypto_transaction_id,
    recipient_currency: of.recipient_currency,
    recipient_country: of.recipient_country,
    bank_name: of.bank_name,
    bank_code: of.bank_code,
    reason: of.reason,
    sealed_destination: of.sealed_destination,
    merchant_id: of.merchant_id,
    customer_id: of.customer_id,
    status: of.status,
    balance: of.balance,
    fiat_reference_id: of.fiat_reference_id,
    created_at: of.created_at,
    updated_at: of.updated_at,
    waiting_for: of.waiting_for,
    asset_code: of.currency,
    approval_hash: approval?.hash ?? null,
    approvals_required: approval?.approvers ?? null,
    approvals: approval ? approvalsOf(of.under_policy) : null,
    approval_expires_at: approval?.expires_at ?? null,
    send_after: of.under_policy?.send_after ?? null,
  };
}

const approvalsOf = (under: UnderPolicy | null): ApprovalView[] =>
  (under?.approvals ?? []).map(({ key_id, at }) => ({ api_key_id: key_id, approved_at: at }));

/** Reads a transaction from the ledger right after the command that wrote it. */
export function shownTransaction(ledger: LedgerView, reference: string): TransactionView {
  const transaction = ledger.transaction(reference);
  if (!transaction) throw new Error(`transaction ${reference} is not where it was just written`);
  return transactionView(transaction);
}

/** The same after a dry run, in a ledger that is thrown away: without what the transaction would have got by being recorded. */
export function dryRunTransaction(ledger: LedgerView, reference: string): DryRunTransactionView {
  const unrecorded = {
    approval_hash: null,
    id: null,
    transaction_id: null,
    reference_id: null,
    created_at: null,
    updated_at: null,
  };
  return { ...shownTransaction(ledger, reference), ...unrecorded };
}
