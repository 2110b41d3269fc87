import { Currency } from '@stablecoin/money/currency';

/** The resources as the interface reference has them, as far as the journeys read them. */
export interface Customer {
  id: string;
  customer_type: string;
  email: string;
  phone: string;
  status: string;
  created_at: string;
  updated_at: string;
}

export interface Wallet {
  id: string;
  currency: Currency;
  balance: string;
  created_at: string;
  addresses: { id: string; address: string; network: string; created_at: string }[];
}

export interface Transaction {
  id: string;
  transaction_id: string;
  reference_id: string;
  status: string;
  amount: string;
  fee: string | null;
  balance: string;
  asset_code: string;
  transaction_type: string;
  transaction_mode: string;
  sender_wallet_id: string | null;
  receiver_wallet_id: string | null;
  customer_id: string | null;
  crypto_transaction_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface Quote {
  id: string;
  quoted_price: string;
  from_amount: string;
  to_amount: string;
  confirmed: boolean;
  expires_at: string;
  created_at: string;
  updated_at: string;
}

/** A quote comes in two envelopes, one in the other. */
export interface InnerEnvelope {
  status: string;
  message: string;
  data: Quote;
}

export interface Swap {
  debitTransaction: Transaction;
  creditTransaction: Transaction;
  swapId: string;
}

export interface PayoutMethod {
  id: string;
  type: string;
}

export interface Webhook {
  id: string;
}

export interface Event {
  id: string;
  type: string;
}

// How values read, wherever they stand.
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const UUID = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const TIMESTAMP = matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
export const TRANSACTION_ID = matching(/^[A-Z0-9]{10}$/);
export const PRICE = matching(/^\d+(\.\d{1,12})?$/);
export const AMOUNT = matching(/^\d+\.\d{8}$/);

/** Every field of a transaction that is neither a payout nor a swap: what is not said is null, and nothing is absent. */
export function transactionShape(said: Partial<Record<string, unknown>>) {
  return { ...newPayoutShape({}), ...ON_NO_CHAIN, ...said };
}

/** The answer to a payout says nothing of a chain: it has not come so far. */
export function newPayoutShape(said: Partial<Record<string, unknown>>) {
  return { ...swapTransactionShape({}), ...NO_RECIPIENT, ...UNDER_NO_POLICY, ...said };
}

const ON_NO_CHAIN = { explorer_url: null, confirmations: null, confirmations_required: null };

const UNDER_NO_POLICY = {
  waiting_for: null,
  send_after: null,
  approval_hash: null,
  approval_expires_at: null,
  approvals: null,
  approvals_required: null,
};

const NO_RECIPIENT = {
  recipient_currency: null,
  recipient_country: null,
  bank_name: null,
  bank_code: null,
  bank_account: null,
  address: null,
};

/** The answer to a swap has no fields for a recipient at all. */
export function swapTransactionShape(said: Partial<Record<string, unknown>>) {
  return {
    id: UUID,
    sender_wallet_id: null,
    receiver_wallet_id: null,
    transaction_id: TRANSACTION_ID,
    asset_code: matching(/^[A-Z]{3,4}$/),
    amount: AMOUNT,
    reference_id: UUID,
    status: matching(/^(PENDING|COMPLETED|FAILED|REVERSED)$/),
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
    crypto_transaction_id: null,
    network: null,
    transaction_type: matching(/^(DEPOSIT|PAYOUT|INTERNAL TRANSFER)$/),
    transaction_mode: matching(/^(CREDIT|DEBIT)$/),
    exchange_rate: null,
    withdrawal_recipient_name: null,
    fee: null,
    balance: AMOUNT,
    reason: null,
    customer_id: null,
    ...said,
  };
}
