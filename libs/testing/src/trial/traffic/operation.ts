import { Money } from '@stablecoin/money/money';
import { HeldCurrency, Merchant, Owner } from './merchants';

export const OPERATION_KINDS = ['deposit', 'quote', 'swap', 'payout', 'read', 'settlement'] as const;
/** What must work again after a fault. A settlement is a payout, accepted after the fault, that has come to its end. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** A kind of operation on a shard: what is seen to work again, or not yet. */
export interface Capability {
  readonly kind: OperationKind;
  readonly shard: number;
}

export type FinalStatus = 'COMPLETED' | 'FAILED' | 'REVERSED';

/**
 * One operation of a merchant, as the model knows it. `open`: it was requested and its outcome is still unknown; the
 * request is repeated, under the same key, until it is known. No other operation has its amount, which identifies its
 * transactions in the log.
 */
export interface Operation {
  serial: number;
  kind: 'deposit' | 'swap' | 'payout';
  merchant: Merchant;
  owner: Owner;
  amount: Money;
  path: string;
  body: object;
  key: string;
  /** What the service must say in the end: some ask for more than there is. */
  expected: 'acknowledged' | 'refused';
  outcome: 'open' | 'acknowledged' | 'refused';
  /** Of a refusal. */
  code?: string;
  beganAt: number;
  /** When the request was sent whose answer contained the outcome. */
  acknowledgedBy?: number;
  attempts: number;
  /** The transactions in the answer: one, or of a swap the debit and the credit. */
  transactions: readonly string[];
  /** The status in which its first transaction must end. */
  ends: FinalStatus;
  /** What a swap brings, and in which currency. */
  brings?: Money;
  /** Of a swap: its quote's id, which the swap's events name. */
  swapId?: string;
}

export const walletOf = ({ owner, amount }: Operation): string => owner.wallets[amount.currency as HeldCurrency];

/** For a person: enough to find it in the logs and in the log. */
export function described(operation: Operation): string {
  const { serial, kind, merchant, amount, key, outcome, code, beganAt, attempts, transactions } = operation;
  const said = code === undefined ? outcome : `${outcome} ${code}`;
  const named = transactions.length > 0 ? `, transactions ${transactions.join(' ')}` : '';
  return (
    `#${serial} ${kind} ${amount.toString()} ${amount.currency}, shard ${merchant.shard}, merchant ${merchant.id}, ` +
    `key ${key}, begun ${new Date(beganAt).toISOString()}, ${attempts} attempts: ${said}${named}`
  );
}
