/**
 * What happens in one schedule, and in which order: drawn from its seed alone, so that the same seed gives the same steps
 * again. What they hit depends on the moment.
 */
import { type TokenCurrency, TOKEN_CURRENCIES } from '@stablecoin/chains/tokens';
import { Drawing } from '@stablecoin/testing/drawing';

/** Processes that are ended by SIGKILL. */
export const KILLED = ['chain', 'signer', 'wallet-ledger', 'payout', 'broker'] as const;
export type Killed = (typeof KILLED)[number];

/** Databases whose backends are ended, some of them at once. */
export const BACKENDS = ['chain', 'ledger', 'payout'] as const;

/** The chain service, ended at the moment at which it hands a transaction to a node: before the node has it, or after. */
export const SENDING_MOMENTS = ['before', 'after'] as const;

export const DEPOSIT_SHAPES = [
  'one transfer',
  'several in one transaction',
  'of nothing',
  'of another currency',
  'of an unlisted token',
  'reverted',
] as const;
export type DepositShape = (typeof DEPOSIT_SHAPES)[number];

export const NODE_FAULTS = [
  'throttled',
  'fails',
  'silent',
  'cut before',
  'cut after',
  'slow',
  'lags',
  'forgets transactions',
  'loses the latest transactions',
] as const;
/** Of one node of a schedule at the most: where both lie alike, the service can know no better. */
export const NODE_LIES = [
  'leaves out transfers',
  'makes transfers up',
  'has other blocks',
  'has no receipts',
  'has other receipts',
  'counts more transactions',
] as const;
export type NodeFaultName = (typeof NODE_FAULTS)[number] | (typeof NODE_LIES)[number];

export const WALLETS = 3;
/** Blocks that are replaced at once; what is deeper than the last one that is final is drawn rarely. */
const DEPTH_MAX = 8;
const DEPTH_BEYOND_FINAL_MAX = 11;

export type Step =
  | { kind: 'deposit'; shape: DepositShape; wallets: readonly number[]; units: readonly number[] }
  | { kind: 'payout'; currency: TokenCurrency; units: number }
  | { kind: 'mine'; blocks: number }
  | { kind: 'reorganise'; depth: number; draw: number }
  | { kind: 'send again' }
  | { kind: 'kill'; what: Killed }
  | { kind: 'kill as it sends'; moment: (typeof SENDING_MOMENTS)[number]; node: 0 | 1 }
  | { kind: 'end backends'; database: (typeof BACKENDS)[number]; draw: number }
  | { kind: 'node fault'; node: 0 | 1; fault: NodeFaultName; ofTen: number }
  | { kind: 'nodes heal' };

export interface PlannedStep {
  /** Nothing is done for so long before it. */
  afterMs: number;
  step: Step;
}

export interface Schedule {
  seed: number;
  steps: readonly PlannedStep[];
}

export function scheduleOf(seed: number): Schedule {
  const draw = new Drawing(seed);
  const liar = draw.below(2) as 0 | 1;
  const isDeep = draw.below(12) === 0;
  const several = (least: number, most: number, one: () => Step): Step[] =>
    Array.from({ length: least + draw.below(most - least + 1) }, one);
  const drawn = [
    ...several(3, 6, () => depositOf(draw)),
    ...several(1, 4, () => payoutOf(draw)),
    ...several(4, 8, () => ({ kind: 'mine', blocks: 1 + draw.below(3) })),
    ...several(1, 3, () => ({ kind: 'reorganise', depth: 1 + draw.below(DEPTH_MAX), draw: draw.below(1_000_000) })),
    ...several(0, 2, () => nodeFaultOf(draw, liar)),
    ...several(1, 2, () => endOf(draw)),
    ...several(0, 1, () => ({ kind: 'nodes heal' })),
    ...several(0, 1, () => ({ kind: 'send again' })),
  ];
  const order = draw.shuffled(drawn);
  if (isDeep) {
    const depth = DEPTH_MAX + 1 + draw.below(DEPTH_BEYOND_FINAL_MAX - DEPTH_MAX);
    order.push({ kind: 'mine', blocks: DEPTH_MAX + 1 }, { kind: 'reorganise', depth, draw: draw.below(1_000_000) });
  }
  return { seed, steps: order.map((step) => ({ afterMs: pauseOf(draw), step })) };
}

function depositOf(draw: Drawing): Step {
  const shape =
    draw.below(3) === 0
      ? draw.oneOf(DEPOSIT_SHAPES)
      : draw.oneOf(['one transfer', 'several in one transaction'] as const);
  const count = shape === 'several in one transaction' ? 2 + draw.below(2) : 1;
  const several = (one: () => number) => Array.from({ length: count }, one);
  return {
    kind: 'deposit',
    shape,
    wallets: several(() => draw.below(WALLETS)),
    // In millionths. Few amounts, so that transfers in one transaction may be alike.
    units: several(() => 1_000_000 * (1 + draw.below(3)) + draw.below(2)),
  };
}

const payoutOf = (draw: Drawing): Step => ({
  kind: 'payout',
  currency: draw.oneOf(TOKEN_CURRENCIES),
  units: 1_000 * (1 + draw.below(900)),
});

function nodeFaultOf(draw: Drawing, liar: 0 | 1): Step {
  const lies = draw.below(2) === 0;
  const fault = lies ? draw.oneOf(NODE_LIES) : draw.oneOf(NODE_FAULTS);
  const node = lies ? liar : (draw.below(2) as 0 | 1);
  return { kind: 'node fault', node, fault, ofTen: draw.oneOf([3, 6, 10]) };
}

function endOf(draw: Drawing): Step {
  const kind = draw.below(10);
  if (kind < 5) return { kind: 'kill', what: draw.below(2) === 0 ? 'chain' : draw.oneOf(KILLED) };
  if (kind < 8) return { kind: 'kill as it sends', moment: draw.oneOf(SENDING_MOMENTS), node: draw.below(2) as 0 | 1 };
  return { kind: 'end backends', database: draw.oneOf(BACKENDS), draw: draw.below(1_000_000) };
}

/** Mostly short, so that a step meets what the one before has set off. */
const pauseOf = (draw: Drawing): number => (draw.below(3) === 0 ? draw.below(250) : draw.below(40));

/** As a person reads it. */
export function told({ afterMs, step }: PlannedStep): string {
  const { kind, ...rest } = step;
  const details = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
  return `after ${afterMs} ms: ${[kind, ...details].join(', ')}`;
}
