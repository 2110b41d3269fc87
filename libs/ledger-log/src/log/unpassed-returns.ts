/**
 * A payout that came back to a closed customer, of whom nothing moves any more: what it brought goes on to the merchant in the same
 * command, so only what follows the return, or the end of the log, shows that it did not. The first versions left it where it was; they
 * named no askers either.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { LogFault } from './fault';

export class UnpassedReturns {
  private waiting: (LogFault & { command_id: string }) | undefined;
  /** The last group that names its asker. */
  private asked = 0;

  /** The return of the last group, if it was not passed on so far. */
  get last(): LogFault | undefined {
    if (!this.waiting) return undefined;
    const { command_id: _, ...fault } = this.waiting;
    return fault;
  }

  /**
   * @param ledger as it was before the event, which is no return that was passed on in part
   * @returns a return of a group before it
   */
  follow(ledger: LedgerView, recorded: RecordedEvent): LogFault | undefined {
    const { waiting } = this;
    const { shard, group, movement, command_id, event } = recorded;
    if (waiting && (movement !== 'transfer-sent' || command_id !== waiting.command_id)) return this.last;
    this.waiting = undefined;
    if (recorded.asked_by) this.asked = group;
    if (movement !== 'payout-reversed' || event.type !== 'TransactionStatusChanged' || this.asked !== group)
      return undefined;
    const currency = ledger.transaction(event.transaction)?.currency;
    if (!currency || !ledger.isClosed(recorded) || !ledger.account(event.account_id, currency).balance.isPositive())
      return undefined;
    const problem = 'brings money back to a closed customer, and does not pass it on to the merchant';
    this.waiting = { shard, position: group, problem, command_id };
    return undefined;
  }
}
