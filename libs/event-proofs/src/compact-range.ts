import { EMPTY_ROOT, Hash, nodeHash } from './merkle-tree';

/** A node whose leaves are all in the tree: number `index` on its level, over 2^level leaves. */
export interface CompleteNode {
  level: number;
  index: number;
  hash: Hash;
}

/**
 * The part of a tree that is needed to append to it: the roots of its complete subtrees, the largest first, one for
 * each binary digit 1 of its size. So the cost of a log's next root depends on its new entries, not on its length.
 */
export class CompactRange {
  private readonly nodes: CompleteNode[] = [];
  private count = 0;

  /** @param hashes the `hashes` of a compact range of this size */
  static of(size: number, hashes: readonly Hash[]): CompactRange {
    const range = new CompactRange();
    let start = 0;
    for (const level of levelsOf(size)) {
      const hash = hashes[range.nodes.length];
      if (hash?.length !== 32) throw new Error(`a tree of ${size} leaves has not ${hashes.length} such hashes`);
      range.nodes.push({ level, index: start / 2 ** level, hash });
      start += 2 ** level;
    }
    if (range.nodes.length !== hashes.length)
      throw new Error(`${hashes.length} hashes are too many for ${size} leaves`);
    range.count = size;
    return range;
  }

  get size(): number {
    return this.count;
  }

  get hashes(): Hash[] {
    return this.nodes.map(({ hash }) => hash);
  }

  get root(): Hash {
    const last = this.nodes.at(-1)?.hash ?? EMPTY_ROOT;
    return this.nodes.slice(0, -1).reduceRight((right, { hash }) => nodeHash(hash, right), last);
  }

  /** @returns the nodes that this leaf has completed, from the leaf's parent upwards */
  append(leaf: Hash): CompleteNode[] {
    const completed: CompleteNode[] = [];
    let node: CompleteNode = { level: 0, index: this.count, hash: leaf };
    this.count += 1;
    for (let left = this.nodes.at(-1); left?.level === node.level; left = this.nodes.at(-1)) {
      this.nodes.pop();
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left.hash, node.hash) };
      completed.push(node);
    }
    this.nodes.push(node);
    return completed;
  }
}

/** The levels of the complete subtrees of a tree, the largest first. */
function levelsOf(size: number): number[] {
  const digits = Array.from(size.toString(2));
  return digits.flatMap((digit, place) => (digit === '1' ? [digits.length - 1 - place] : []));
}
