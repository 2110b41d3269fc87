/**
 * What the log says of the past, straight from its events and by its indexes: what an account held at some time or
 * position, and which events stand behind a transaction. No projection is asked for what it believes.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Currency } from '@stablecoin/money/currency';
import { OpenedTransaction } from '@stablecoin/ledger-domain/events';
import { EventRow, readEventRows, recordedEvent } from './event-rows';

/** ISO 8601 with milliseconds in UTC, or a position in the log of the wallet's shard. Both include their own moment. */
export type AsOf = { time: string } | { position: number };

export interface PastBalance {
  shard: number;
  /** Of the event that the balance comes from. */
  position: number;
  recorded_at: string;
  hash: Buffer;
  currency: Currency;
  balance: string;
}

export interface WalletOrigin {
  merchant_id: string;
  shard: number;
  position: number;
  recorded_at: string;
  currency: Currency;
}

/** Where in the log a wallet begins, if it does. */
export async function walletOrigin(sql: Sql, walletId: string): Promise<WalletOrigin | undefined> {
  const [row] = await sql.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events WHERE account_id = ${walletId} ORDER BY recorded_at, position LIMIT 1`;
  if (!row) return undefined;
  const { merchant_id, shard, position, recorded_at, event } = recordedEvent(row.body);
  if (event.type !== 'WalletOpened') return undefined;
  return { merchant_id, shard, position, recorded_at, currency: event.currency };
}

/**
 * The balance after the wallet's last event up to then.
 *
 * @returns undefined when the wallet has no event up to then
 */
export async function balanceAsOf(
  sql: Sql,
  walletId: string,
  origin: WalletOrigin,
  asOf: AsOf,
): Promise<PastBalance | undefined> {
  const [row] = await ('time' in asOf
    ? lastByTime(sql, walletId, asOf.time)
    : lastByPosition(sql, walletId, origin, asOf.position));
  if (!row) return undefined;
  const { shard, position, recorded_at, event } = recordedEvent(row.body);
  if (event.type === 'CustomerClosed')
    throw new Error(`shard ${shard} position ${position} has no balance, yet names an account`);
  return {
    shard,
    position,
    recorded_at,
    hash: Buffer.from(row.hash),
    currency: origin.currency,
    balance: event.balance_after,
  };
}

type BodyAndHash = { body: string; hash: Uint8Array };

const lastByTime = (sql: Sql, walletId: string, time: string) =>
  sql.$queryRaw<BodyAndHash[]>`
    SELECT body, hash FROM ledger_events
    WHERE account_id = ${walletId} AND recorded_at <= ${time}::timestamptz
    ORDER BY recorded_at DESC, position DESC LIMIT 1`;

/** Recorded times never run backwards, so the position's own time lets the index skip all that came later. */
const lastByPosition = (sql: Sql, walletId: string, { shard }: WalletOrigin, position: number) =>
  sql.$queryRaw<BodyAndHash[]>`
    SELECT body, hash FROM ledger_events
    WHERE account_id = ${walletId} AND position <= ${position} AND recorded_at <= (
      SELECT recorded_at FROM ledger_events WHERE shard = ${shard} AND position <= ${position} ORDER BY position DESC LIMIT 1
    )
    ORDER BY recorded_at DESC, position DESC LIMIT 1`;

/** No transaction comes near this many events. */
const MAX_EVENTS_OF_TRANSACTION = 1_000;

/** Every event of a transaction, by its `id`, in the order of the log. */
export async function eventsOfTransaction(sql: Sql, id: string): Promise<EventRow[]> {
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT shard, position, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS recorded_at,
      account_id, transaction::text AS transaction, body, hash
    FROM ledger_events
    WHERE transaction = ${id}::uuid
    ORDER BY shard, position
    LIMIT ${MAX_EVENTS_OF_TRANSACTION}`;
  return rows.map((row) => ({ ...row, position: Number(row.position), hash: Buffer.from(row.hash) }));
}

/** No group comes near this many events. */
const MAX_EVENTS_OF_GROUP = 32;

/** The whole groups in which a transaction has events: with both sides of each posting, and of a swap both halves. */
export async function groupsOfTransaction(sql: Sql, id: string): Promise<EventRow[]> {
  const own = (await eventsOfTransaction(sql, id)).map(({ body }) => recordedEvent(body));
  const starts = new Map(own.map(({ shard, group }) => [`${shard}/${group}`, { shard, group }]));
  const groups: EventRow[] = [];
  for (const { shard, group } of starts.values()) {
    const rows = await readEventRows(sql, shard, group - 1, MAX_EVENTS_OF_GROUP);
    groups.push(...rows.filter(({ body }) => recordedEvent(body).group === group));
  }
  return groups;
}

/** The newest events of an account, in the order of the log. */
export async function eventsOfAccount(sql: Sql, accountId: string, limit: number): Promise<EventRow[]> {
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT shard, position, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS recorded_at,
      account_id, transaction::text AS transaction, body, hash
    FROM ledger_events
    WHERE account_id = ${accountId}
    ORDER BY recorded_at DESC, position DESC
    LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, position: Number(row.position), hash: Buffer.from(row.hash) })).reverse();
}

/** How the log opened these transactions, by their `id`. */
export async function openingsOf(sql: Sql, ids: readonly string[]): Promise<Map<string, OpenedTransaction>> {
  const rows = await sql.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events
    WHERE transaction = ANY (${[...new Set(ids)]}::uuid[]) AND body LIKE '%"opens":%'`;
  const opened = rows.flatMap(({ body }) => {
    const { event } = recordedEvent(body);
    return ('opens' in event && event.opens) || [];
  });
  return new Map(opened.map((opens) => [opens.id, opens]));
}

type StoredRow = Omit<EventRow, 'position' | 'hash'> & { position: bigint; hash: Uint8Array };
