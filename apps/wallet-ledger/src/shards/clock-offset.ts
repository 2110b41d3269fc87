import { Sql } from '@stablecoin/persistence/sql';
import { ReadinessCheck } from '@stablecoin/service-host/operations/readiness';

/**
 * Deadlines and the expiry of quotes are compared between processes, and recorded times can't go back: an instance whose
 * clock is further from the database's than this writes nothing.
 */
const CLOCK_OFFSET_MS_MAX = 5_000;

/**
 * What is wrong with this process's clock, by the database's. Only what the time of travel can't explain counts: the
 * database reads its clock at some moment between question and answer.
 */
export async function clockFault(sql: Sql): Promise<string | undefined> {
  const askedAt = Date.now();
  const [row] = await sql.$queryRaw<{ now: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  const answeredAt = Date.now();
  if (!row) throw new Error('the database gave no time');
  const aheadMs = Math.max(0, askedAt - row.now);
  const behindMs = Math.max(0, row.now - answeredAt);
  if (Math.max(aheadMs, behindMs) <= CLOCK_OFFSET_MS_MAX) return undefined;
  return `${Math.round(aheadMs || behindMs)} ms ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
}

export const clockCheck = (sql: Sql): ReadinessCheck => ({ name: 'clock', look: () => clockFault(sql) });
