import { Sql } from '@stablecoin/persistence/sql';
import { ReadinessCheck } from '@stablecoin/service-host/operations/readiness';

/**
 * Deadlines and the expiry of quotes are compared between processes, and recorded times can't go back: an instance whose
 * clock is further from the database's than this writes nothing.
 */
const CLOCK_OFFSET_MS_MAX = 5_000;

/**
 * How far this process's clock is ahead of the database's, in milliseconds; behind it, less than 0. Only what the time of travel
 * can't explain counts: the database reads its clock at some moment between question and answer.
 */
export async function clockOffsetMs(sql: Sql): Promise<number> {
  const askedAt = Date.now();
  const [row] = await sql.$queryRaw<{ now: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  const answeredAt = Date.now();
  if (!row) throw new Error('the database gave no time');
  return Math.max(0, askedAt - row.now) - Math.max(0, row.now - answeredAt);
}

/** What is wrong with a clock that is so far away. */
export function clockFaultOf(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) <= CLOCK_OFFSET_MS_MAX) return undefined;
  return `${Math.round(Math.abs(offsetMs))} ms ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`;
}

export const clockCheck = (sql: Sql): ReadinessCheck => ({
  name: 'clock',
  look: async () => clockFaultOf(await clockOffsetMs(sql)),
});
