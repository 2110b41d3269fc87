/**
 * Makes a Merkle-sum tree from its leaves in their order, in constant memory, and branches of it from what was stored: tiles
 * of up to 256 neighbouring nodes on every eighth level, as `tree-proofs` has them for the log.
 */
import { SumNode, subtree } from './sum-tree';

export const SUM_TILE_LEVELS = 8;
export const SUM_TILE_WIDTH = 2 ** SUM_TILE_LEVELS;

export interface SumTile {
  /** A multiple of 8. */
  level: number;
  /** Among the tiles of its level. */
  index: number;
  nodes: readonly SumNode[];
}

export class SumTreeBuilder {
  /** Of each stored level: the nodes of the tile that is not complete yet, and how many tiles are. */
  private readonly levels: { nodes: SumNode[]; tiles: number }[] = [];
  private top: SumNode | undefined;

  constructor(private readonly depth: number) {}

  /** @returns the tiles that the leaf completes, the lowest first */
  push(leaf: SumNode): SumTile[] {
    const completed: SumTile[] = [];
    let node: SumNode | undefined = leaf;
    for (let level = 0; node; level += SUM_TILE_LEVELS) {
      if (level >= this.depth) {
        this.top = node;
        break;
      }
      const row = (this.levels[level / SUM_TILE_LEVELS] ??= { nodes: [], tiles: 0 });
      row.nodes.push(node);
      node = undefined;
      if (row.nodes.length === Math.min(SUM_TILE_WIDTH, 2 ** (this.depth - level))) {
        completed.push({ level, index: row.tiles, nodes: row.nodes });
        node = subtree(row.nodes, level).root;
        row.tiles += 1;
        row.nodes = [];
      }
    }
    return completed;
  }

  /** @throws Error before the last of the 2^depth leaves */
  get root(): SumNode {
    if (!this.top) throw new Error(`a tree of depth ${this.depth} has ${2 ** this.depth} leaves`);
    return this.top;
  }
}

/** The siblings on the way from a leaf to the root, the leaf's first. */
export async function branchOf(
  tileAt: (level: number, index: number) => Promise<readonly SumNode[]>,
  leaf: number,
  depth: number,
): Promise<SumNode[]> {
  const path: SumNode[] = [];
  for (let level = 0; level < depth; level += SUM_TILE_LEVELS) {
    const place = Math.floor(leaf / 2 ** level);
    const nodes = await tileAt(level, Math.floor(place / SUM_TILE_WIDTH));
    path.push(...subtree(nodes, level, place % SUM_TILE_WIDTH).path);
  }
  return path;
}
