import {
  DryRunTransactionView,
  PayoutDestination,
  TRANSACTION_MODES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  TransactionView,
  WAITING_FOR,
} from '@stablecoin/contracts/wallet/views';
import {
  always,
  amount,
  balance,
  count,
  currency,
  listOf,
  matching,
  network,
  nothing,
  nullable,
  oneOf,
  price,
  ResponseOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const MOVEMENT_FIELDS = {
  sender_wallet_id: nullable(uuid),
  receiver_wallet_id: nullable(uuid),
  transaction_id: matching(/^[A-Z0-9]{10}$/, 'K7Q2ZP9X4B'),
  asset_code: currency,
  amount,
  reference_id: uuid,
  status: oneOf(TRANSACTION_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
  crypto_transaction_id: nullable(text),
  network: nullable(network),
  transaction_type: oneOf(TRANSACTION_TYPES),
  transaction_mode: oneOf(TRANSACTION_MODES),
  exchange_rate: nullable(price),
  withdrawal_recipient_name: nullable(text),
  fee: nullable(amount),
  balance,
  reason: nullable(text),
  customer_id: nullable(uuid),
};
/** What a payout waits for: by its merchant's policy, or for the screening of its recipient. */
const WAITING_FIELDS = {
  waiting_for: nullable(oneOf([...WAITING_FOR, 'screening'])),
  send_after: nullable(timestamp),
  approval_hash: nullable(
    matching(/^[0-9a-f]{64}$/, 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'),
  ),
  approvals_required: nullable(count),
  approvals: nullable(listOf(resource('Approval', { api_key_id: uuid, approved_at: timestamp }))),
  approval_expires_at: nullable(timestamp),
};
const RECIPIENT_FIELDS = {
  recipient_currency: nullable(currency),
  recipient_country: nullable(text),
  bank_name: nullable(text),
  bank_code: nullable(text),
  bank_account: nullable(text),
  address: nullable(text),
};

export const SWAP_TRANSACTION = resource('SwapTransaction', { id: uuid, ...MOVEMENT_FIELDS });
/** What the chain says of it. */
const CHAIN_FIELDS = {
  explorer_url: nullable(text),
  confirmations: nullable(count),
  confirmations_required: nullable(count),
};

export const TRANSACTION = resource('Transaction', {
  id: uuid,
  ...MOVEMENT_FIELDS,
  ...RECIPIENT_FIELDS,
  ...CHAIN_FIELDS,
  ...WAITING_FIELDS,
});
export const CUSTOMER_TRANSACTION = resource('CustomerTransaction', {
  id: uuid,
  merchant_id: uuid,
  ...MOVEMENT_FIELDS,
  ...RECIPIENT_FIELDS,
  ...CHAIN_FIELDS,
  ...WAITING_FIELDS,
});
export const NEW_PAYOUT = resource('NewPayout', {
  id: uuid,
  ...MOVEMENT_FIELDS,
  ...RECIPIENT_FIELDS,
  amount_fiat: amount,
  fiat_reference_id: nullable(text),
  ...WAITING_FIELDS,
});

/** A transaction that is not recorded. */
const UNRECORDED = { transaction_id: nothing, reference_id: nothing, created_at: nothing, updated_at: nothing };

export const SWAP_TRANSACTION_DRY_RUN = resource('SwapTransactionDryRun', {
  id: nothing,
  ...MOVEMENT_FIELDS,
  ...UNRECORDED,
});
export const PAYOUT_DRY_RUN = resource('PayoutDryRun', {
  dry_run: always(true),
  id: nothing,
  ...MOVEMENT_FIELDS,
  ...RECIPIENT_FIELDS,
  ...UNRECORDED,
  amount_fiat: amount,
  fiat_reference_id: nullable(text),
  ...WAITING_FIELDS,
});

/** What is printed of a transaction beside what the ledger knows. */
export interface TransactionPrinting {
  /** Null for all but payouts, and for an erased owner. */
  destination: PayoutDestination | null;
  /** Null for what is on no chain. */
  explorer_url: string | null;
  /** Null wherever the chain is not asked. */
  confirmations: number | null;
  confirmations_required: number | null;
  /** Beside what the ledger says; null wherever the payout service is not asked. */
  waiting_for: 'screening' | null;
}

/** A transaction as look-ups and lists print it. */
export function presentTransaction(
  view: TransactionView,
  { destination, explorer_url, confirmations, confirmations_required, waiting_for }: TransactionPrinting,
): ResponseOf<typeof TRANSACTION> {
  const printed = withRecipient(presentSwapTransaction(view), view, destination);
  const wait = waitingOf(view);
  const waits = { ...wait, waiting_for: wait.waiting_for ?? waiting_for };
  return { ...printed, explorer_url, confirmations, confirmations_required, ...waits };
}

function withRecipient<Movement>(
  movement: Movement,
  view: TransactionView | DryRunTransactionView,
  destination: PayoutDestination | null,
) {
  const isBankPayout = view.bank_code !== null;
  return {
    ...movement,
    withdrawal_recipient_name: destination?.recipient_name ?? null,
    reason: reasonOf(view, destination),
    recipient_currency: isBankPayout ? view.recipient_currency : null,
    ...bankOf(view, destination),
    bank_code: view.bank_code,
    bank_account: destination?.kind === 'bank' ? destination.account_number : null,
    address: destination?.kind === 'wallet' ? destination.address : null,
  };
}

/** Sealed with the destination, or in clear where a version before held the payout: then it is shown no longer than that. */
function bankOf(view: TransactionView | DryRunTransactionView, destination: PayoutDestination | null) {
  if (destination === null && view.sealed_destination !== null) return { recipient_country: null, bank_name: null };
  const sealed = destination?.kind === 'bank' ? destination : undefined;
  return {
    recipient_country: sealed?.recipient_country ?? view.recipient_country,
    bank_name: sealed?.bank_name ?? view.bank_name,
  };
}

/** The listing by customer also names the merchant. */
export function presentCustomerTransaction(
  view: TransactionView,
  printing: TransactionPrinting,
): ResponseOf<typeof CUSTOMER_TRANSACTION> {
  const { id, ...rest } = presentTransaction(view, printing);
  return { id, merchant_id: view.merchant_id, ...rest };
}

/** Only the answer to a payout has its worth in the recipient's currency. */
export function presentNewPayout(
  view: TransactionView,
  destination: PayoutDestination | null,
): ResponseOf<typeof NEW_PAYOUT> {
  // The ledger prices every payout as it holds it; other movements have no such amount, and are not printed here.
  const amount_fiat = view.amount_fiat as string;
  const printed = withRecipient(movementOf(view), view, destination);
  return { ...printed, amount_fiat, fiat_reference_id: view.fiat_reference_id, ...waitingOf(view) };
}

/** The same of a payout that was only tried out. */
export function presentPayoutDryRun(
  view: DryRunTransactionView,
  destination: PayoutDestination | null,
): ResponseOf<typeof PAYOUT_DRY_RUN> {
  const shown = withRecipient(movementOf(view), view, destination);
  const amount_fiat = view.amount_fiat as string;
  return { dry_run: true, ...shown, amount_fiat, fiat_reference_id: view.fiat_reference_id, ...waitingOf(view) };
}

/** A ledger of the version before says nothing of it, since nothing waits there. */
function waitingOf(view: TransactionView | DryRunTransactionView) {
  return {
    waiting_for: view.waiting_for ?? null,
    send_after: view.send_after ?? null,
    approval_hash: view.approval_hash ?? null,
    approvals_required: view.approvals_required ?? null,
    approvals: view.approvals?.map(({ api_key_id, approved_at }) => ({ api_key_id, approved_at })) ?? null,
    approval_expires_at: view.approval_expires_at ?? null,
  };
}

/** The answer to a swap has no recipient and no destination. */
export const presentSwapTransaction = (view: TransactionView): ResponseOf<typeof SWAP_TRANSACTION> => movementOf(view);

export const presentSwapTransactionDryRun = (
  view: DryRunTransactionView,
): ResponseOf<typeof SWAP_TRANSACTION_DRY_RUN> => movementOf(view);

/** Recorded or not: the types of the fields that say so are those of the view. */
function movementOf<View extends TransactionView | DryRunTransactionView>(view: View) {
  return {
    id: view.id as View['id'],
    sender_wallet_id: view.sender_wallet_id,
    receiver_wallet_id: view.receiver_wallet_id,
    transaction_id: view.transaction_id as View['transaction_id'],
    asset_code: view.asset_code,
    amount: view.amount,
    reference_id: view.reference_id as View['reference_id'],
    status: view.status,
    created_at: view.created_at as View['created_at'],
    updated_at: view.updated_at as View['updated_at'],
    crypto_transaction_id: view.crypto_transaction_id,
    network: view.network,
    transaction_type: view.transaction_type,
    transaction_mode: view.transaction_mode,
    exchange_rate: view.exchange_rate,
    withdrawal_recipient_name: null,
    fee: view.fee,
    balance: view.balance,
    reason: view.reason,
    customer_id: view.customer_id,
  };
}

/** The ledger can't name where a payout's money goes: only the gateway, which opens the destination, can. */
function reasonOf(view: TransactionView | DryRunTransactionView, destination: PayoutDestination | null): string | null {
  if (!destination) return view.reason;
  if (destination.kind === 'wallet') return `Payout to ${destination.address}`;
  return `Payout to ${destination.account_number} (${view.bank_code})`;
}
