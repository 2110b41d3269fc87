/** The fields of an event's statement that a proof's reader needs; a text that the ledger would not write is refused. */
import { isObject } from './proof-documents';

export interface Statement {
  shard: number;
  position: number;
  /** Position of the first event of its group. */
  group: number;
  movement: string;
  recorded_at: string;
  merchant_id: string;
  command_id: string;
  event: StatedEvent;
}

export type StatedEvent = StatedStep | (StatedOf & { account_id: string; opens?: StatedOpening } & StatedChange);

interface StatedOf {
  transaction: string;
}

type StatedChange =
  | { type: 'DebitPosted' | 'CreditPosted'; currency: string; amount: string }
  | { type: 'TransactionStatusChanged'; from: string | null; to: string };

/** Of a payout under a policy: how it was judged, who approved or rejected it, and that it may be sent. It moves no money. */
export type StatedStep = StatedOf & { type: (typeof STEPS)[number]; account_id?: undefined; opens?: undefined };

const STEPS = ['PolicyApplied', 'PayoutApproved', 'PayoutReleased', 'PayoutRejected'] as const;

export interface StatedOpening {
  id: string;
  transaction_id: string;
  reference_id: string;
  transaction_type: string;
  transaction_mode: string;
  currency: string;
  amount: string;
  fee?: string;
}

export const isStep = (event: StatedEvent): event is StatedStep => event.account_id === undefined;

/** Undefined for a text that is ambiguous or lacks a field. */
export function readStatement(text: string): Statement | undefined {
  const value = parsed(text);
  // JSON.stringify returns canonical text unchanged: no member twice, no white space, no other spelling.
  if (!isObject(value) || JSON.stringify(value) !== text) return undefined;
  const { event } = value;
  const whole = ['shard', 'position', 'group'].every((name) => Number.isSafeInteger(value[name]));
  if (!whole || !hasTexts(value, 'movement', 'recorded_at', 'merchant_id', 'command_id')) return undefined;
  return isObject(event) && isStatedEvent(event) ? (value as unknown as Statement) : undefined;
}

function isStatedEvent(event: Record<string, unknown>): boolean {
  const { type, opens, from, account_id } = event;
  if (!hasTexts(event, 'transaction')) return false;
  if (STEPS.some((step) => step === type)) return opens === undefined && account_id === undefined;
  if (!hasTexts(event, 'account_id')) return false;
  if (opens !== undefined && !isOpening(opens)) return false;
  if (type === 'DebitPosted' || type === 'CreditPosted') {
    return hasTexts(event, 'currency', 'amount') && unitsOf(event['amount'] as string) !== undefined;
  }
  return type === 'TransactionStatusChanged' && hasTexts(event, 'to') && (from === null || typeof from === 'string');
}

function isOpening(opens: unknown): boolean {
  const texts = ['id', 'transaction_id', 'reference_id', 'transaction_type', 'transaction_mode', 'currency', 'amount'];
  return isObject(opens) && hasTexts(opens, ...texts) && ['string', 'undefined'].includes(typeof opens['fee']);
}

/** An amount in units of the eighth decimal. */
export function unitsOf(amount: string): bigint | undefined {
  return /^\d{1,30}\.\d{8}$/.test(amount) ? BigInt(amount.replace('.', '')) : undefined;
}

const hasTexts = (object: Record<string, unknown>, ...names: string[]) =>
  names.every((name) => typeof object[name] === 'string');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
