// What a node has to be before anything that it says is used: one of the network's chain, with the listed tokens.

import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { type Token, TOKENS } from '@stablecoin/chains/tokens';
import type { Address, Asking, ChainNode, Hash, TokenFacts } from './chain-node';
import { type FailureKind, NodeFailure } from './node-failure';

/** The hash of the code by a token's address as the list has it, as it was found before. */
export type KnownCode = Readonly<Partial<Record<Address, Hash>>>;

/**
 * Says what the tokens' contracts are now, to be kept and given as `known` the next time. The real contracts that can be
 * changed are proxies, whose code stays: another code is another contract, and none of its logs may count.
 *
 * @throws NodeFailure `wrong-chain` or `wrong-token` with what is and what is wanted: the node or the settings have to be
 * corrected. Any other NodeFailure says nothing about either.
 */
export async function requireChain(
  node: Pick<ChainNode, 'name' | 'chainId' | 'tokenFacts'>,
  network: EvmNetwork,
  { known = {}, ...asking }: Asking & { known?: KnownCode } = {},
): Promise<KnownCode> {
  const refuse = (kind: FailureKind, method: string, detail: string) => {
    throw new NodeFailure({ kind, node: node.name, method, detail });
  };
  const { chainId, name } = CHAINS[network];
  const found = await node.chainId(asking);
  if (found !== chainId)
    refuse('wrong-chain', 'eth_chainId', `it is a node of chain ${found}, and ${network} is ${name}, chain ${chainId}`);
  const code: Partial<Record<Address, Hash>> = {};
  for (const token of TOKENS.filter((listed) => listed.network === network)) {
    const facts = await node.tokenFacts(token.address, asking);
    const wrong = objectionTo(token, facts, known[token.address]);
    if (wrong !== undefined) refuse('wrong-token', 'eth_getCode', `${token.currency} at ${token.address} ${wrong}`);
    if (facts !== undefined) code[token.address] = facts.codeHash;
  }
  return code;
}

function objectionTo(token: Token, facts: TokenFacts | undefined, known: Hash | undefined): string | undefined {
  if (facts === undefined) return 'has no code there';
  if (facts.decimals !== token.decimals)
    return `has ${facts.decimals ?? 'no'} decimals, and the list of tokens says ${token.decimals}`;
  if (known !== undefined && known !== facts.codeHash)
    return `has the code ${facts.codeHash}, and had ${known} before: it is another contract`;
  return undefined;
}
