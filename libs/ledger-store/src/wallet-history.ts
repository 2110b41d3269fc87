/** What a wallet held and what was posted to it, day by day, from the log itself: by the index of an account's events. */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { recordedEvent } from './event-rows';
import { Prisma } from './generated/client';

/** The wallet's balance at the end of each of these UTC days; null before its first event. */
export function balancesAtEndOf(sql: Sql, walletId: string, days: readonly string[]) {
  return sql.$queryRaw<{ day: string; balance: string | null }[]>`
    SELECT day::text AS day, last.body::json #>> '{event,balance_after}' AS balance
    FROM unnest(${arrayColumn(days)}::date[]) AS day LEFT JOIN LATERAL (
      SELECT body FROM ledger_events
      WHERE account_id = ${walletId} AND recorded_at < (day + 1) AT TIME ZONE 'UTC'
      ORDER BY recorded_at DESC, position DESC LIMIT 1
    ) AS last ON true
    ORDER BY day`;
}

export interface PostedDays {
  start_date: string;
  end_date: string;
  /** Only after this position of the wallet's shard. */
  after?: number | undefined;
}

export interface PostedEntry {
  recorded: RecordedEvent;
  transaction_id: string;
  transaction_type: string;
}

/** The debits and credits of a wallet on these UTC days, oldest first. */
export async function entriesOf(
  sql: Sql,
  wallet: { id: string; shard: number },
  days: PostedDays,
  limit: number,
): Promise<PostedEntry[]> {
  const rows = await sql.$queryRaw<{ body: string; transaction_id: string; transaction_type: string }[]>`
    SELECT body, transaction_id, transaction_type FROM (
      SELECT body, transaction, recorded_at, position FROM ledger_events
      WHERE account_id = ${wallet.id} AND ${since(wallet.shard, days)}
        AND recorded_at < (${days.end_date}::date + 1) AT TIME ZONE 'UTC'
        AND (body LIKE '%"type":"DebitPosted"%' OR body LIKE '%"type":"CreditPosted"%')
      ORDER BY recorded_at, position LIMIT ${limit}
    ) AS event JOIN transactions AS opened ON opened.id = event.transaction
    ORDER BY event.recorded_at, event.position`;
  return rows.map(({ body, ...row }) => ({ ...row, recorded: recordedEvent(body) }));
}

const atMidnight = (day: string) => Prisma.sql`${day}::date AT TIME ZONE 'UTC'`;

/** Recorded times never run backwards, so the time of the position lets the index skip what lies before it. */
const since = (shard: number, { start_date, after }: PostedDays) =>
  after === undefined
    ? Prisma.sql`recorded_at >= ${atMidnight(start_date)}`
    : Prisma.sql`position > ${after} AND recorded_at >= greatest(${atMidnight(start_date)}, (
        SELECT recorded_at FROM ledger_events AS at WHERE at.shard = ${shard} AND at.position <= ${after}
        ORDER BY at.position DESC LIMIT 1))`;

/** What the wallet held before an entry, or before these days where there is none; null before its first event. */
export async function balanceBefore(
  sql: Sql,
  walletId: string,
  { start_date }: PostedDays,
  first: RecordedEvent | undefined,
): Promise<string | null> {
  const before = first
    ? Prisma.sql`recorded_at <= ${first.recorded_at}::timestamptz AND position < ${first.position}`
    : Prisma.sql`recorded_at < ${atMidnight(start_date)}`;
  const [row] = await sql.$queryRaw<{ balance: string | null }[]>`
    SELECT body::json #>> '{event,balance_after}' AS balance FROM ledger_events
    WHERE account_id = ${walletId} AND ${before} ORDER BY recorded_at DESC, position DESC LIMIT 1`;
  return row?.balance ?? null;
}
