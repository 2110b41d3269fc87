import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { Hash } from '@stablecoin/event-proofs/merkle-tree';
import { Tile, TILE_WIDTH, TileSource } from '@stablecoin/event-proofs/tree-proofs';
import { Sql } from '@stablecoin/persistence/sql';
import { LRUCache } from 'lru-cache';

/** 16 KiB each: the tiles of 380,000 events. */
const TILES_MAX = 1_500;

/**
 * Tiles that were read, of any shard. A tile that is complete in one tree is the same in every larger one; one at the right
 * edge is kept for the trees of one size.
 */
export class TileCache {
  private readonly tiles = new LRUCache<string, Promise<Tile>>({ max: TILES_MAX });

  /** One that can't be read is read anew the next time. */
  tile(key: string, read: () => Promise<Tile>): Promise<Tile> {
    const kept = this.tiles.get(key);
    if (kept) return kept;
    const reading = read();
    this.tiles.set(key, reading);
    reading.catch(() => this.tiles.delete(key));
    return reading;
  }
}

/**
 * The tiles of the tree of a shard's first `size` events: the lowest are computed from the events themselves, so that a
 * proof never rests on stored copies of their hashes; the others were stored with the checkpoint that completed them. They
 * are read one after the other, so that a proof takes one connection to the database at a time.
 */
export function logTiles(sql: Sql, shard: number, size: number, cache = new TileCache()): TileSource {
  let reading: Promise<unknown> = Promise.resolve();
  return (level, index) => {
    const isComplete = (index + 1) * TILE_WIDTH * 2 ** level <= size;
    return cache.tile(`${shard}/${level}/${index}${isComplete ? '' : `/${size}`}`, () => {
      const hashes = () => (level === 0 ? leaves(sql, shard, index) : nodes(sql, shard, level, index));
      const read = reading.then(hashes, hashes).then((found) => new Tile(found));
      reading = read;
      return isComplete ? read.then(completeTile) : read;
    });
  };
}

/** Without this, a tile that lacks nodes for the moment would be kept like any other. */
function completeTile(tile: Tile): Tile {
  if (tile.width !== TILE_WIDTH) throw new Error(`a complete tile has ${tile.width} nodes`);
  return tile;
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
