import { createHash } from 'node:crypto';
import { Block, BlockRange, BlockTag, Hash, Hex, Log, LogFilter, TokenFacts } from '@stablecoin/chain-node/chain-node';
import { topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { toHex } from 'viem/utils';
import { lacking } from '../nodes/chain-nodes';
import { TransferLog } from '../nodes/transfer-logs';
import { WatchedNode } from '../nodes/watched-node';

/** A transfer that a transaction makes, wherever it is included. */
interface PlannedTransfer {
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
export class SimulatedChain implements WatchedNode {
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
    return this.canonical.flatMap(transfersOf);
  }

  chainId(): Promise<number> {
    return Promise.resolve(this.id);
  }

  blockByNumber(place: BlockTag | number): Promise<Block | undefined> {
    const final = Math.max(0, this.head.number - this.finalityDepth);
    const number = typeof place === 'number' ? place : place === 'latest' ? this.head.number : final;
    return Promise.resolve(this.canonical[number]);
  }

  blockByHash(hash: Hash): Promise<Block | undefined> {
    return Promise.resolve(this.blocks.get(hash));
  }

  async logsOfBlock(hash: Hash, filter: LogFilter = {}): Promise<Log[]> {
    const block = this.blocks.get(hash);
    if (!block || this.canonical[block.number] !== block) throw lacking(this, 'eth_getLogs', 'unknown block');
    return logsOf(block, filter);
  }

  async logsInRange({ from, to }: BlockRange, filter: LogFilter = {}): Promise<Log[]> {
    return this.canonical.slice(from, to + 1).flatMap((block) => logsOf(block, filter));
  }

  tokenFacts(token: Hex): Promise<TokenFacts> {
    return Promise.resolve({ decimals: 6, codeHash: hashOf('code', token) });
  }
}

function transfersOf({ number, hash, transactions }: StoredBlock): TransferLog[] {
  const transfers = transactions.flatMap((transaction) =>
    transaction.transfers.map((transfer) => ({ ...transfer, transactionHash: transaction.hash })),
  );
  return transfers.map((transfer, logIndex) => ({ ...transfer, logIndex, blockNumber: number, blockHash: hash }));
}

const logsOf = (block: StoredBlock, { topics = [] }: LogFilter): Log[] =>
  transfersOf(block)
    .map(({ token, from, to, units, ...log }) => ({
      ...{ ...log, address: token, data: toHex(units, { size: 32 }) },
      topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to)],
    }))
    .filter((log) => topics.every((wanted, place) => wanted === null || [wanted].flat().includes(log.topics[place]!)));
