// Makes a chain's blocks, one a second while there is something to put into them or to make final, and else a rare one:
// a chain at rest takes no processor time, and its file doesn't grow by 150 MB a day.
//
// It also saves the chain, and never makes a block that would be the reason for an unsaved one to be final: however anvil
// ends, what was final is there again, and what wasn't is lost as in a reorganisation, which services have to stand anyway.

import { errorMessage } from '@stablecoin/command-line/error-code';
import { BLOCKS_UNTIL_FINAL } from './anvil';
import type { AnvilRpc } from './anvil-rpc';

export const BLOCK_TIME_MS = 1_000;
/** A head that never moves would look like a node that hangs. */
const IDLE_BLOCK_TIME_S = 60;
const UNSAVED_BLOCKS_MAX = BLOCKS_UNTIL_FINAL;

interface Head {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: readonly string[];
}

export interface BlockProducerOptions {
  rpc: AnvilRpc;
  save: () => Promise<void>;
  /** A failure of anvil or of the disk; the next try comes with the next block. */
  onFailure: (message: string) => void;
  blockTimeMs?: number;
}

export class BlockProducer {
  private savedHeight = -1;
  /** The last block that has to become final. */
  private lastOfInterest = -1;
  private head: Head | undefined;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: BlockProducerOptions) {}

  /** Everything up to the head becomes final, so that after a restart `finalized` has a state that can be asked. */
  async start(): Promise<void> {
    await this.save(Number(await this.options.rpc.call<string>('eth_blockNumber')));
    this.lastOfInterest = this.savedHeight;
    this.plan();
  }

  /** Ends the production and saves a last time. */
  async stop(): Promise<void> {
    await this.abandon();
    await this.options.save();
  }

  /** Ends the production of a chain whose anvil has ended. */
  async abandon(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.working = this.step()
        .catch((error: unknown) => {
          if (!this.stopped) this.options.onFailure(errorMessage(error));
        })
        .finally(() => this.plan());
    }, this.options.blockTimeMs ?? BLOCK_TIME_MS);
  }

  private async step(): Promise<void> {
    const [head, pool] = await this.options.rpc.callAll<[Head, { pending: string }]>(
      ['eth_getBlockByNumber', 'latest', false],
      ['txpool_status'],
    );
    const height = Number(head.number);
    if (head.transactions.length > 0 || !this.isExpected(head)) this.lastOfInterest = height;
    this.head = head;
    const ageS = Date.now() / 1_000 - Number(head.timestamp);
    const isWanted = Number(pool.pending) > 0 || height < this.lastOfInterest + BLOCKS_UNTIL_FINAL;
    if (!isWanted && ageS < IDLE_BLOCK_TIME_S) return;
    if (Math.abs(height - this.savedHeight) >= UNSAVED_BLOCKS_MAX) await this.save(height);
    await this.options.rpc.call('evm_mine');
  }

  /**
   * Not so is what others made: a developer's own evm_mine, or a reorganisation that a test ordered, which may be of the same
   * height.
   */
  private isExpected({ hash, parentHash }: Head): boolean {
    return hash === this.head?.hash || parentHash === this.head?.hash;
  }

  private async save(height: number): Promise<void> {
    await this.options.save();
    this.savedHeight = height;
  }
}
