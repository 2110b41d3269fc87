import { createHash } from 'node:crypto';
import { Block, ChainSource, Hex, NodeFailure, TransferLog } from '../nodes/chain-source';

/** A transfer that a transaction makes, wherever it is included. */
export interface PlannedTransfer {
  token: Hex;
  from: Hex;
  to: Hex;
  units: bigint;
}

export interface PlannedTransaction {
  hash: Hex;
  transfers: readonly PlannedTransfer[];
}

interface StoredBlock extends Block {
  transactions: readonly PlannedTransaction[];
}

export const hashOf = (...parts: (string | number)[]): Hex =>
  `0x${createHash('sha256').update(parts.join('/')).digest('hex')}`;
export const addressOf = (...parts: (string | number)[]): Hex => `0x${hashOf(...parts).slice(2, 42)}`;

/** A chain in memory whose newest blocks can be replaced. It answers as a node does. */
export class SimulatedChain implements ChainSource {
  /** Blocks below the newest one that count as final. */
  finalityDepth = 4;
  private readonly blocks = new Map<Hex, StoredBlock>();
  private canonical: StoredBlock[] = [];
  private made = 0;

  constructor(
    readonly name = 'simulated',
    private readonly id = 1,
  ) {
    this.mine([]);
  }

  get head(): StoredBlock {
    const head = this.canonical.at(-1);
    if (!head) throw new Error('a chain has a first block');
    return head;
  }

  mine(transactions: readonly PlannedTransaction[]): StoredBlock {
    const number = this.canonical.length;
    const block = {
      ...{ number, transactions, timestamp: 1_700_000_000 + number * 12 },
      hash: hashOf('block', (this.made += 1)),
      parentHash: this.canonical.at(-1)?.hash ?? hashOf('none'),
    };
    this.blocks.set(block.hash, block);
    this.canonical.push(block);
    return block;
  }

  /** Takes the newest blocks away. @returns their transactions */
  drop(depth: number): PlannedTransaction[] {
    return this.canonical.splice(this.canonical.length - depth).flatMap(({ transactions }) => transactions);
  }

  /** Another node of the same chain, as it is now. */
  fork(name: string): SimulatedChain {
    const other = new SimulatedChain(name, this.id);
    other.blocks.clear();
    this.blocks.forEach((block, hash) => other.blocks.set(hash, block));
    other.canonical = [...this.canonical];
    other.made = this.made + 1_000_000;
    return other;
  }

  /** The transfers that are on the chain now. */
  transfers(): TransferLog[] {
    return this.canonical.flatMap(logsOf);
  }

  chainId(): Promise<number> {
    return Promise.resolve(this.id);
  }

  block(at: number | 'latest' | 'finalized'): Promise<Block | undefined> {
    const number =
      at === 'latest' ? this.head.number : at === 'finalized' ? Math.max(0, this.head.number - this.finalityDepth) : at;
    return Promise.resolve(this.canonical[number]);
  }

  blockByHash(hash: Hex): Promise<Block | undefined> {
    return Promise.resolve(this.blocks.get(hash));
  }

  async transfersIn(blockHash: Hex): Promise<TransferLog[]> {
    const block = this.blocks.get(blockHash);
    if (!block || this.canonical[block.number] !== block)
      throw new NodeFailure('unknown_block', this.name, 'unknown block');
    return logsOf(block);
  }

  async transfersTo(addresses: readonly Hex[], from: number, to: number): Promise<TransferLog[]> {
    return this.canonical
      .slice(from, to + 1)
      .flatMap(logsOf)
      .filter((log) => addresses.includes(log.to));
  }

  decimalsOf(): Promise<number> {
    return Promise.resolve(6);
  }

  codeHashOf(token: Hex): Promise<Hex> {
    return Promise.resolve(hashOf('code', token));
  }
}

function logsOf({ number, hash, transactions }: StoredBlock): TransferLog[] {
  const transfers = transactions.flatMap((transaction) =>
    transaction.transfers.map((transfer) => ({ ...transfer, transactionHash: transaction.hash })),
  );
  return transfers.map((transfer, logIndex) => ({ ...transfer, logIndex, blockNumber: number, blockHash: hash }));
}
