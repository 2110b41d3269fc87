/**
 * What the chain has said, look after look: the transfers that are on it now, those that were in a final block at any time,
 * and those that were missing from it for so long that they had to be taken for gone. It reads the node itself, without the
 * proxies that lie, and shares nothing with the service that it judges.
 */
import { transferOf } from '@stablecoin/chains/erc20';

type Hex = `0x${string}`;

/** A block, and the `Transfer` logs that are in it, in their order. */
export interface SeenBlock {
  number: number;
  hash: Hex;
  transfers: readonly SeenTransfer[];
}

export interface SeenTransfer {
  transactionHash: Hex;
  /** The contract that emitted it, in lower case, as are the other addresses. */
  token: Hex;
  from: Hex;
  to: Hex;
  units: bigint;
}

/** The newest blocks, ascending, and the height of the last one that is final. */
export interface Look {
  blocks: readonly SeenBlock[];
  final: number;
}

interface Sighting {
  transfer: SeenTransfer;
  /** The lowest block that it was ever in. */
  lowest: number;
  wasFinal: boolean;
  /** It was in no block while one as high as one that it had been in was final. */
  wasGone: boolean;
}

/** More than a schedule has, also one that waits to its deadline, with a block at each poll. */
const KEPT = 2_048;

export class ChainRecord {
  private blocks: SeenBlock[] = [];
  private finalHeight = -1;
  /** What is in blocks up to here is of work that is over. */
  private floor = -1;
  private readonly sightings = new Map<string, Sighting>();

  get height(): number {
    return this.blocks.at(-1)?.number ?? -1;
  }

  get headHash(): Hex | undefined {
    return this.blocks.at(-1)?.hash;
  }

  get final(): number {
    return this.finalHeight;
  }

  /** The newest of these blocks replace those of their heights and above. */
  take({ blocks, final }: Look): void {
    const [first] = blocks;
    if (!first) return;
    const kept = this.blocks.filter(({ number }) => number < first.number);
    if (kept.length > 0 && kept.at(-1)?.number !== first.number - 1)
      throw new Error(`blocks after ${kept.at(-1)?.number ?? -1} were not looked at`);
    const looked = blocks.map((block) => (block.number > this.floor ? block : { ...block, transfers: [] }));
    this.blocks = [...kept, ...looked].slice(-KEPT);
    this.finalHeight = final;
    for (const { number, transfers } of this.blocks)
      for (const transfer of transfers) {
        const key = keyOf(transfer);
        const known = this.sightings.get(key);
        const lowest = Math.min(known?.lowest ?? number, number);
        const wasFinal = known?.wasFinal === true || number <= final;
        this.sightings.set(key, { transfer, lowest, wasFinal, wasGone: known?.wasGone ?? false });
      }
    const present = new Set(this.blocks.flatMap(({ transfers }) => transfers.map(keyOf)));
    for (const [key, sighting] of this.sightings)
      if (!present.has(key) && sighting.lowest <= final && this.reaches(sighting.lowest)) sighting.wasGone = true;
  }

  /** The transfers in the blocks that are kept. */
  transfers(): (SeenTransfer & { blockNumber: number })[] {
    return this.blocks.flatMap(({ number, transfers }) => transfers.map((each) => ({ ...each, blockNumber: number })));
  }

  /** Each transfer that was on the chain at any time. */
  everSeen(): SeenTransfer[] {
    return [...this.sightings.values()].map(({ transfer }) => transfer);
  }

  wasFinal(transfer: SeenTransfer): boolean {
    return this.sightingOf(transfer)?.wasFinal === true;
  }

  wasGone(transfer: SeenTransfer): boolean {
    return this.sightingOf(transfer)?.wasGone === true;
  }

  /** Before new work begins, when all of the former one is final: what was seen before doesn't matter any more. */
  forget(): void {
    this.floor = this.finalHeight;
    this.sightings.clear();
    this.blocks = this.blocks.map((block) => ({ ...block, transfers: [] }));
  }

  private sightingOf(transfer: SeenTransfer): Sighting | undefined {
    return this.sightings.get(keyOf(transfer));
  }

  /** Whether the kept blocks go back to this height, so that what they lack there is missing. */
  private reaches(height: number): boolean {
    return (this.blocks[0]?.number ?? Infinity) <= height;
  }
}

/** Transfers that are alike in one transaction can't be told apart, and need not be. */
const keyOf = ({ transactionHash, token, to, units }: SeenTransfer): string =>
  [transactionHash, token, to, units].join(':');

interface RawLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  transactionHash: Hex;
  blockNumber: Hex;
}

/** The logs of a range of blocks as transfers of each. */
export function transfersByBlock(logs: readonly RawLog[]): Map<number, SeenTransfer[]> {
  const byBlock = new Map<number, SeenTransfer[]>();
  for (const log of logs) {
    const transfer = transferOf(log);
    if (!transfer) continue;
    const number = Number(log.blockNumber);
    const { transactionHash } = log;
    const seen = { ...transfer, transactionHash, token: log.address.toLowerCase() as Hex };
    byBlock.set(number, [...(byBlock.get(number) ?? []), seen]);
  }
  return byBlock;
}
