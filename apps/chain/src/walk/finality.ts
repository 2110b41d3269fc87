/**
 * When a deposit is final: by the network's own finality (`finalized`), or after a number of confirmations, which may
 * depend on the amount. The block that a transfer is in is its first confirmation.
 */
import { Block } from '@stablecoin/chain-node/chain-node';
import { Token } from '@stablecoin/chains/tokens';
import { EvmNetwork } from '@stablecoin/chains/chains';

interface FinalityTier {
  /** Whole coins up to which the tier holds; null for any amount. */
  upTo: number | null;
  /** Null: as soon as the network says that it is final. */
  confirmations: number | null;
}

/** Tiers in the order of their amounts, the last one for any amount. */
export type FinalityPolicy = readonly FinalityTier[];

/** For nodes that do not know `finalized`: beyond what these networks have been seen to replace. */
const CONFIRMATIONS_WITHOUT_FINALITY: Readonly<Record<EvmNetwork, number>> = {
  erc20: 64,
  bep20: 21,
  polygon: 256,
};

const TIER = /^(?:(\d{1,12}):)?(finalized|[1-9]\d{0,3})$/;
const EXPECTED =
  'finalized, a number of confirmations, or tiers with ascending whole amounts and one without an amount at the end';

/** Reads `finalized`, `12`, or `100:2,10000:6,finalized`: up to 100 after 2, up to 10,000 after 6, the rest when final. */
export function parseFinality(text: string): FinalityPolicy {
  const tiers = text.split(',').map((part): FinalityTier => {
    const [, upTo, rule] = TIER.exec(part.trim()) ?? [];
    if (rule === undefined) throw new Error(EXPECTED);
    return {
      upTo: upTo === undefined ? null : Number(upTo),
      confirmations: rule === 'finalized' ? null : Number(rule),
    };
  });
  const amounts = tiers.slice(0, -1).map(({ upTo }) => upTo ?? -1);
  const ascends = amounts.every((upTo, index) => upTo > (amounts[index - 1] ?? 0));
  if (!ascends || tiers.at(-1)?.upTo !== null) throw new Error(EXPECTED);
  return tiers;
}

export function confirmationsFor(policy: FinalityPolicy, { decimals }: Token, units: bigint): number | null {
  const tier = policy.find(({ upTo }) => upTo === null || units <= BigInt(upTo) * 10n ** BigInt(decimals));
  return tier?.confirmations ?? null;
}

/** Up to where a chain is known, for deciding what is final. Both are heights of blocks that are walked. */
export interface FinalHeights {
  /** What the network calls final. */
  finalized: number;
  /** The newest block on which the nodes agree. */
  agreed: number;
}

export interface NodeHeights extends FinalHeights {
  /** Whether a node has said itself what is final; where none does, confirmations are counted. */
  areNamed: boolean;
}

/** Where a pass ended, and what was final then. */
export interface FormerPass {
  tail: readonly Block[];
  heights: FinalHeights | undefined;
}

interface Walked {
  /** The blocks that the pass went on from, and those that it has left. */
  from: readonly Block[];
  tail: readonly Block[];
  replaced: readonly Block[];
  /** The newest block, as it was asked for. */
  head: Block;
}

/**
 * What was final before the newest block was asked for, where everything up to that one is walked: the heights of the pass
 * before, if the walk went on from its end and no block was replaced. Undefined where this can't be said.
 */
export function settledHeights(
  former: FormerPass | undefined,
  { from, tail, replaced, head }: Walked,
): FinalHeights | undefined {
  const hasGoneOn = replaced.length === 0 && former?.tail.at(-1)?.hash === from.at(-1)?.hash;
  const hasReachedHead = (tail.at(-1)?.number ?? -1) >= head.number;
  return hasGoneOn && hasReachedHead ? former?.heights : undefined;
}

/** Where a node names no final block. */
export const countedFinal = (network: EvmNetwork, head: number): number =>
  Math.max(0, head - CONFIRMATIONS_WITHOUT_FINALITY[network] + 1);

/** The highest block in which a deposit with these confirmations is final. */
export const finalHeight = (confirmations: number | null, { finalized, agreed }: FinalHeights): number =>
  confirmations === null ? finalized : agreed - confirmations + 1;

/** The heights at which nodes are compared: everything that the policy calls final lies at one of them or below. */
export const comparedHeights = (policy: FinalityPolicy, heights: FinalHeights): number[] =>
  [...new Set(policy.map(({ confirmations }) => finalHeight(confirmations, heights)))].filter((height) => height >= 0);

/** Up to where everything is final, whatever its amount. */
export const wholeFinalHeight = (policy: FinalityPolicy, heights: FinalHeights): number =>
  Math.min(...policy.map(({ confirmations }) => finalHeight(confirmations, heights)));

export const usesFinalized = (policy: FinalityPolicy): boolean =>
  policy.some(({ confirmations }) => confirmations === null);
