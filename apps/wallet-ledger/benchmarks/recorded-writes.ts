/**
 * Records what a run writes, as the driver sends it: every statement that changes something, in order, with its values.
 * Replayed on an empty database they make the same rows in the same transactions, without deciding, hashing or waiting
 * for a caller in between: the most that this schema takes from one writer.
 */
import { Client } from 'pg';

const WRITES = /^\s*(BEGIN|COMMIT|ROLLBACK|INSERT|UPDATE|WITH)/;

export interface Statement {
  text: string;
  values: unknown[];
}

type Query = (this: Client, query: unknown, ...rest: unknown[]) => unknown;

const driver = Client.prototype as unknown as { query: Query };
const send = driver.query;
let recording: Statement[] | undefined;

// Patched once, before any connection exists: a connection keeps the function that it found when it was made.
driver.query = function record(query, ...rest) {
  const { text, values = [] } = (typeof query === 'string' ? { text: query } : query) as Partial<Statement>;
  if (recording && text && WRITES.test(text)) recording.push({ text, values });
  return send.call(this, query, ...rest);
};

/** Records the statements of every connection of this process while `work` runs. */
export async function recordWrites<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; writes: Statement[] }> {
  const writes: Statement[] = [];
  recording = writes;
  try {
    const result = await work();
    if (writes.length === 0) throw new Error('nothing was written: the ceiling would be measured of nothing');
    return { result, writes };
  } finally {
    recording = undefined;
  }
}

/** Sends one statement after the other, as a single writer does. */
export async function replay(client: Client, writes: readonly Statement[]): Promise<void> {
  for (const { text, values } of writes) await client.query(text, values);
}
