/** What is offered to the network for a transaction, by EIP-1559. */
import { FeeHistory } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';

export interface Fees {
  /** Wei per gas, at the most. */
  maxFeePerGas: bigint;
  /** Of that, for the block's maker. */
  maxPriorityFeePerGas: bigint;
}

/** How many blocks, and what of each block's priority fees, the market is read from. */
export const FEE_BLOCKS = 10;
export const FEE_PERCENTILE = 50;

const GWEI = 10n ** 9n;
/** Below it, nodes of these networks take a transaction with reluctance or not at all. */
const PRIORITY_MIN: Readonly<Record<EvmNetwork, bigint>> = {
  erc20: GWEI / 10n,
  bep20: GWEI / 10n,
  polygon: 25n * GWEI,
};
/** In thousandths. Nodes ask for both fees a tenth higher; an eighth leaves room for their rounding. */
const RAISE = 1_125n;

/** Twice the base fee, so that six full blocks in a row, each of which raises it by an eighth, leave it mined. */
export function marketFees(network: EvmNetwork, { baseFeePerGas, reward }: FeeHistory): Fees {
  const rewards = reward.flatMap(([median]) => (median === undefined ? [] : [median])).sort(ascending);
  const paid = rewards[Math.floor(rewards.length / 2)] ?? 0n;
  const maxPriorityFeePerGas = paid > PRIORITY_MIN[network] ? paid : PRIORITY_MIN[network];
  return { maxFeePerGas: 2n * (baseFeePerGas.at(-1) ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/** What replaces a transaction that waits with `before`: an eighth more of both, and never less than the market. */
export function raisedFees(before: Fees, market: Fees): Fees {
  const maxPriorityFeePerGas = highest(raised(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const maxFeePerGas = highest(raised(before.maxFeePerGas), market.maxFeePerGas, maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Of two nodes, the one that asks for less: one that lies can't have us overpay. */
export const lowerFees = (one: Fees, other: Fees): Fees => (one.maxFeePerGas <= other.maxFeePerGas ? one : other);

/** The most that a transaction may cost. */
export const feeLimit = ({ gas, maxFeePerGas }: { gas: number; maxFeePerGas: bigint }): bigint =>
  BigInt(gas) * maxFeePerGas;

const raised = (fee: bigint): bigint => (fee * RAISE) / 1_000n + 1n;
const highest = (...fees: bigint[]): bigint => fees.reduce((one, other) => (other > one ? other : one));
const ascending = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);
