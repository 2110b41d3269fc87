// What test merchants move is worth nothing, and goes only over chains of which that is true. Their ids say nothing about that,
// as a local chain has the real one's: their first blocks do.

import { ChainNode } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { GENESIS_BLOCKS } from '@stablecoin/chains/genesis-blocks';
import { ChainConfiguration } from '../chain.configuration';
import { nodeAt } from './watched-node';

/** Coins are worth something there. */
export class RealChain extends Error {}

/** @throws RealChain, or a NodeFailure where the node does not say */
export async function requireWorthlessChain(
  node: Pick<ChainNode, 'name' | 'blockByNumber'>,
  network: EvmNetwork,
): Promise<void> {
  const first = await node.blockByNumber(0);
  if (!first)
    throw new NodeFailure({
      ...{ kind: 'unknown-block', node: node.name, method: 'eth_getBlockByNumber' },
      detail: 'it does not have the first block, by which a real chain is told from a local one',
    });
  if (first.hash === GENESIS_BLOCKS[network])
    throw new RealChain(
      `${node.name} is a node of the real ${CHAINS[network].name}, where nothing may be given away: leave CHAIN_FAUCET_KEY ` +
        'and EVM_RAIL_FOR_TEST out, or name nodes of a local chain.',
    );
}

/** Ends a process at its start. Nodes that do not answer are asked again before the faucet sends anything there. */
export async function requireWorthlessChains(
  configuration: Pick<ChainConfiguration, 'faucetKey' | 'nodes'>,
): Promise<void> {
  if (configuration.faucetKey === null) return;
  const asked = Object.entries(configuration.nodes()).flatMap(([network, urls]) =>
    urls.map((url) => requireWorthlessChain(nodeAt(url), network as EvmNetwork)),
  );
  const failed = (await Promise.allSettled(asked)).flatMap((each) =>
    each.status === 'rejected' && !isNodeFailure(each.reason) ? [each.reason as Error] : [],
  );
  if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('\n'));
}
