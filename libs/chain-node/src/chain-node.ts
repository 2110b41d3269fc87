import type { Address, Hash, Hex } from 'viem';

export type { Address, Hash, Hex };

/** `latest` may be replaced, `safe` hardly, `finalized` not at all, as far as the chain's own rules reach. */
export type BlockTag = 'latest' | 'safe' | 'finalized';
export type BlockPlace = BlockTag | number | { blockHash: Hash };

export interface Block {
  number: number;
  hash: Hash;
  parentHash: Hash;
  /** Seconds since 1970. */
  timestamp: number;
  /** Undefined on a chain from before EIP-1559. */
  baseFeePerGas?: bigint;
}

export interface Log {
  /** The contract that emitted it, in lower case. */
  address: Address;
  topics: readonly Hex[];
  data: Hex;
  blockHash: Hash;
  blockNumber: number;
  transactionHash: Hash;
  /** Its place in the block: another one after a reorganisation, and therefore no name. */
  logIndex: number;
}

/** Only logs of these contracts, and with these topics by their places: one, one of several, or (null) any. */
export interface LogFilter {
  addresses?: readonly Address[];
  topics?: readonly (Hash | readonly Hash[] | null)[];
}

/** Heights; both are in it. */
export interface BlockRange {
  from: number;
  to: number;
}

export interface ReceiptLog extends Log {
  /** Its place among all logs of its transaction, from 0: the same in whichever block the transaction lands. */
  ordinal: number;
}

export interface Receipt {
  transactionHash: Hash;
  blockHash: Hash;
  blockNumber: number;
  succeeded: boolean;
  gasUsed: bigint;
  effectiveGasPrice: bigint;
  logs: readonly ReceiptLog[];
}

export interface TransactionOnChain {
  hash: Hash;
  from: Address;
  /** Undefined where it creates a contract. */
  to?: Address;
  nonce: number;
  value: bigint;
  input: Hex;
  /** Undefined while it waits in the pool. */
  blockHash?: Hash;
  blockNumber?: number;
}

export interface Call {
  from?: Address;
  to: Address;
  data?: Hex;
  value?: bigint;
}

export interface FeeHistory {
  oldestBlock: number;
  /** One more than blocks were asked for: the last is the next block's. */
  baseFeePerGas: readonly bigint[];
  /** By block, the priority fees at the percentiles that were asked for. */
  reward: readonly (readonly bigint[])[];
}

/** What must be as the list of tokens has it before anything of a token counts as money. */
export interface TokenFacts {
  /** Undefined where the contract has none, and is therefore no token. */
  decimals?: number;
  /** Keccak-256 of its code. */
  codeHash: Hash;
}

export interface Asking {
  signal?: AbortSignal;
  /** Of this one call. */
  timeoutMs?: number;
}

/**
 * What we ask of a node of an EVM chain. Whatever is not there, because it never was or because a reorganisation took it
 * away, is undefined where one thing is looked up, and an `unknown-block` where something is asked about a block. Everything
 * that goes wrong is a NodeFailure, which names the node; nothing is tried again here.
 */
export interface ChainNode {
  /** Its host, for messages; its URL may hold credentials. */
  readonly name: string;
  chainId(asking?: Asking): Promise<number>;
  blockByHash(hash: Hash, asking?: Asking): Promise<Block | undefined>;
  /** Undefined for a height above the head. */
  blockByNumber(place: BlockTag | number, asking?: Asking): Promise<Block | undefined>;
  logsOfBlock(hash: Hash, filter?: LogFilter, asking?: Asking): Promise<readonly Log[]>;
  /** Of the blocks that are the chain's now; fails with `too-much` where these are more than it answers about at once. */
  logsInRange(range: BlockRange, filter?: LogFilter, asking?: Asking): Promise<readonly Log[]>;
  /** In units of the token, after the block. */
  balanceOf(token: Address, account: Address, blockHash: Hash, asking?: Asking): Promise<bigint>;
  /** In wei. */
  coinsOf(account: Address, place: BlockPlace, asking?: Asking): Promise<bigint>;
  /** What it would return; fails with `reverted` and the contract's reason. */
  call(call: Call, place: BlockPlace, asking?: Asking): Promise<Hex>;
  transactionByHash(hash: Hash, asking?: Asking): Promise<TransactionOnChain | undefined>;
  receipt(hash: Hash, asking?: Asking): Promise<Receipt | undefined>;
  /** How many transactions of the account there are, up to a block: the next one's nonce. */
  nonceOf(account: Address, of: BlockPlace | 'pending', asking?: Asking): Promise<number>;
  feeHistory(blocks: number, percentiles: readonly number[], asking?: Asking): Promise<FeeHistory>;
  estimateGas(call: Call, asking?: Asking): Promise<bigint>;
  /** @returns whether the node took it, or had it: both are fine. Its hash is known before it is sent. */
  broadcast(raw: Hex, asking?: Asking): Promise<'accepted' | 'already-known'>;
  codeAt(address: Address, asking?: Asking): Promise<Hex>;
  /** Undefined where there is no contract. */
  tokenFacts(token: Address, asking?: Asking): Promise<TokenFacts | undefined>;
}
