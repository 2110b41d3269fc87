// Whether the nodes that are configured are of their networks' chains, with the same tokens there.

import { agreedTokenFacts, askEach } from '@stablecoin/chain-node/agreement';
import { isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { KnownCode, requireChain } from '@stablecoin/chain-node/required-chain';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TOKENS } from '@stablecoin/chains/tokens';
import { ChainConfiguration } from '../chain.configuration';
import { nodeAt, WatchedNode } from './watched-node';

export const isOfWrongChain = (error: unknown): error is NodeFailure =>
  isNodeFailure(error, 'wrong-chain', 'wrong-token');

/** What has to be corrected, and in which setting. */
export const objectionOf = (network: EvmNetwork, { node, detail }: NodeFailure): string =>
  `${settingOf(network)}: ${node}: ${detail}`;

/**
 * Ends a process at its start whose nodes are of another chain, or have other tokens. Nodes that do not answer are checked
 * before their first use.
 *
 * @param known the code of a network's tokens as it was before; nothing where that can't be asked now
 */
export async function requireRightChains(
  configuration: Pick<ChainConfiguration, 'nodes'>,
  known: (network: EvmNetwork) => Promise<KnownCode>,
): Promise<void> {
  const wrong: string[] = [];
  for (const [name, urls] of Object.entries(configuration.nodes())) {
    const network = name as EvmNetwork;
    const nodes = urls.map(nodeAt);
    const code = await known(network);
    const objections = (await Promise.all(nodes.map((node) => objectionsTo(network, node, code)))).flat();
    wrong.push(...(objections.length > 0 ? objections : await differencesOf(network, nodes)));
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

async function objectionsTo(network: EvmNetwork, node: WatchedNode, known: KnownCode): Promise<string[]> {
  try {
    await requireChain(node, network, { known });
  } catch (error) {
    if (isOfWrongChain(error)) return [objectionOf(network, error)];
    if (!isNodeFailure(error)) throw error;
  }
  return [];
}

/** Tokens whose contracts are not the same at all nodes that answer. */
async function differencesOf(network: EvmNetwork, nodes: readonly WatchedNode[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { currency, address } of TOKENS.filter((token) => token.network === network)) {
    const statements = await askEach(nodes, (node) => node.tokenFacts(address));
    const agreement = agreedTokenFacts(`${currency} at ${address}`, statements);
    if (agreement.state === 'disagreed') differences.push(`${settingOf(network)}: ${agreement.reason}`);
  }
  return differences;
}

const settingOf = (network: EvmNetwork): string => `CHAIN_RPC_${network.toUpperCase()}`;
