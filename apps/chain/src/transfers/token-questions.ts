/** What tokens are asked besides what every ERC-20 has: whether they stand still, and for whom. */
import { Hash, Hex } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { ERC20 } from '@stablecoin/chains/erc20';
import { Token, TokenCurrency } from '@stablecoin/chains/tokens';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { SendingNode } from '../nodes/watched-node';

const ABI = parseAbi([
  'function paused() view returns (bool)',
  'function isBlackListed(address account) view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
]);
/** As Tether and Circle spell it. A contract that has none, as on BNB Smart Chain, blocks no one. */
const BLACKLIST = { USDT: 'isBlackListed', USDC: 'isBlacklisted' } as const satisfies Record<TokenCurrency, string>;

export const isPaused = (node: SendingNode, token: Token, blockHash: Hash): Promise<boolean> =>
  says(node, token, encodeFunctionData({ abi: ABI, functionName: 'paused' }), blockHash);

export const isBlacklisted = (node: SendingNode, token: Token, account: Hex, blockHash: Hash): Promise<boolean> =>
  says(
    node,
    token,
    encodeFunctionData({ abi: ABI, functionName: BLACKLIST[token.currency], args: [account] }),
    blockHash,
  );

export const transferCall = (token: Token, from: Hex, to: Hex, units: bigint) => ({
  from,
  to: token.address,
  data: encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [to, units] }),
});

/** False where the contract does not know the question: it reverts, or has nothing to say. */
async function says(node: SendingNode, { address }: Token, data: Hex, blockHash: Hash): Promise<boolean> {
  try {
    const answer = await node.call({ to: address, data }, { blockHash });
    return answer !== '0x' && BigInt(answer) !== 0n;
  } catch (error) {
    if (isNodeFailure(error, 'reverted')) return false;
    throw error;
  }
}
