/**
 * Checks one shard's log by its rows alone, without the state they amount to: the hash chain, the events' shape, the
 * look-up columns, the times, and the groups with their sums. Stops at the first fault.
 */
import { ChainVerifier } from '@stablecoin/event-chain/verify-chain';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, lookUpColumns } from '@stablecoin/ledger-store/event-rows';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AskerRules } from './asker-rules';
import { parsedBody, readEvent } from './event-shape';
import { LogFault } from './fault';
import { exchangedForItself, shapeProblem, unfollowedGroup } from './movement-shape';

export interface Head {
  position: number;
  hash: Uint8Array;
}

export class LogInspector {
  private readonly chain: ChainVerifier;
  private group: OpenGroup | undefined;
  /** The groups of the last command before it. */
  private command: OpenGroup[] = [];
  private lastRecordedAt = '';
  private found: LogFault | undefined;

  constructor(
    private readonly shard: number,
    private readonly askers: AskerRules,
  ) {
    this.chain = new ChainVerifier(shard);
  }

  get fault(): LogFault | undefined {
    return this.found;
  }

  /** Where the rows followed so far end. */
  get head(): Head {
    return this.chain.head;
  }

  /** @returns the row's event, unless it or a row before it is at fault */
  follow(row: EventRow): RecordedEvent | undefined {
    if (this.found) return undefined;
    const { shard, position, body: text, hash } = row;
    const value = parsedBody(text) ?? {};
    const broken = this.chain.follow({ shard, position, text, hash }, value);
    const recorded = broken?.problem ?? readEvent(text, value);
    if (typeof recorded === 'string') {
      this.fail(broken?.position ?? position, recorded);
      return undefined;
    }
    const problem = columnProblem(row, recorded) ?? this.timeProblem(recorded);
    if (problem) {
      this.fail(position, problem);
      return undefined;
    }
    this.lastRecordedAt = recorded.recorded_at;
    return this.intoGroup(recorded) ? recorded : undefined;
  }

  /** After the last row: checks that the last group is complete and that the log ends where the shard's head says. */
  finish(head: Head | undefined): void {
    const end = this.head;
    // Before the last group is checked, because a log that was cut off may have lost half of it.
    if (head && head.position > end.position) {
      this.fail(end.position + 1, `missing: the log ends at ${end.position}, its head says ${head.position}`);
    }
    if (this.group) this.closeGroup(this.group);
    this.closeCommand();
    if (!head) {
      this.fail(end.position, 'the shard has events but no row in ledger_shards');
    } else if (head.position < end.position) {
      this.fail(head.position + 1, `surplus: the log ends at ${end.position}, its head says ${head.position}`);
    } else if (!Buffer.from(head.hash).equals(end.hash)) {
      this.fail(end.position, 'the head has another hash than the last event');
    }
  }

  private timeProblem({ recorded_at }: RecordedEvent): string | undefined {
    return recorded_at < this.lastRecordedAt ? 'recorded_at runs backwards' : undefined;
  }

  private intoGroup(recorded: RecordedEvent): boolean {
    if (recorded.group === recorded.position) {
      if (this.group) this.closeGroup(this.group);
      this.group = new OpenGroup(recorded);
    } else if (!this.group?.takes(recorded) || recorded.asked_by) {
      this.fail(recorded.position, 'belongs to no group: the one it names is not the one that it follows');
    }
    this.group?.add(recorded);
    return !this.found;
  }

  private closeGroup(group: OpenGroup): void {
    if (this.command[0] && this.command[0].first.command_id !== group.first.command_id) this.closeCommand();
    // A log that grows is judged to its end more than once.
    const before = this.command.filter((each) => each !== group && each.first.command_id === group.first.command_id);
    const problem = group.problem(before) ?? this.askers.problem(group.first, group.events);
    const stated_by = exchangedForItself(group) && group.first.asked_by?.service;
    if (problem) this.fail(group.first.position, problem, stated_by);
    this.command = [...before, group];
  }

  private closeCommand(): void {
    const unfollowed = unfollowedGroup(this.command);
    if (unfollowed) this.fail(unfollowed.group.first.position, unfollowed.problem);
  }

  private fail(position: number, problem: string, stated_by?: string): void {
    this.found ??= { shard: this.shard, position, problem, ...(stated_by && { stated_by }) };
  }
}

const SAME_IN_GROUP = ['group', 'movement', 'recorded_at', 'command_id', 'merchant_id', 'customer_id'] as const;

class OpenGroup {
  readonly events: RecordedEvent['event'][] = [];
  private readonly sums = new Map<Currency, { debits: Money; credits: Money }>();
  private last: number;

  constructor(readonly first: RecordedEvent) {
    this.last = first.position;
  }

  takes(recorded: RecordedEvent): boolean {
    return SAME_IN_GROUP.every((field) => recorded[field] === this.first[field]);
  }

  add({ position, event }: RecordedEvent): void {
    this.last = position;
    this.events.push(event);
    if (event.type !== 'DebitPosted' && event.type !== 'CreditPosted') return;
    const zero = Money.zero(event.currency);
    const { debits, credits } = this.sums.get(event.currency) ?? { debits: zero, credits: zero };
    const amount = Money.parseSigned(event.currency, event.amount);
    const sums =
      event.type === 'DebitPosted'
        ? { debits: debits.plus(amount), credits }
        : { debits, credits: credits.plus(amount) };
    this.sums.set(event.currency, sums);
  }

  /** @param before the groups of the same command before it */
  problem(before: readonly OpenGroup[]): string | undefined {
    const problem = shapeProblem(this, before);
    return this.unequalSums() ?? (problem && `group at ${this.first.position} to ${this.last}: ${problem}`);
  }

  private unequalSums(): string | undefined {
    for (const [currency, { debits, credits }] of this.sums) {
      if (!debits.equals(credits)) {
        const sums = `debits of ${debits.toString()} and credits of ${credits.toString()} ${currency}`;
        return `group at ${this.first.position} to ${this.last}: ${sums}`;
      }
    }
    return undefined;
  }
}

function columnProblem(row: EventRow, recorded: RecordedEvent): string | undefined {
  const { account_id, transaction } = lookUpColumns(recorded.event);
  const differing = [
    row.recorded_at !== recorded.recorded_at && 'recorded_at',
    row.account_id !== account_id && 'account_id',
    row.transaction !== transaction && 'transaction',
  ].filter((name) => name !== false);
  return differing.length > 0 ? `${differing.join(', ')}: the column differs from the body` : undefined;
}
