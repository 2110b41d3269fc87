/**
 * By which events a payout under a policy counts, and what each changes of what it counts for. A fold of its own, because the
 * rows of `payout_usage` are written beside the commits, and brought up to the end of the log by these events alone.
 */
import { Money } from '@stablecoin/money/money';
import { assertNever } from './assert-never';
import { Transaction } from './entities';
import { RecordedEvent, Timestamp } from './events';
import {
  CountedPayout,
  payoutSubjects,
  PayoutUsage,
  UsageName,
  withHeld,
  withoutFailed,
  withRejected,
  withReleased,
} from './payout-usage';

type Counting = (usage: PayoutUsage, payout: CountedPayout) => PayoutUsage;

/** Whether the event changes what is counted, if its payout is under a policy. */
export const isCounting = (recorded: RecordedEvent): boolean => countingOf(recorded, '') !== undefined;

/**
 * @param payout what the event is about; only what its opening and its judgement have fixed is read
 * @returns all that the event changes, as it is after it
 */
export function usagesAfter(
  recorded: RecordedEvent,
  payout: Transaction,
  usageBefore: (name: UsageName) => PayoutUsage,
): PayoutUsage[] {
  const counting = payout.under_policy && countingOf(recorded, payout.created_at);
  if (!payout.under_policy || !counting) return [];
  const { merchant_id, customer_id, network, currency, amount } = payout;
  const { destination } = payout.under_policy;
  const { units } = Money.parse(currency, amount);
  const counted = { merchant_id, customer_id, destination, network, currency, units };
  return payoutSubjects(counted).all.map((name) => counting(usageBefore(name), counted));
}

function countingOf({ event, recorded_at }: RecordedEvent, heldAt: Timestamp): Counting | undefined {
  const held: Counting = (usage, payout) => withHeld(usage, payout, recorded_at);
  const heldAndReleased: Counting = (usage, payout) => withReleased(held(usage, payout), recorded_at);
  switch (event.type) {
    case 'DebitPosted':
      return event.judged && heldAndReleased;
    case 'PolicyApplied':
      return event.approval || event.send_after ? held : heldAndReleased;
    case 'TransactionStatusChanged':
      return event.to === 'FAILED' ? (usage, payout) => withoutFailed(usage, payout, heldAt) : undefined;
    case 'PayoutReleased':
      return (usage) => withReleased(usage, recorded_at);
    case 'PayoutRejected':
      return (usage) => withRejected(usage);
    case 'WalletOpened':
    case 'DepositAddressAdded':
    case 'CustomerClosed':
    case 'CreditPosted':
    case 'PolicyChanged':
    case 'PayoutApproved':
      return undefined;
    default:
      return assertNever(event);
  }
}
