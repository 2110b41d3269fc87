/**
 * Merchants learn of every end by an event as well, which another service makes from the ledger's facts: two for each
 * deposit, one for each swap, and one for each end of a payout, a return included.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import { TrialStack } from '../trial-stack';
import { described, FinalStatus, Operation } from '../traffic/operation';

const POLL_MS = 500;

export interface ToldEvent {
  merchant_id: string;
  type: string;
  resource_id: string;
}

const TYPES = [
  ...['deposit.pending', 'deposit.completed', 'swap.completed'],
  ...['payout.completed', 'payout.failed', 'payout.reversed'],
] as const;
const PAYOUT_TYPES: Readonly<Record<FinalStatus, readonly (typeof TYPES)[number][]>> = {
  COMPLETED: ['payout.completed'],
  FAILED: ['payout.failed'],
  REVERSED: ['payout.completed', 'payout.reversed'],
};

/** Waits until the events are as they must be, for `timeoutMs` at most. @returns the differences */
export async function wronglyTold(
  stack: TrialStack,
  operations: readonly Operation[],
  timeoutMs: number,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  const database = new Postgres({ connectionString: stack.owner_databases.customer });
  await database.connect();
  try {
    for (;;) {
      const { rows } = await database.query<ToldEvent>(
        'SELECT merchant_id, type, resource_id FROM events WHERE type = ANY ($1)',
        [TYPES],
      );
      const wrong = compareWithEvents(operations, rows);
      if (wrong.length === 0 || Date.now() >= deadline) return wrong;
      await delay(POLL_MS);
    }
  } finally {
    await database.end();
  }
}

export function compareWithEvents(operations: readonly Operation[], told: readonly ToldEvent[]): string[] {
  const left = new Map<string, number>();
  for (const event of told) left.set(nameOf(event), (left.get(nameOf(event)) ?? 0) + 1);
  const missing: string[] = [];
  for (const operation of operations) {
    for (const event of eventsOf(operation)) {
      const count = left.get(nameOf(event)) ?? 0;
      left.set(nameOf(event), count - 1);
      if (count === 0) missing.push(`no ${event.type}: ${described(operation)}`);
    }
  }
  const beyond = [...left].filter(([, count]) => count > 0);
  return [...missing, ...beyond.map(([name, count]) => `${count} × ${name}, which nothing explains`)];
}

function eventsOf({ kind, outcome, merchant, ends, transactions, swapId }: Operation): ToldEvent[] {
  if (outcome !== 'acknowledged') return [];
  const types = typesOf(kind, ends);
  const resource_id = (kind === 'swap' ? swapId : transactions[0]) as string;
  return types.map((type) => ({ merchant_id: merchant.id, type, resource_id }));
}

function typesOf(kind: Operation['kind'], ends: FinalStatus): readonly string[] {
  if (kind === 'payout') return PAYOUT_TYPES[ends];
  return kind === 'deposit' ? ['deposit.pending', 'deposit.completed'] : [`${kind}.completed`];
}

const nameOf = ({ merchant_id, type, resource_id }: ToldEvent) => `${type} of ${resource_id}, merchant ${merchant_id}`;
