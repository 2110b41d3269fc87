/** `0x` and lower-case digits. */
export type Hex = `0x${string}`;

export interface Block {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  timestamp: number;
}

/** A `Transfer` event, of whichever contract: only a listed token's is money. */
export interface TransferLog {
  token: Hex;
  transactionHash: Hex;
  /** Its place among all logs of the block: for their order only, since it changes when the block is replaced. */
  logIndex: number;
  from: Hex;
  to: Hex;
  units: bigint;
  blockNumber: number;
  blockHash: Hex;
}

/** What the watcher asks of a node. */
export interface ChainSource {
  /** For logs and metrics: without path and credentials, which hold a provider's key. */
  readonly name: string;
  chainId(): Promise<number>;
  /** Undefined where the node has no such block (yet). */
  block(at: number | 'latest' | 'finalized'): Promise<Block | undefined>;
  blockByHash(hash: Hex): Promise<Block | undefined>;
  /** @throws NodeFailure `unknown_block` where the node does not have the block, or has it no longer */
  transfersIn(blockHash: Hex): Promise<TransferLog[]>;
  transfersTo(addresses: readonly Hex[], from: number, to: number): Promise<TransferLog[]>;
  /** Undefined where the address has no code. */
  decimalsOf(token: Hex): Promise<number | undefined>;
  codeHashOf(token: Hex): Promise<Hex>;
}

export const NODE_FAILURES = ['throttled', 'timeout', 'unreachable', 'unknown_block', 'refused'] as const;
export type NodeFailureKind = (typeof NODE_FAILURES)[number];

/** A node did not answer as it should: says nothing about the chain. */
export class NodeFailure extends Error {
  constructor(
    readonly kind: NodeFailureKind,
    readonly node: string,
    message: string,
  ) {
    super(`${node}: ${message}`);
    this.name = 'NodeFailure';
  }
}
