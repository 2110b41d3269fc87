import { Injectable } from '@nestjs/common';
import { Block } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { ChainNodes, lacking } from '../nodes/chain-nodes';
import { WatchedNode } from '../nodes/watched-node';
import { connect, linked } from './connect';
import { BLOCKS_MAX } from './limits';

interface Followed {
  /** The walked block that the new ones follow. */
  ancestor: Block;
  /** Walked blocks after it, which are not on the chain any more. */
  replaced: readonly Block[];
  blocks: readonly Block[];
  /** The tail with them and without those that were replaced. */
  tail: readonly Block[];
}

/** The chain parts from what was walked before everything that is kept of it. */
export class TooDeep extends Error {}

/** Finds the blocks that follow those which were walked; where these were replaced, back to a common ancestor. */
@Injectable()
export class BlockFollower {
  constructor(private readonly nodes: ChainNodes) {}

  /** @throws TooDeep */
  async follow(network: EvmNetwork, node: WatchedNode, tail: readonly Block[], head: Block): Promise<Followed> {
    const [oldest] = tail;
    const tip = tail.at(-1);
    if (!tip || !oldest) throw new Error(`${network}: the walk has no blocks`);
    const nothing = { ancestor: tip, replaced: [], blocks: [], tail };
    // A node that is far behind says nothing of the blocks above its own.
    if (head.number < oldest.number) return nothing;
    if (head.number <= tip.number && tail.some(({ hash }) => hash === head.hash)) return nothing;
    let blocks = head.number <= tip.number ? [head] : await this.above(network, node, tip, head);
    for (;;) {
      const [first] = blocks;
      if (!first)
        throw lacking(node, 'eth_getBlockByNumber', `its head is ${head.number}, and it lacks ${tip.number + 1}`);
      const connection = connect(tail, first);
      if (connection.kind === 'connected') {
        const { ancestor, replaced } = connection;
        return { ancestor, replaced, blocks, tail: [...tail.slice(0, tail.indexOf(ancestor) + 1), ...blocks] };
      }
      if (connection.kind === 'too_deep')
        throw new TooDeep(
          `${network}: at ${node.name}, block ${first.number} does not follow from the blocks that were walked, of which ` +
            `those from ${oldest.number} on are kept; ask for a rescan from a block that is right to begin anew there`,
        );
      const parent = await this.nodes.ask(network, node, () => node.blockByHash(connection.parent));
      if (!parent) throw lacking(node, 'eth_getBlockByHash', `it has ${first.hash} and not its parent`);
      blocks = [parent, ...blocks];
    }
  }

  private async above(network: EvmNetwork, node: WatchedNode, tip: Block, head: Block): Promise<Block[]> {
    const count = Math.min(BLOCKS_MAX, head.number - tip.number);
    const numbers = Array.from({ length: count }, (_, index) => tip.number + 1 + index);
    const found = await Promise.all(
      numbers.map(async (number) =>
        number === head.number ? head : this.nodes.ask(network, node, () => node.blockByNumber(number)),
      ),
    );
    const missing = found.indexOf(undefined);
    return linked(found.slice(0, missing === -1 ? found.length : missing).filter((block) => block !== undefined));
  }
}
