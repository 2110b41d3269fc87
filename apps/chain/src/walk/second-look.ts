/**
 * Looks again at blocks that were walked before: at each once it is final, for addresses that became known since, and
 * where an operator asks for it. Nothing becomes final by that: the next pass sees to it, where the nodes agree.
 */
import { Injectable, Logger } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { KnownAddresses } from '../addresses/known-addresses';
import { ChainNodes } from '../nodes/chain-nodes';
import { transfersTo } from '../nodes/transfer-logs';
import { WatchedNode } from '../nodes/watched-node';
import { DepositFinder, NumberedBlock } from './deposit-finder';
import { ADDRESSES_MAX, BLOCKS_MAX, RANGE_MAX } from './limits';
import { Walk, WalkStore } from './walk-store';

/** How far the clocks of a chain and of the ledger may be apart, in seconds. */
const CLOCKS_APART_S = 600;

@Injectable()
export class SecondLook {
  private readonly log = new Logger(SecondLook.name);
  private readonly failing = new Set<EvmNetwork>();

  constructor(
    private readonly nodes: ChainNodes,
    private readonly finder: DepositFinder,
    private readonly store: WalkStore,
    private readonly addresses: KnownAddresses,
  ) {}

  /** @returns whether there is more to look at */
  async pass(network: EvmNetwork, node: WatchedNode, walk: Walk): Promise<boolean> {
    const moreFinal = await this.atFinalBlocks(network, node, walk);
    const more = await this.alongAny(network, node, async (along) => {
      const moreAddresses = await this.forAddresses(network, along, walk);
      return (await this.rescan(network, along, walk)) || moreAddresses;
    });
    return more || moreFinal;
  }

  /** Nodes may not have old logs, or not answer for ranges: what they have of new blocks must not wait for that. */
  private async alongAny(
    network: EvmNetwork,
    first: WatchedNode,
    look: (along: WatchedNode) => Promise<boolean>,
  ): Promise<boolean> {
    const failures: string[] = [];
    for (const node of [first, ...this.nodes.of(network).filter((each) => each !== first)]) {
      try {
        const more = await look(node);
        this.failing.delete(network);
        return more;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        failures.push(error.message);
      }
    }
    if (!this.failing.has(network))
      this.log.warn(`${network}: blocks that were walked could not be looked at again: ${failures.join('; ')}`);
    this.failing.add(network);
    return false;
  }

  /**
   * A node may leave out logs without an error: one of a pool that has the block and not its logs yet, or one that lies. So
   * each block is asked for again when it is final, of the other node where there is one.
   */
  private async atFinalBlocks(network: EvmNetwork, along: WatchedNode, walk: Walk): Promise<boolean> {
    const [other = along] = this.nodes.of(network).filter((node) => node !== along);
    const to = Math.min(walk.finalNumber, walk.checkedNumber + BLOCKS_MAX);
    if (to <= walk.checkedNumber) return false;
    try {
      const blocks = await this.store.walkedBlocks(network, walk.checkedNumber + 1, to);
      const changes = await this.finder.changes(network, other, { blocks, replaced: [], heights: undefined });
      await this.store.addFound(network, changes, { checkedNumber: to });
      return to < walk.finalNumber;
    } catch (error) {
      // The other node is away, or of another opinion: the walk goes on without it, and the blocks wait for it.
      if (error instanceof NodeFailure) return false;
      throw error;
    }
  }

