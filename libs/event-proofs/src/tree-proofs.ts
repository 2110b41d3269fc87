/**
 * Makes the proofs that `merkle-tree` checks, without reading the whole tree. The tree is stored in tiles of 256
 * neighbouring nodes on every eighth level (the leaves, then the nodes over 256 of them, over 65,536, …), and a proof
 * reads only the tiles that it touches, about two per stored level.
 */
import { Hash, nodeHash } from './merkle-tree';

export const TILE_LEVELS = 8;
export const TILE_WIDTH = 2 ** TILE_LEVELS;

/** Returns the nodes from `index` × 256 of a level that is a multiple of 8: all 256, or as many as are complete. */
export type TileSource = (level: number, index: number) => Promise<readonly Hash[]>;

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
  const tileLevel = level - (level % TILE_LEVELS);
  const width = 2 ** (level - tileLevel);
  const first = index * width;
  const tile = await tiles(tileLevel, Math.floor(first / TILE_WIDTH));
  let nodes = tile.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + width);
  if (nodes.length !== width) throw new Error(`the tree lacks nodes of level ${tileLevel} from ${first} on`);
  while (nodes.length > 1) nodes = pairs(nodes);
  return nodes[0] as Hash;
}

function pairs(nodes: readonly Hash[]): Hash[] {
  return Array.from({ length: nodes.length / 2 }, (_, index) =>
    nodeHash(nodes[2 * index] as Hash, nodes[2 * index + 1] as Hash),
  );
}

/** The largest power of two below `count`. */
const splitOf = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1);
