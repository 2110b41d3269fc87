import { Block, Hex } from '@stablecoin/chain-node/chain-node';

/** How blocks that a node offers connect to those that were walked. */
export type Connection =
  /** They follow the ancestor; `replaced` came after it before. */
  | { kind: 'connected'; ancestor: Block; replaced: Block[] }
  /** Their beginning is not known yet: the block of this hash is needed. */
  | { kind: 'unknown_parent'; parent: Hex }
  /** They part from the chain before everything that is kept of it. */
  | { kind: 'too_deep' };

/**
 * @param tail the walked blocks that are kept, ascending, each the parent of the next
 * @param first the lowest of the blocks offered
 */
export function connect(tail: readonly Block[], first: Block): Connection {
  const at = tail.findIndex(({ hash }) => hash === first.parentHash);
  const ancestor = tail[at];
  if (ancestor) return { kind: 'connected', ancestor, replaced: tail.slice(at + 1) };
  const [oldest] = tail;
  if (oldest && first.number > oldest.number + 1) return { kind: 'unknown_parent', parent: first.parentHash };
  return { kind: 'too_deep' };
}

/** The beginning of the list up to where each block is the parent of the next. */
export function linked(blocks: readonly Block[]): Block[] {
  const end = blocks.findIndex((block, index) => index > 0 && block.parentHash !== blocks[index - 1]?.hash);
  return blocks.slice(0, end === -1 ? blocks.length : end);
}
