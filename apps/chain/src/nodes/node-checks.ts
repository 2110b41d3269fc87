import { CHAINS, EvmNetwork } from '@stablecoin/chains/chains';
import { Token, TOKENS } from '@stablecoin/chains/tokens';
import { ChainSource, Hex } from './chain-source';

/** A node, or what is on its chain, is not what the configuration says: nothing of it may be used. */
export class WrongChain extends Error {}

/**
 * Whether a node is of the network's chain and has the listed tokens there, with the decimals of the list.
 *
 * @throws WrongChain, naming both sides
 * @throws NodeFailure while the node does not answer: that says nothing
 */
export async function requireRightChain(network: EvmNetwork, source: ChainSource): Promise<void> {
  const { chainId, name } = CHAINS[network];
  const actual = await source.chainId();
  if (actual !== chainId)
    throw new WrongChain(
      `${settingOf(network)}: ${source.name} is a node of chain ${actual}, and ${network} is ${name}, chain ${chainId}`,
    );
  for (const token of tokensOn(network)) {
    const decimals = await source.decimalsOf(lower(token.address));
    if (decimals !== token.decimals)
      throw new WrongChain(
        `${settingOf(network)}: at ${source.name}, ${token.currency} at ${token.address} has ` +
          `${decimals === undefined ? 'no decimals' : `${decimals} decimals`}, and the list of tokens says ${token.decimals}`,
      );
  }
}

/**
 * Whether two nodes have the same code at the addresses of the listed tokens.
 *
 * @throws WrongChain, naming both
 * @throws NodeFailure while one of them does not answer
 */
export async function requireSameTokens(network: EvmNetwork, one: ChainSource, other: ChainSource): Promise<void> {
  for (const { currency, address } of tokensOn(network)) {
    const [first, second] = await Promise.all([one, other].map((source) => source.codeHashOf(lower(address))));
    if (first !== second)
      throw new WrongChain(
        `${settingOf(network)}: ${currency} at ${address} has the code ${first} at ${one.name} and ${second} at ${other.name}`,
      );
  }
}

const settingOf = (network: EvmNetwork): string => `CHAIN_RPC_${network.toUpperCase()}`;
const tokensOn = (network: EvmNetwork): Token[] => TOKENS.filter((token) => token.network === network);
const lower = (address: string): Hex => address.toLowerCase() as Hex;
