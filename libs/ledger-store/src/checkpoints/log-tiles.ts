import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { Hash } from '@stablecoin/event-proofs/merkle-tree';
import { TILE_WIDTH, TileSource } from '@stablecoin/event-proofs/tree-proofs';
import { Sql } from '@stablecoin/persistence/sql';

/**
 * The tiles of a shard's tree: the lowest are computed from the events themselves, so that a proof never rests on
 * stored copies of their hashes; the others were stored with the checkpoint that completed them. Each is read once.
 */
export function logTiles(sql: Sql, shard: number): TileSource {
  const read = new Map<string, Promise<Hash[]>>();
  return (level, index) => {
    const key = `${level}/${index}`;
    const tile = read.get(key) ?? (level === 0 ? leaves(sql, shard, index) : nodes(sql, shard, level, index));
    read.set(key, tile);
    return tile;
  };
}

async function leaves(sql: Sql, shard: number, index: number): Promise<Hash[]> {
  const first = index * TILE_WIDTH + 1;
  const rows = await sql.$queryRaw<{ body: string; hash: Uint8Array }[]>`
    SELECT body, hash FROM ledger_events
    WHERE shard = ${shard} AND position BETWEEN ${first} AND ${first + TILE_WIDTH - 1} ORDER BY position`;
  return rows.map(({ body, hash }) => leafOfEvent(body, hash));
}

async function nodes(sql: Sql, shard: number, level: number, index: number): Promise<Hash[]> {
  const first = index * TILE_WIDTH;
  const rows = await sql.$queryRaw<{ hash: Uint8Array }[]>`
    SELECT hash FROM ledger_tree_nodes
    WHERE shard = ${shard} AND level = ${level} AND index BETWEEN ${first} AND ${first + TILE_WIDTH - 1}
    ORDER BY index`;
  return rows.map(({ hash }) => Buffer.from(hash));
}
