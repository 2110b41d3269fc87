/** Kinds of transactions as the charts tell them apart. */
import type { Schema } from '../api/client';

export type Movement = Schema<'MovementFigures'>;
type Kind = Pick<Movement, 'transaction_type' | 'transaction_mode'>;

export const KINDS = [
  { name: 'Deposits', transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT' },
  { name: 'Payouts', transaction_type: 'PAYOUT', transaction_mode: 'DEBIT' },
  { name: 'Transfers in', transaction_type: 'INTERNAL TRANSFER', transaction_mode: 'CREDIT' },
  { name: 'Transfers out', transaction_type: 'INTERNAL TRANSFER', transaction_mode: 'DEBIT' },
] as const satisfies readonly (Kind & { name: string })[];
export type KindName = (typeof KINDS)[number]['name'];

const isOf = (one: Kind, other: Kind) =>
  one.transaction_type === other.transaction_type && one.transaction_mode === other.transaction_mode;

export const movementOf = (movements: readonly Movement[], kind: Kind): Movement | undefined =>
  movements.find((movement) => isOf(movement, kind));

export const nameOf = (movement: Kind): string => KINDS.find((kind) => isOf(kind, movement))?.name ?? 'Others';

export const FAILURE_WORDS: Readonly<Record<Schema<'DailyFigures'>['failures'][number]['reason'], string>> = {
  rejected: 'Rejected by an approver',
  approval_expired: 'Not approved in time',
  not_paid_out: 'The bank or network did not pay it out',
  deposit_not_final: 'The deposit never became final',
};
