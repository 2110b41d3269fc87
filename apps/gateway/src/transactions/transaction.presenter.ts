import { PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';

/** A transaction as look-ups and lists print it. `destination` is null for all but payouts, and for an erased owner. */
export function presentTransaction(view: TransactionView, destination: PayoutDestination | null) {
  const isBankPayout = view.bank_code !== null;
  return {
    ...presentSwapTransaction(view),
    withdrawal_recipient_name: destination?.recipient_name ?? null,
    reason: reasonOf(view, destination),
    recipient_currency: isBankPayout ? view.recipient_currency : null,
    recipient_country: view.recipient_country,
    bank_name: view.bank_name,
    bank_code: view.bank_code,
    bank_account: destination?.kind === 'bank' ? destination.account_number : null,
    address: destination?.kind === 'wallet' ? destination.address : null,
  };
}

/** The listing by customer also names the merchant. */
export function presentCustomerTransaction(view: TransactionView, destination: PayoutDestination | null) {
  const { id, ...rest } = presentTransaction(view, destination);
  return { id, merchant_id: view.merchant_id, ...rest };
}

/** Only the answer to a payout tells what it is worth to its recipient. */
export function presentNewPayout(view: TransactionView, destination: PayoutDestination | null) {
  const { amount_fiat, fiat_reference_id } = view;
  return { ...presentTransaction(view, destination), amount_fiat, fiat_reference_id };
}

/** The answer to a swap leaves out who is paid and where. */
export function presentSwapTransaction(view: TransactionView) {
  return {
    id: view.id,
    sender_wallet_id: view.sender_wallet_id,
    receiver_wallet_id: view.receiver_wallet_id,
    transaction_id: view.transaction_id,
    asset_code: view.asset_code,
    amount: view.amount,
    reference_id: view.reference_id,
    status: view.status,
    created_at: view.created_at,
    updated_at: view.updated_at,
    crypto_transaction_id: view.crypto_transaction_id,
    network: view.network,
    transaction_type: view.transaction_type,
    transaction_mode: view.transaction_mode,
    exchange_rate: view.exchange_rate,
    withdrawal_recipient_name: null as string | null,
    fee: view.fee,
    balance: view.balance,
    reason: view.reason,
    customer_id: view.customer_id,
  };
}

/** For payouts the ledger can't say where the money goes: only who opens the destination can. */
function reasonOf(view: TransactionView, destination: PayoutDestination | null): string | null {
  if (!destination) return view.reason;
  if (destination.kind === 'wallet') return `Payout to ${destination.address}`;
  return `Payout to ${destination.account_number} (${view.bank_code})`;
}