  /**
   * A deposit may arrive before the fact of its address. Passes of a network follow one another: every block up to the tip
   * was walked without these addresses, and every later one is walked with them.
   */
  private async forAddresses(network: EvmNetwork, node: WatchedNode, walk: Walk): Promise<boolean> {
    const unchecked = await this.addresses.unchecked(network, ADDRESSES_MAX);
    const [oldest] = unchecked;
    const tip = walk.tail.at(-1);
    if (!oldest || !tip) return false;
    const addresses = unchecked.map(({ address }) => address);
    const since = Math.floor(oldest.recordedAt.getTime() / 1_000) - CLOCKS_APART_S;
    const first = await this.firstBlockSince(network, node, walk, since);
    const blocks = new Map<Hex, NumberedBlock>();
    for (let from = first; from <= tip.number; from += RANGE_MAX) {
      const to = Math.min(from + RANGE_MAX - 1, tip.number);
      const logs = await this.nodes.ask(network, node, () => transfersTo(node, addresses, { from, to }));
      for (const { blockHash, blockNumber } of logs) blocks.set(blockHash, { hash: blockHash, number: blockNumber });
    }
    const found = { blocks: [...blocks.values()].filter(isWalked(walk)), replaced: [], heights: undefined };
    await this.store.addFound(network, await this.finder.changes(network, node, found), { addresses });
    return unchecked.length === ADDRESSES_MAX;
  }

  private async rescan(network: EvmNetwork, node: WatchedNode, walk: Walk): Promise<boolean> {
    const from = walk.rescanFrom;
    const tip = walk.tail.at(-1)?.number ?? 0;
    if (from === null) return false;
    const to = Math.min(from + BLOCKS_MAX - 1, tip);
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const asked = await Promise.all(numbers.map((number) => this.nodes.blockAt(network, node, number)));
    const blocks = asked.filter(isWalked(walk));
    const hashAt = new Map(blocks.map(({ number, hash }) => [number, hash]));
    const stored = await this.store.blocksOfDeposits(network, from, to);
    const replaced = stored.filter(({ number, hash }) => hashAt.has(number) && hashAt.get(number) !== hash);
    const changed = blocks.filter(({ number }) => replaced.some((each) => each.number === number));
    await this.requireShared(network, node, changed);
    const changes = await this.finder.changes(network, node, { blocks, replaced, heights: undefined });
    const next = to >= tip ? null : to + 1;
    await this.store.addFound(network, changes, { rescanFrom: next, rescannedFrom: from });
    if (next === null) this.log.log(`${network}: the rescan has reached block ${tip}`);
    return next !== null;
  }

  /**
   * Below the walked blocks nothing else tells that a block was replaced, and money that was credited is taken back for it.
   *
   * @throws NodeFailure where another node has another block there
   */
  private async requireShared(
    network: EvmNetwork,
    along: WatchedNode,
    blocks: readonly NumberedBlock[],
  ): Promise<void> {
    for (const node of this.nodes.of(network).filter((each) => each !== along)) {
      for (const { number, hash } of blocks) {
        if ((await this.nodes.blockAt(network, node, number)).hash === hash) continue;
        instruments.chain_node_disagreements_total.inc({ network });
        const disagreement = `it has another block ${number} than ${node.name}, not the one that was walked`;
        this.log.error(`${network}: the nodes disagree, no deposit is taken back: ${along.name}: ${disagreement}`);
        const method = 'eth_getBlockByNumber';
        throw new NodeFailure({ kind: 'malformed-answer', node: along.name, method, detail: disagreement });
      }
    }
  }

  /** By bisection, where the tail does not reach back to it. */
  private async firstBlockSince(network: EvmNetwork, node: WatchedNode, walk: Walk, time: number): Promise<number> {
    const [oldest] = walk.tail;
    if (!oldest) return walk.startNumber;
    if (oldest.timestamp < time) return walk.tail.find(({ timestamp }) => timestamp >= time)?.number ?? oldest.number;
    let [low, high] = [walk.startNumber, oldest.number];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { timestamp } = await this.nodes.blockAt(network, node, middle);
      if (timestamp < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A block of the tail that was replaced since comes with the next pass. */
const isWalked =
  ({ tail }: Walk) =>
  ({ number, hash }: NumberedBlock): boolean =>
    (tail.find((block) => block.number === number)?.hash ?? hash) === hash;
