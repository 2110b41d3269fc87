/**
 * Makes the proofs that `merkle-tree` checks, without reading the whole tree. The tree is stored in tiles of 256
 * neighbouring nodes on every eighth level (the leaves, then the nodes over 256 of them, over 65,536, …), and a proof
 * reads only the tiles that it touches, about two per stored level.
 */
import { Hash, nodeHash } from './merkle-tree';

export const TILE_LEVELS = 8;
export const TILE_WIDTH = 2 ** TILE_LEVELS;
const HASH_BYTES = 32;

/**
 * 256 neighbouring nodes of one level, or as many as are complete, with the nodes over them on the seven levels above. Each
 * is hashed once; all of a level lie in one buffer, 16 KiB together, so that many tiles can be kept.
 */
export class Tile {
  private readonly levels: Buffer[];

  constructor(nodes: readonly Hash[]) {
    this.levels = [Buffer.concat(nodes)];
  }

  /** How many nodes it has on its lowest level. */
  get width(): number {
    return (this.levels[0] as Buffer).length / HASH_BYTES;
  }

  /** The node at `index`, counted from the tile's first, `height` levels above the lowest; undefined if it is not complete. */
  node(height: number, index: number): Hash | undefined {
    while (this.levels.length <= height) this.levels.push(levelAbove(this.levels.at(-1) as Buffer));
    return hashAt(this.levels[height] as Buffer, index);
  }
}

function levelAbove(nodes: Buffer): Buffer {
  const pairs = Math.floor(nodes.length / HASH_BYTES / 2);
  const above = Buffer.alloc(pairs * HASH_BYTES);
  for (let pair = 0; pair < pairs; pair += 1) {
    nodeHash(hashAt(nodes, 2 * pair) as Hash, hashAt(nodes, 2 * pair + 1) as Hash).copy(above, pair * HASH_BYTES);
  }
  return above;
}

function hashAt(nodes: Buffer, index: number): Hash | undefined {
  const hash = nodes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  return hash.length === HASH_BYTES ? hash : undefined;
}

/** Returns the tile that begins at node `index` × 256 of a level, which is a multiple of 8. */
export type TileSource = (level: number, index: number) => Promise<Tile>;

/** The path of the entry at `index`, counted from 0, in the tree of the first `size` entries. */
export async function inclusionPath(tiles: TileSource, index: number, size: number): Promise<Hash[]> {
  if (!(index < size)) throw new RangeError(`no entry ${index} in a tree of ${size}`);
  const path: Promise<Hash>[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    path.unshift(index < middle ? rangeHash(tiles, middle, end) : rangeHash(tiles, start, middle));
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return Promise.all(path);
}

/** Shows that the tree of the first `oldSize` entries is the beginning of the one of `newSize`. */
export async function consistencyPath(tiles: TileSource, oldSize: number, newSize: number): Promise<Hash[]> {
  if (oldSize > newSize) throw new RangeError(`a tree of ${oldSize} is not the beginning of one of ${newSize}`);
  if (oldSize === 0 || oldSize === newSize) return [];
  const path: Promise<Hash>[] = [];
  let [start, end] = [0, newSize];
  while (end !== oldSize) {
    const middle = start + splitOf(end - start);
    const goesRight = oldSize > middle;
    path.unshift(goesRight ? rangeHash(tiles, start, middle) : rangeHash(tiles, middle, end));
    [start, end] = goesRight ? [middle, end] : [start, middle];
  }
  // When the path would begin with the old root, that is left out, because the verifier has it.
  if (start > 0) path.unshift(rangeHash(tiles, start, end));
  return Promise.all(path);
}

/** The hash over the entries from `start` up to `end`: those of its largest complete subtrees, joined from the right. */
async function rangeHash(tiles: TileSource, start: number, end: number): Promise<Hash> {
  const parts: Promise<Hash>[] = [];
  for (let from = start; from < end;) {
    const level = Math.floor(Math.log2(end - from));
    parts.push(subtreeHash(tiles, level, from / 2 ** level));
    from += 2 ** level;
  }
  const hashes = await Promise.all(parts);
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

async function subtreeHash(tiles: TileSource, level: number, index: number): Promise<Hash> {
  const height = level % TILE_LEVELS;
  const width = TILE_WIDTH / 2 ** height;
  const tile = await tiles(level - height, Math.floor(index / width));
  const node = tile.node(height, index % width);
  if (!node) throw new Error(`the tree lacks node ${index} of level ${level}`);
  return node;
}

/** The largest power of two below `count`. */
const splitOf = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1);
