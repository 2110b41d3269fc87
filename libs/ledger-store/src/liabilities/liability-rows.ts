/** Reads and writes `ledger_liabilities`, the signed statements of what is owed, and the tiles of their trees. */
import { Hash } from '@stablecoin/event-proofs/merkle-tree';
import {
  amountBytes,
  idBytes,
  Liability,
  owedOf,
  placeOf,
  saltOf,
  SumNode,
} from '@stablecoin/event-proofs/liabilities/sum-tree';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

const COLUMNS = Prisma.raw(`number, note, key_id, verifier_key, secret,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`);

export interface LiabilityRow {
  number: number;
  /** The signed note. */
  note: string;
  key_id: string;
  /** The public key, in the form of signed notes. */
  verifier_key: string;
  /** From which the salts of the leaves are derived. */
  secret: Buffer;
  created_at: string;
}

export async function latestLiabilities(sql: Sql): Promise<LiabilityRow | undefined> {
  const [row] = await sql.$queryRaw<
    StoredRow[]
  >`SELECT ${COLUMNS} FROM ledger_liabilities ORDER BY number DESC LIMIT 1`;
  return row && liabilityRow(row);
}

/** The newest that was made up to a time: ISO 8601, or `infinity`. */
export async function liabilitiesUpTo(sql: Sql, time: string): Promise<LiabilityRow | undefined> {
  const [row] = await sql.$queryRaw<StoredRow[]>`
    SELECT ${COLUMNS} FROM ledger_liabilities WHERE created_at <= ${time}::timestamptz ORDER BY number DESC LIMIT 1`;
  return row && liabilityRow(row);
}

/** Oldest first. */
export async function readLiabilityRows(
  sql: Sql,
  { after, limit }: { after: number; limit: number },
): Promise<LiabilityRow[]> {
  const rows = await sql.$queryRaw<StoredRow[]>`
    SELECT ${COLUMNS} FROM ledger_liabilities WHERE number > ${after} ORDER BY number LIMIT ${limit}`;
  return rows.map(liabilityRow);
}

