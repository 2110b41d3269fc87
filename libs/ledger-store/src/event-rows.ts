import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { eventHash } from '@stablecoin/event-chain/event-hash';
import { LedgerEvent, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { StoredEvent, upcast, Upcasters } from '@stablecoin/ledger-domain/upcast';
import { Sql } from '@stablecoin/persistence/sql';
import { arrayColumn, columnsOf, lineColumn } from '@stablecoin/persistence/columns';

/** An event as a row of `ledger_events`. `account_id` and `transaction` are copies out of the body, for look-ups. */
export interface EventRow {
  shard: number;
  position: number;
  recorded_at: string;
  account_id: string | null;
  transaction: string | null;
  body: string;
  hash: Buffer;
}

/** Gives events their canonical text and chains their hashes, starting from the hash of the event before them. */
export function eventRows(events: readonly RecordedEvent[], previousHash: Uint8Array): EventRow[] {
  let previous = previousHash;
  return events.map((recorded) => {
    const body = canonicalText(recorded as unknown as CanonicalValue);
    const hash = eventHash(previous, body);
    previous = hash;
    const { shard, position, recorded_at } = recorded;
    return { shard, position, recorded_at, ...lookUpColumns(recorded.event), body, hash };
  });
}

/** The event in today's shape, whichever version wrote it. The hash is over the stored text, not over this. */
export function recordedEvent(body: string, upcasters?: Upcasters): RecordedEvent {
  const recorded = JSON.parse(body) as Omit<RecordedEvent, 'event'> & { event: StoredEvent };
  return { ...recorded, event: upcast(recorded.event, upcasters) };
}

/** The columns by which the log is searched; `verify` compares them with the body. */
export function lookUpColumns(event: LedgerEvent): Pick<EventRow, 'account_id' | 'transaction'> {
  switch (event.type) {
    case 'WalletOpened':
    case 'DepositAddressAdded':
      return { account_id: event.wallet_id, transaction: null };
    case 'CustomerClosed':
    case 'PolicyChanged':
      return { account_id: null, transaction: null };
    case 'PolicyApplied':
    case 'PayoutApproved':
    case 'PayoutReleased':
    case 'PayoutRejected':
      return { account_id: null, transaction: event.transaction };
    case 'DebitPosted':
    case 'CreditPosted':
    case 'TransactionStatusChanged':
      return { account_id: event.account_id, transaction: event.transaction };
  }
}

/** Rows as the insert sends them: a few long texts, beside which the rows and their thousands of texts need not be kept. */
export interface EventColumns {
  shard: string;
  position: string;
  recorded_at: string;
  account_id: string;
  transaction: string;
  body: string;
  hash: string;
}

export function eventColumns(rows: readonly EventRow[]): EventColumns {
  const column = columnsOf(rows);
  return {
    shard: column('shard'),
    position: column('position'),
    recorded_at: column('recorded_at'),
    account_id: column('account_id'),
    transaction: column('transaction'),
    body: lineColumn(rows.map(({ body }) => body)),
    hash: arrayColumn(rows.map(({ hash }) => hash.toString('hex'))),
  };
}

export async function appendEventRows(sql: Sql, rows: readonly EventRow[]): Promise<void> {
  await appendEventColumns(sql, eventColumns(rows));
}

export async function appendEventColumns(sql: Sql, columns: EventColumns): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO ledger_events (shard, position, recorded_at, account_id, transaction, body, hash)
    SELECT shard, position, recorded_at, account_id, transaction, body, decode(hash, 'hex')
    FROM ROWS FROM (
      unnest(${columns.shard}::int[]),
      unnest(${columns.position}::bigint[]),
      unnest(${columns.recorded_at}::timestamptz[]),
      unnest(${columns.account_id}::text[]),
      unnest(${columns.transaction}::uuid[]),
      string_to_table(${columns.body}, E'\\n'),
      unnest(${columns.hash}::text[])
    ) AS event (shard, position, recorded_at, account_id, transaction, body, hash)`;
}

/** Events of a shard after a position, in order. */
export async function readEventRows(sql: Sql, shard: number, after: number, limit: number): Promise<EventRow[]> {
  const rows = await sql.$queryRaw<(Omit<EventRow, 'shard' | 'hash'> & { hash: Uint8Array })[]>`
    SELECT position::float8, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS recorded_at,
      account_id, transaction::text AS transaction, body, hash
    FROM ledger_events
    WHERE shard = ${shard} AND position > ${after}
    ORDER BY ledger_events.position
    LIMIT ${limit}`;
  return rows.map(
    ({ position, recorded_at, account_id, transaction, body, hash: { buffer, byteOffset, byteLength } }) => {
      const hash = Buffer.from(buffer, byteOffset, byteLength);
      return { shard, position, recorded_at, account_id, transaction, body, hash };
    },
  );
}
