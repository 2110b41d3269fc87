import { DryRunTransactionView, TransactionView } from '@stablecoin/contracts/wallet/views';
import { Transaction, UnderPolicy } from '@stablecoin/ledger-domain/entities';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';

/** A transaction as the contract shows it. */
export function transactionView({
  wallet_id: _,
  position: __,
  currency,
  under_policy,
  ...shown
}: Transaction): TransactionView {
  return { ...shown, asset_code: currency, ...shownPolicy(under_policy) };
}

/** What a merchant sees of its policy's part in a payout: nothing of the destination's hash, and of signers their keys. */
function shownPolicy(under: UnderPolicy | null) {
  const { approval = null, send_after = null } = under ?? {};
  const approvals = under?.approvals.map(({ key_id, at }) => ({ api_key_id: key_id, approved_at: at }));
  return {
    approval_hash: approval && approval.hash,
    approvals_required: approval && approval.approvers,
    approvals: approval && (approvals ?? []),
    approval_expires_at: approval && approval.expires_at,
    send_after,
  };
}

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
