/**
 * Reads the past from the log by its indexes: an account's balance at some time or position, and the events behind a
 * transaction. It reads no projection.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Currency } from '@stablecoin/money/currency';
import { OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, readEventRows, recordedEvent } from './event-rows';
import { Prisma } from './generated/client';

/** ISO 8601 with milliseconds in UTC, or a position in the log of the wallet's shard. Both include their own moment. */
export type AsOf = { time: string } | { position: number };

export interface PastBalance {
  shard: number;
  /** Position of the event that the balance comes from. */
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

/** The place in the log where a wallet was opened. */
export async function walletOrigin(sql: Sql, walletId: string): Promise<WalletOrigin | undefined> {
  const [row] = await sql.$queryRaw<{ body: string }[]>`${firstEvent(walletId)}`;
  return row && originOf(row.body);
}

/**
 * Where the wallet was opened, and its balance after its last event up to then. In one statement, because a round trip
 * takes longer than the look-up itself.
 *
 * @returns no `found` when the wallet has no event up to then
 */
export async function pastBalance(
  sql: Sql,
  walletId: string,
  asOf: AsOf,
): Promise<{ origin: WalletOrigin; found: PastBalance | undefined } | undefined> {
  const [row] = await sql.$queryRaw<(BodyAndHash & { origin: string })[]>`
    SELECT opened.body AS origin, last.body, last.hash
    FROM (${firstEvent(walletId)}) AS opened LEFT JOIN LATERAL (${lastEvent(walletId, asOf)}) AS last ON true`;
  const origin = row && originOf(row.origin);
  return origin && { origin, found: balanceOf(row, origin.currency) };
}

function originOf(body: string): WalletOrigin | undefined {
  const { merchant_id, shard, position, recorded_at, event } = recordedEvent(body);
  if (event.type !== 'WalletOpened') return undefined;
  return { merchant_id, shard, position, recorded_at, currency: event.currency };
}

function balanceOf({ body, hash }: BodyAndHash, currency: Currency): PastBalance | undefined {
  if (body === null || hash === null) return undefined;
  const recorded = recordedEvent(body);
  const { shard, position, recorded_at } = recorded;
  return { shard, position, recorded_at, hash: Buffer.from(hash), currency, balance: balanceAfter(recorded) };
}

/** Of an event that names an account: each of these states its balance, also where it moves nothing. */
export function balanceAfter({ shard, position, event }: RecordedEvent): string {
  if ('balance_after' in event) return event.balance_after;
  throw new Error(`shard ${shard} position ${position} has no balance, yet names an account`);
}

type BodyAndHash = { body: string | null; hash: Uint8Array | null };

const firstEvent = (walletId: string) => Prisma.sql`
  SELECT shard, body FROM ledger_events WHERE account_id = ${walletId} ORDER BY recorded_at, position LIMIT 1`;

/** Recorded times never run backwards, so the time of the position lets the index skip all later events. */
const lastEvent = (walletId: string, asOf: AsOf) => Prisma.sql`
  SELECT body, hash FROM ledger_events
  WHERE account_id = ${walletId} AND ${'time' in asOf ? until(asOf.time) : upTo(asOf.position)}
  ORDER BY recorded_at DESC, position DESC LIMIT 1`;

const until = (time: string) => Prisma.sql`recorded_at <= ${time}::timestamptz`;

const upTo = (position: number) => Prisma.sql`
  position <= ${position} AND recorded_at <= (
    SELECT recorded_at FROM ledger_events AS at
    WHERE at.shard = opened.shard AND at.position <= ${position} ORDER BY at.position DESC LIMIT 1
  )`;

/** Far more events than a transaction has. */
const EVENTS_OF_TRANSACTION_MAX = 1_000;

/** Every event of a transaction, by its `id`, in the order of the log. */
export async function eventsOfTransaction(sql: Sql, id: string): Promise<EventRow[]> {
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT shard, position, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS recorded_at,
      account_id, transaction::text AS transaction, body, hash
    FROM ledger_events
    WHERE transaction = ${id}::uuid
    ORDER BY shard, position
    LIMIT ${EVENTS_OF_TRANSACTION_MAX}`;
  return rows.map((row) => ({ ...row, position: Number(row.position), hash: Buffer.from(row.hash) }));
}

/** Far more events than a group has. */
const EVENTS_OF_GROUP_MAX = 32;

/** The whole groups in which a transaction has events: both sides of each posting, and both halves of a swap. */
export async function groupsOfTransaction(sql: Sql, id: string): Promise<EventRow[]> {
  const own = (await eventsOfTransaction(sql, id)).map(({ body }) => recordedEvent(body));
  const starts = new Map(own.map(({ shard, group }) => [`${shard}/${group}`, { shard, group }]));
  const groups: EventRow[] = [];
  for (const { shard, group } of starts.values()) {
    const rows = await readEventRows(sql, shard, group - 1, EVENTS_OF_GROUP_MAX);
    groups.push(...rows.filter(({ body }) => recordedEvent(body).group === group));
  }
  return groups;
}

/** The newest events of an account, in the order of the log; up to one of them, if it is given. */
export async function eventsOfAccount(
  sql: Sql,
  accountId: string,
  limit: number,
  last?: Pick<PastBalance, 'position' | 'recorded_at'>,
): Promise<EventRow[]> {
  const upToLast = last
    ? Prisma.sql`(recorded_at, position) <= (${last.recorded_at}::timestamptz, ${last.position})`
    : Prisma.sql`true`;
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT shard, position, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS recorded_at,
      account_id, transaction::text AS transaction, body, hash
    FROM ledger_events
    WHERE account_id = ${accountId} AND ${upToLast}
    ORDER BY recorded_at DESC, position DESC
    LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, position: Number(row.position), hash: Buffer.from(row.hash) })).reverse();
}

/** The openings of these transactions in the log, by `id`. */
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
