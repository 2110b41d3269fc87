import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { Sql } from '@stablecoin/persistence/sql';

/** The right to append to a shard. `epoch` is its fencing token: every append checks it in its own transaction. */
export interface Lease {
  shard: number;
  epoch: bigint;
}

/** Where a shard's log ends. */
export interface Head {
  position: number;
  hash: Buffer;
}

/** Another instance holds the shard: nothing was written, and this instance's memory of the shard is void. */
export class LeaseLost extends Error {}

/** A lease that is not renewed for this long is lost. Longer than a pause of the process, shorter than an outage. */
export const LEASE_MS = 3_000;

/** Makes the rows of shards that were never used. */
export async function ensureShards(sql: Sql, shards: number): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO ledger_shards (shard, head_hash)
    SELECT shard, ${GENESIS_HASH} FROM generate_series(0, ${shards - 1}::int) AS shard
    ON CONFLICT (shard) DO NOTHING`;
}

/** Of the first so many shards, those of which this database has a row, wherever they are. */
export async function knownShards(sql: Sql, shards: number): Promise<number[]> {
  const rows = await sql.$queryRaw<{ shard: number }[]>`SELECT shard FROM ledger_shards WHERE shard < ${shards}`;
  return rows.map(({ shard }) => shard);
}

/**
 * Takes a shard without a holder or with a lapsed lease, or one that this holder already has (taking it over was
 * interrupted), unless the shard is reserved for maintenance. A locked row, which an append of the last holder may have
 * locked, is left for the next look: waiting for it would occupy connections that the other shards need.
 *
 * Where the last holder was of a version before, whose commits have in them what payouts count for, all of it is counted.
 */
export async function acquireLease(sql: Sql, shard: number, holder: string): Promise<Lease | undefined> {
  const [row] = await sql.$queryRaw<{ epoch: bigint }[]>`
    UPDATE ledger_shards SET
      epoch = epoch + 1, holder = ${holder}, lease_expires_at = now() + make_interval(secs => ${LEASE_MS / 1000}),
      counting_epoch = epoch + 1,
      counted_position = CASE WHEN counting_epoch = epoch THEN counted_position ELSE head_position END
    WHERE shard = (
      SELECT shard FROM ledger_shards
      WHERE shard = ${shard} AND moved_to IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < now() OR holder = ${holder})
        AND (reserved_until IS NULL OR reserved_until < now())
      FOR UPDATE SKIP LOCKED
    )
    RETURNING epoch`;
  return row && { shard, epoch: row.epoch };
}

/**
 * Does not renew a lease that was released: a late renewal would keep every instance from the shard.
 *
 * @returns whether the lease was still this one
 */
export async function renewLease(sql: Sql, lease: Lease): Promise<boolean> {
  const rows = await sql.$executeRaw`
    UPDATE ledger_shards SET lease_expires_at = now() + make_interval(secs => ${LEASE_MS / 1000})
    WHERE shard = ${lease.shard} AND epoch = ${lease.epoch} AND holder IS NOT NULL`;
  return rows === 1;
}

/** Lets the next holder take over at once. */
export async function releaseLease(sql: Sql, lease: Lease): Promise<void> {
  await sql.$executeRaw`
    UPDATE ledger_shards SET lease_expires_at = NULL, holder = NULL
    WHERE shard = ${lease.shard} AND epoch = ${lease.epoch}`;
}

/**
 * Where the shard's log ends, with no append under way: locking the row waits for an append whose connection was lost.
 *
 * @returns undefined when the lease is no longer this one
 */
export async function settledHead(sql: Sql, lease: Lease): Promise<Head | undefined> {
  const [row] = await sql.$queryRaw<{ head_position: bigint; head_hash: Uint8Array }[]>`
    SELECT head_position, head_hash FROM ledger_shards
    WHERE shard = ${lease.shard} AND epoch = ${lease.epoch}
    FOR UPDATE`;
  return row && { position: Number(row.head_position), hash: Buffer.from(row.head_hash) };
}

/** Where the shard's log ends at this moment; undefined when the lease is no longer this one. */
export async function presentHead(sql: Sql, lease: Lease): Promise<Head | undefined> {
  const [row] = await sql.$queryRaw<{ head_position: bigint; head_hash: Uint8Array }[]>`
    SELECT head_position, head_hash FROM ledger_shards WHERE shard = ${lease.shard} AND epoch = ${lease.epoch}`;
  return row && { position: Number(row.head_position), hash: Buffer.from(row.head_hash) };
}

/** Signs a head that is still this one; after that, each append stores the next signature. */
export async function storeHeadSignature(sql: Sql, lease: Lease, head: Head, signature: Buffer): Promise<void> {
  await sql.$executeRaw`
    UPDATE ledger_shards SET head_signature = ${signature}
    WHERE shard = ${lease.shard} AND epoch = ${lease.epoch}
      AND head_position = ${head.position} AND head_hash = ${head.hash}`;
}

export const isSameHead = (one: Head, other: Head): boolean =>
  one.position === other.position && one.hash.equals(other.hash);
