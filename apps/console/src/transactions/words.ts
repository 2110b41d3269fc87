/** What the interface's values are called on a page. */
import type { Schema, Transaction } from '../api/client';
import type { FilterName } from './filters';

export const STATUS_WORDS = {
  PENDING: 'Pending',
  COMPLETED: 'Completed',
  REVERSED: 'Reversed',
  FAILED: 'Failed',
} as const;
export const TYPE_WORDS = { DEPOSIT: 'Deposit', PAYOUT: 'Payout', 'INTERNAL TRANSFER': 'Internal transfer' } as const;
export const MODE_WORDS = { CREDIT: 'Money in', DEBIT: 'Money out' } as const;
export const WAITING_WORDS = { approval: 'Approval', cooling_off: 'Cooling-off', screening: 'Screening' } as const;
export const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ...{ erc20: 'Ethereum', bep20: 'BNB Smart Chain', polygon: 'Polygon', solana: 'Solana', trc20: 'Tron' },
};

export const FILTER_WORDS: Readonly<Record<FilterName, string>> = {
  ...{ status: 'Status', transaction_type: 'Type', transaction_mode: 'Direction', currency: 'Currency' },
  ...{ waiting_for: 'Waiting for', customer_id: 'Customer', transaction_id: 'Transaction', search: 'Search' },
  ...{ start_date: 'From', end_date: 'Until' },
};

const ALL_WORDS: Readonly<Record<string, string>> = { ...STATUS_WORDS, ...TYPE_WORDS, ...MODE_WORDS, ...WAITING_WORDS };
export const wordFor = (value: string): string => ALL_WORDS[value] ?? value;

/** One line on what it is, for a list. */
export function summaryOf(transaction: Transaction): string {
  const { transaction_type: type, withdrawal_recipient_name: recipient, reason, network } = transaction;
  if (type === 'PAYOUT' && recipient) return `Payout to ${recipient}`;
  if (reason) return reason;
  if (type === 'DEPOSIT' && network) return `Deposit on ${NETWORK_WORDS[network] ?? network}`;
  return TYPE_WORDS[type];
}

type Movement = Schema<'ExplainedEvent'>['movement'];
/** What a group of events of a transaction means to a person. */
export const MOVEMENT_WORDS: Readonly<Record<Movement, string>> = {
  'wallet-opened': 'Wallet opened',
  'deposit-address-added': 'Deposit address added',
  'customer-closed': 'Customer closed',
  'deposit-recorded': 'Deposit seen',
  'deposit-completed': 'Deposit credited',
  'deposit-failed': 'Deposit failed',
  'deposit-reversed': 'Deposit reversed',
  'swap-accepted': 'Swap accepted, the money is held',
  'swap-settled': 'Swap settled',
  'payout-accepted': 'Payout accepted, the money is held',
  'payout-completed': 'Payout arrived',
  'payout-failed': 'Payout failed, the money is back',
  'payout-reversed': 'Payout came back',
  'payout-waiting': 'Payout waits for approval',
  'payout-approved': 'Payout approved',
  'payout-released': 'Payout released to be sent',
  'policy-changed': 'Policy changed',
  'transfer-sent': 'Transfer sent',
  'transfer-received': 'Transfer received',
};
