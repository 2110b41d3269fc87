/**
 * A payout that begins under a policy and has no judgement. Most have it in their opening; versions before wrote it behind that, as
 * the last event of the group: so only what follows the group, or the end of the log, shows that there is none.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { LogFault } from './fault';

export class UnjudgedOpenings {
  private waiting: LogFault | undefined;

  /** The payout of the last group, if it has no judgement so far. */
  get last(): LogFault | undefined {
    return this.waiting;
  }

  /**
   * @param ledger as it was before the event
   * @returns a payout of a group before it
   */
  follow(ledger: LedgerView, recorded: RecordedEvent): LogFault | undefined {
    const { waiting } = this;
    if (waiting && waiting.position !== recorded.group) return waiting;
    if (recorded.event.type === 'PolicyApplied') this.waiting = undefined;
    if (isUnjudged(ledger, recorded)) {
      const { shard, position } = recorded;
      this.waiting = { shard, position, problem: "is a payout that its merchant's policy never judged" };
    }
    return undefined;
  }
}

const isUnjudged = (ledger: LedgerView, { movement, merchant_id, event }: RecordedEvent): boolean =>
  movement === 'payout-accepted' &&
  event.type === 'DebitPosted' &&
  !event.judged &&
  ledger.policy(merchant_id) !== undefined;
