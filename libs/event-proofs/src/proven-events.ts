/**
 * What is required of events whose leaves are in the log: whole groups whose debits equal their credits, and a status that
 * follows its steps. Nothing here hashes or needs Node, so that a browser holds a proof against the same rules.
 */
import { isStep, readStatement, StatedOpening, Statement, unitsOf } from './statement';

/** `balance` where the document shows it. */
export interface StatedBy {
  statement: Statement;
  balance?: string;
}

export interface StatusReached {
  status: string;
  recorded_at: string;
  position: number;
}

/** One sentence on why a document proves nothing. */
export class ProofRefused extends Error {}

export function refuse(why: string): never {
  throw new ProofRefused(why);
}

/** What an event's text states, which must be of the place in the log where the proof shows it. */
export function statementAt(text: string, position: number, shard: number | undefined): Statement {
  const statement = readStatement(text);
  if (!statement) refuse(`position ${position}: the statement is not as the ledger writes events`);
  if (statement.position !== position || statement.shard !== shard) {
    refuse(`position ${position}: the event says that it stands elsewhere`);
  }
  return statement;
}

/** The transaction as its first event states it. */
export function openingOf(events: readonly StatedBy[], transactionId: unknown): StatedOpening {
  const openings = events.flatMap(({ statement }) => statement.event.opens ?? []);
  const opening = openings.find((opened) => opened.transaction_id === transactionId);
  return opening ?? refuse('the event that opened the transaction is not among its events');
}

export function checkGroups(events: readonly StatedBy[], id: string): void {
  const groups = new Map<number, Statement[]>();
  let last = 0;
  for (const { statement } of events) {
    if (statement.position <= last) refuse(`position ${statement.position}: the events are not in their order`);
    last = statement.position;
    groups.set(statement.group, [...(groups.get(statement.group) ?? []), statement]);
  }
  for (const [start, group] of groups) {
    if (group.some(({ position }, index) => position !== start + index)) refuse(`group ${start}: it is not whole`);
    if (!group.some(({ event }) => event.transaction === id)) refuse(`group ${start}: it is of another transaction`);
    checkBalanced(start, group);
  }
}

function checkBalanced(start: number, group: readonly Statement[]): void {
  const sums = new Map<string, bigint>();
  for (const { event } of group) {
    if (isStep(event) || event.type === 'TransactionStatusChanged') continue;
    const units = unitsOf(event.amount) ?? 0n;
    sums.set(event.currency, (sums.get(event.currency) ?? 0n) + (event.type === 'DebitPosted' ? -units : units));
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) refuse(`group ${start}: its debits and credits of ${currency} differ`);
  }
}

/** A debit that opens the transaction makes it PENDING; every other step is an event that names the status before. */
export function statusesOf(events: readonly StatedBy[], id: string): StatusReached[] {
  const statuses: StatusReached[] = [];
  for (const { statement } of events) {
    const { event, recorded_at, position } = statement;
    const before = statuses.at(-1)?.status ?? null;
    if (event.type !== 'TransactionStatusChanged') {
      if (event.opens?.id === id) statuses.push({ status: 'PENDING', recorded_at, position });
    } else if (event.transaction === id) {
      if (event.from !== before) refuse(`position ${position}: the status before ${event.to} is missing`);
      statuses.push({ status: event.to, recorded_at, position });
    }
  }
  return statuses;
}
