/**
 * What a run wrote, as the driver sent it: every statement that changes something, in order, with its values. Sent
 * again to an empty database they make the very same rows in the very same transactions, with nobody deciding,
 * hashing or waiting for a caller in between: the ceiling of what this schema takes from one writer.
 */
import { Client } from 'pg';

const WRITES = /^\s*(BEGIN|COMMIT|ROLLBACK|INSERT|UPDATE|WITH)/;

export interface Statement {
  text: string;
  values: unknown[];
}

type Query = (this: Client, query: unknown, ...rest: unknown[]) => unknown;

/** Listens to every connection of this process while `work` runs. */
export async function recordWrites<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; writes: Statement[] }> {
  const writes: Statement[] = [];
  const driver = Client.prototype as unknown as { query: Query };
  const original = driver.query;
  driver.query = function record(query, ...rest) {
    const { text, values = [] } = (typeof query === 'string' ? { text: query } : query) as Partial<Statement>;
    if (text && WRITES.test(text)) writes.push({ text, values });
    return original.call(this, query, ...rest);
  };
  try {
    return { result: await work(), writes };
  } finally {
    driver.query = original;
  }
}

/** One statement after the other, as one writer must. */
export async function replay(client: Client, writes: readonly Statement[]): Promise<void> {
  for (const { text, values } of writes) await client.query(text, values);
}