/** Fails where another instance has made the statement of this number: they are one line. */
export async function insertLiabilities(sql: Sql, made: LiabilityRow): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO ledger_liabilities (number, note, key_id, verifier_key, secret, created_at)
    VALUES (${made.number}, ${made.note}, ${made.key_id}, ${made.verifier_key}, ${made.secret}::bytea,
      ${made.created_at}::timestamptz)`;
}

export interface StoredTile {
  currency: string;
  level: number;
  index: number;
  nodes: Buffer;
  /** Of the lowest level. */
  leaves?: { wallets: Buffer; first_place: Buffer };
}

export async function insertTile(sql: Sql, number: number, tile: StoredTile): Promise<void> {
  const { currency, level, index, nodes, leaves } = tile;
  await sql.$executeRaw`
    INSERT INTO ledger_liability_tiles (number, currency, level, index, nodes, wallets, first_place)
    VALUES (${number}, ${currency}, ${level}, ${index}, ${nodes}::bytea, ${leaves?.wallets ?? null}::bytea,
      ${leaves?.first_place ?? null}::bytea)`;
}

export async function deleteTilesBefore(sql: Sql, number: number): Promise<void> {
  await sql.$executeRaw`DELETE FROM ledger_liability_tiles WHERE number < ${number}`;
}

/** Whether a tile is stored as it is here. */
export async function isTileStored(sql: Sql, number: number, tile: StoredTile): Promise<boolean> {
  const { currency, level, index, nodes, leaves } = tile;
  const rows = await sql.$queryRaw<unknown[]>`
    SELECT 1 FROM ledger_liability_tiles
    WHERE number = ${number} AND currency = ${currency} AND level = ${level} AND index = ${index} AND nodes = ${nodes}::bytea
      AND wallets IS NOT DISTINCT FROM ${leaves?.wallets ?? null}::bytea
      AND first_place IS NOT DISTINCT FROM ${leaves?.first_place ?? null}::bytea`;
  return rows.length > 0;
}

export async function countTiles(sql: Sql, number: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ tiles: bigint }[]>`
    SELECT count(*) AS tiles FROM ledger_liability_tiles WHERE number = ${number}`;
  return Number(row?.tiles ?? 0);
}

/** @throws Error when the tile is not there */
export async function readTile(
  sql: Sql,
  place: { number: number; currency: string; level: number; index: number },
): Promise<SumNode[]> {
  const { number, currency, level, index } = place;
  const [row] = await sql.$queryRaw<{ nodes: Uint8Array }[]>`
    SELECT nodes FROM ledger_liability_tiles
    WHERE number = ${number} AND currency = ${currency} AND level = ${level} AND index = ${index}`;
  if (!row) throw new Error(`statement ${number} has no tile ${index} of level ${level} of ${currency}`);
  return nodesIn(row.nodes);
}

export interface FoundLeaf {
  /** Among all leaves of the tree. */
  index: number;
  salt: Hash;
  liability: Liability;
}

/** Where a wallet stands in the tree of a statement; undefined if it is not in it. */
export async function findLeaf(
  sql: Sql,
  { number, secret }: LiabilityRow,
  currency: string,
  wallet_id: string,
): Promise<FoundLeaf | undefined> {
  const salt = saltOf(secret, wallet_id);
  const [tile] = await sql.$queryRaw<{ index: number; nodes: Uint8Array; wallets: Uint8Array }[]>`
    SELECT index, nodes, wallets FROM ledger_liability_tiles
    WHERE number = ${number} AND currency = ${currency} AND level = 0 AND first_place <= ${placeOf(salt)}::bytea
    ORDER BY index DESC LIMIT 1`;
  if (!tile) return undefined;
  const [wallets, id] = [Buffer.from(tile.wallets), idBytes(wallet_id)];
  const nodes = nodesIn(tile.nodes);
  const within = nodes.findIndex((_, index) =>
    id.equals(wallets.subarray(index * LEAF_BYTES, index * LEAF_BYTES + 16)),
  );
  const node = nodes[within];
  if (!node) return undefined;
  const balance = balanceIn(wallets.subarray(within * LEAF_BYTES + 16, (within + 1) * LEAF_BYTES));
  const held = node.sum - owedOf({ balance, held: 0n });
  return { index: tile.index * TILE_LEAVES + within, salt, liability: { wallet_id, balance, held } };
}

const NODE_BYTES = 48;
const LEAF_BYTES = 33;
const TILE_LEAVES = 256;

export const nodesOf = (nodes: readonly SumNode[]): Buffer =>
  Buffer.concat(nodes.flatMap(({ hash, sum }) => [hash, amountBytes(sum)]));

/** @param liability undefined for padding */
export function leafBytes(liability: Liability | undefined): Buffer {
  if (!liability) return Buffer.alloc(LEAF_BYTES);
  const { wallet_id, balance } = liability;
  const sign = Buffer.of(balance < 0n ? 1 : 0);
  return Buffer.concat([idBytes(wallet_id), sign, amountBytes(balance < 0n ? -balance : balance)]);
}

function balanceIn(signed: Buffer): bigint {
  const units = unitsIn(signed.subarray(1));
  return signed[0] === 1 ? -units : units;
}

function nodesIn(stored: Uint8Array): SumNode[] {
  const all = Buffer.from(stored);
  return Array.from({ length: all.length / NODE_BYTES }, (_, index) => {
    const node = all.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES);
    return { hash: node.subarray(0, 32), sum: unitsIn(node.subarray(32)) };
  });
}

const unitsIn = (amount: Buffer): bigint => (amount.readBigUInt64BE(0) << 64n) | amount.readBigUInt64BE(8);

type StoredRow = Omit<LiabilityRow, 'number' | 'secret'> & { number: bigint; secret: Uint8Array };

function liabilityRow({ number, secret, ...row }: StoredRow): LiabilityRow {
  return { ...row, number: Number(number), secret: Buffer.from(secret) };
}
