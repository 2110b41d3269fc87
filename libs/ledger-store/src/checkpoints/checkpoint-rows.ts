/** Reads and writes `ledger_checkpoints`, its keys and tree nodes: the signed checkpoints of each shard's log. */
import { CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { Hash } from '@stablecoin/event-proofs/merkle-tree';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

const COLUMNS = Prisma.raw(`shard, tree_size, note, key_id, verifier_key,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`);
const TABLES = Prisma.raw('ledger_checkpoints JOIN ledger_checkpoint_keys USING (shard, key_id)');

export interface CheckpointRow {
  shard: number;
  /** The number of events, which is the position of the last one. */
  size: number;
  /** The signed note. */
  note: string;
  key_id: string;
  /** The public key, in the form of signed notes. */
  verifier_key: string;
  created_at: string;
}

/** A checkpoint with what the next one is made from. */
export interface CheckpointEdge extends CheckpointRow {
  range: Hash[];
  /** The chain's hash of the last event. */
  head_hash: Hash;
}

export async function latestCheckpoint(sql: Sql, shard: number): Promise<CheckpointEdge | undefined> {
  const [row] = await sql.$queryRaw<EdgeRow[]>`
    SELECT ${COLUMNS}, range_hashes, head_hash FROM ${TABLES}
    WHERE shard = ${shard} ORDER BY tree_size DESC LIMIT 1`;
  if (!row) return undefined;
  const { range_hashes, head_hash, ...rest } = row;
  return { ...checkpointRow(rest), range: hashesIn(range_hashes), head_hash: Buffer.from(head_hash) };
}

export async function checkpointOfSize(sql: Sql, shard: number, size: number): Promise<CheckpointRow | undefined> {
  const [row] = await readCheckpoints(sql, shard, { after: size - 1, limit: 1 });
  return row?.size === size ? row : undefined;
}

/** Oldest first. */
export async function readCheckpoints(
  sql: Sql,
  shard: number,
  { after, limit }: { after: number; limit: number },
): Promise<CheckpointRow[]> {
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT ${COLUMNS} FROM ${TABLES} WHERE shard = ${shard} AND tree_size > ${after} ORDER BY tree_size LIMIT ${limit}`;
  return rows.map(checkpointRow);
}

/** Each row but a shard's first continues the one before it; the first that does not, if there is one. */
export async function checkpointWithoutItsPrevious(
  sql: Sql,
  shard: number,
): Promise<{ size: number; previous: number | null } | undefined> {
  const [row] = await sql.$queryRaw<{ tree_size: bigint; previous_size: bigint | null }[]>`
    SELECT tree_size, previous_size FROM (
      SELECT tree_size, previous_size, lag(tree_size) OVER (ORDER BY tree_size) AS before
      FROM ledger_checkpoints WHERE shard = ${shard}
    ) AS line WHERE previous_size IS DISTINCT FROM before ORDER BY tree_size LIMIT 1`;
  if (!row) return undefined;
  return { size: Number(row.tree_size), previous: row.previous_size === null ? null : Number(row.previous_size) };
}

/** One page, newest first, and the total. */
export async function pageOfCheckpoints(
  sql: Sql,
  shard: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: CheckpointRow[]; total: number }> {
  const [count] = await sql.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM ledger_checkpoints WHERE shard = ${shard}`;
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT ${COLUMNS} FROM ${TABLES} WHERE shard = ${shard}
    ORDER BY tree_size DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
  return { rows: rows.map(checkpointRow), total: Number(count?.total ?? 0) };
}

/** The keys that checkpoints of a shard name, in the form of signed notes, the first used first. */
export async function verifierKeys(sql: Sql, shard: number): Promise<string[]> {
  const rows = await sql.$queryRaw<{ verifier_key: string }[]>`
    SELECT verifier_key FROM ledger_checkpoint_keys WHERE shard = ${shard} ORDER BY first_used_at, key_id`;
  return rows.map(({ verifier_key }) => verifier_key);
}

export async function insertTreeNodes(sql: Sql, shard: number, nodes: readonly CompleteNode[]): Promise<void> {
  await sql.$executeRaw`${insertionOf(shard, nodes)}`;
}

/** Leaves those that are there as they are. */
export async function insertMissingTreeNodes(sql: Sql, shard: number, nodes: readonly CompleteNode[]): Promise<void> {
  await sql.$executeRaw`${insertionOf(shard, nodes)} ON CONFLICT DO NOTHING`;
}

const insertionOf = (shard: number, nodes: readonly CompleteNode[]) => Prisma.sql`
  INSERT INTO ledger_tree_nodes (shard, level, index, hash)
  SELECT ${shard}::int, level, index, decode(hash, 'hex')
  FROM unnest(
    ${nodes.map(({ level }) => level)}::int[],
    ${nodes.map(({ index }) => String(index))}::bigint[],
    ${nodes.map(({ hash }) => hash.toString('hex'))}::text[]
  ) AS node (level, index, hash)`;

/** Only the owner of the tables may: to the end of the transaction no checkpoint is stored. */
export async function lockTreeNodes(sql: Sql): Promise<void> {
  await sql.$executeRaw`LOCK TABLE ledger_tree_nodes IN SHARE ROW EXCLUSIVE MODE`;
}

/** Only the owner of the tables may. */
export async function deleteTreeNodes(sql: Sql, shard: number): Promise<void> {
  await sql.$executeRaw`DELETE FROM ledger_tree_nodes WHERE shard = ${shard}`;
}

/** @returns how many of these nodes are missing or stored with another hash */
export async function differingTreeNodes(sql: Sql, shard: number, nodes: readonly CompleteNode[]): Promise<number> {
  const [row] = await sql.$queryRaw<{ differing: bigint }[]>`
    SELECT count(*) AS differing
    FROM unnest(
      ${nodes.map(({ level }) => level)}::int[],
      ${nodes.map(({ index }) => String(index))}::bigint[],
      ${nodes.map(({ hash }) => hash.toString('hex'))}::text[]
    ) AS expected (level, index, hash)
    LEFT JOIN ledger_tree_nodes AS stored
      ON stored.shard = ${shard}::int AND stored.level = expected.level AND stored.index = expected.index
    WHERE stored.hash IS DISTINCT FROM decode(expected.hash, 'hex')`;
  return Number(row?.differing ?? 0);
}

export interface NewCheckpoint extends CheckpointEdge {
  previous_size: number | null;
}

/**
 * Inserts only while the shard's lease has this epoch, and only as the one successor of the checkpoint before.
 * A mover, which locks the shard's row, waits for the end of the transaction: what was signed is with the shard when it moves.
 *
 * @returns whether the lease was still this one
 */
export async function insertCheckpoint(sql: Sql, made: NewCheckpoint, epoch: bigint): Promise<boolean> {
  await sql.$executeRaw`
    INSERT INTO ledger_checkpoint_keys (shard, key_id, verifier_key, first_used_at)
    VALUES (${made.shard}, ${made.key_id}, ${made.verifier_key}, ${made.created_at}::timestamptz)
    ON CONFLICT DO NOTHING`;
  const rows = await sql.$executeRaw`
    INSERT INTO ledger_checkpoints
      (shard, tree_size, previous_size, note, key_id, range_hashes, head_hash, created_at)
    SELECT shard, ${made.size}, ${made.previous_size}::bigint, ${made.note}, ${made.key_id},
      ${Buffer.concat(made.range)}::bytea, ${made.head_hash}::bytea, ${made.created_at}::timestamptz
    FROM ledger_shards WHERE shard = ${made.shard} AND epoch = ${epoch} FOR KEY SHARE`;
  return rows === 1;
}

interface StoredRow {
  shard: number;
  tree_size: bigint;
  note: string;
  key_id: string;
  verifier_key: string;
  created_at: string;
}

type EdgeRow = StoredRow & { range_hashes: Uint8Array; head_hash: Uint8Array };

function checkpointRow({ tree_size, ...row }: StoredRow): CheckpointRow {
  return { ...row, size: Number(tree_size) };
}

function hashesIn(bytes: Uint8Array): Hash[] {
  const all = Buffer.from(bytes);
  return Array.from({ length: all.length / 32 }, (_, index) => all.subarray(32 * index, 32 * index + 32));
}
