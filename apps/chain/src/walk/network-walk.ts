/**
 * One pass over one network: from the tip that is stored to the newest block of the node, a bounded number of blocks at a
 * time.
 *
 * | phase      | asks the nodes for                            | decides                     | bounded by         |
 * |------------|-----------------------------------------------|-----------------------------|--------------------|
 * | choose     | of each: its newest block                     | along which node to walk    | two nodes          |
 * | follow     | the next blocks by number, each the parent of | which walked blocks were    | BLOCKS_MAX; back,  |
 * |            | the next; else parents by their hashes        | replaced (connect.ts)       | TAIL_MAX           |
 * | agree      | of each: how far the chain is final, and that | up to which height deposits | two nodes          |
 * |            | block's hash                                  | are final (finality.ts), or |                    |
 * |            |                                               | gone, by the pass before    |                    |
 * | find       | the transfers of each block, by its hash; of  | what follows for deposits   | BLOCKS_MAX         |
 * |            | each node again, before a deposit is final    | (decide-deposits.ts)        |                    |
 * | commit     | nothing                                       | tip, tail and deposits, if  | one transaction    |
 * |            |                                               | the lease still holds       |                    |
 * | look again | final blocks, of the other node; transfers to | as above                    | BLOCKS_MAX,        |
 * |            | addresses that became known since; a rescan's |                             | ADDRESSES_MAX      |
 *
 * Walking along either node is safe, because every block names its parent; money moves only where they agree.
 */
import { Injectable, Logger } from '@nestjs/common';
import { Block } from '@stablecoin/chain-node/chain-node';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { DepositWorker } from '../deposits/deposit-worker';
import { ChainNodes, NodeHead } from '../nodes/chain-nodes';
import { WatchedNode } from '../nodes/watched-node';
import { BlockFollower, TooDeep } from './block-follower';
import { DepositChanges, NO_CHANGES } from './decide-deposits';
import { DepositFinder } from './deposit-finder';
import { type FormerPass, settledHeights, wholeFinalHeight } from './finality';
import { NodeAgreement } from './node-agreement';
import { SecondLook } from './second-look';
import { Walk, WalkStore } from './walk-store';

@Injectable()
export class NetworkWalk {
  private readonly log = new Logger(NetworkWalk.name);
  /** Where the last pass of this instance ended, and what was final then. */
  private readonly former = new Map<EvmNetwork, FormerPass>();

  constructor(
    private readonly nodes: ChainNodes,
    private readonly follower: BlockFollower,
    private readonly agreement: NodeAgreement,
    private readonly finder: DepositFinder,
    private readonly secondLook: SecondLook,
    private readonly store: WalkStore,
    private readonly configuration: ChainConfiguration,
    private readonly worker: DepositWorker,
  ) {}

  /**
   * @returns whether there is more to do at once
   * @throws NodeFailure or TooDeep of the first node, where none can be walked along
   */
  async pass(network: EvmNetwork): Promise<boolean> {
    const failures: Error[] = [];
    const heads = await this.nodes.heads(network);
    for (const { node, head } of heads) {
      try {
        return await this.passAlong(network, node, head, heads);
      } catch (error) {
        if (!(error instanceof NodeFailure || error instanceof TooDeep)) throw error;
        failures.push(error);
      }
    }
    throw failures[0] ?? new Error(`${network} has no nodes`);
  }

  private async passAlong(
    network: EvmNetwork,
    node: WatchedNode,
    head: Block,
    heads: readonly NodeHead[],
  ): Promise<boolean> {
    const walk = await this.store.load(network);
    if (!walk) {
      await this.begin(network, node, head);
      return true;
    }
    try {
      return await this.goOn(network, node, walk, head, heads);
    } catch (error) {
      if (!(error instanceof TooDeep) || walk.rescanFrom === null) throw error;
      await this.beginAnew(network, node, { head, number: walk.rescanFrom, knowsFinality: walk.knowsFinality });
      return true;
    }
  }

  private async goOn(
    network: EvmNetwork,
    node: WatchedNode,
    walk: Walk,
    head: Block,
    heads: readonly NodeHead[],
  ): Promise<boolean> {
    const followed = await this.follower.follow(network, node, walk.tail, head);
    const { ancestor, replaced, tail } = followed;
    if (replaced.length > 0)
      this.log.warn(`${network}: ${replaced.length} blocks after ${ancestor.number} (${ancestor.hash}) were replaced`);
    if (replaced.length > 0 && ancestor.number < walk.finalNumber) this.reportBrokenFinality(network, walk, ancestor);
    const heights = await this.agreement.heights(network, node, { walk, tail, heads });
    const settled = settledHeights(this.former.get(network), { ...followed, from: walk.tail, head });
    const changes = await this.finder.changes(network, node, { ...followed, heights, settled });
    const finalNumber = heights
      ? Math.max(walk.finalNumber, wholeFinalHeight(this.configuration.finality(network), heights))
      : walk.finalNumber;
    const knowsFinality = walk.knowsFinality || heights?.areNamed === true;
    const step = { network, from: walk, ...followed, headNumber: head.number, finalNumber, knowsFinality, changes };
    await this.store.advance(step);
    this.former.set(network, { tail, heights });
    this.wake(changes);
    const isBehind = (tail.at(-1)?.number ?? 0) < head.number;
    return (await this.secondLook.pass(network, node, { ...walk, tail })) || isBehind;
  }

  /** At the newest block that is final: what came before was not ours to see. */
  private async begin(network: EvmNetwork, node: WatchedNode, head: Block): Promise<void> {
    const finalNumber = await this.agreement.finalizedNumber(network, node, head.number);
    const ancestor = await this.nodes.blockAt(network, node, finalNumber);
    const step = { network, from: undefined, ancestor, blocks: [], headNumber: head.number, finalNumber };
    await this.store.advance({ ...step, knowsFinality: false, changes: NO_CHANGES });
    this.log.log(`${network}: walking from block ${finalNumber} on`);
  }

  /** Where an operator said so. Deposits in later blocks are seen again there, or are not on the chain. */
  private async beginAnew(
    network: EvmNetwork,
    node: WatchedNode,
    { head, number, knowsFinality }: { head: Block; number: number; knowsFinality: boolean },
  ): Promise<void> {
    const ancestor = await this.nodes.blockAt(network, node, number);
    const replaced = await this.store.blocksOfDeposits(network, number + 1);
    const changes = await this.finder.changes(network, node, { blocks: [], replaced, heights: undefined });
    const step = {
      network,
      from: undefined,
      ancestor,
      blocks: [],
      headNumber: head.number,
      finalNumber: number,
      knowsFinality,
      changes,
    };
    await this.store.restart(step);
    this.wake(changes);
    this.log.warn(`${network}: walking anew from block ${number} (${ancestor.hash}) on`);
  }

  /** With deposits in those blocks or without. */
  private reportBrokenFinality(network: EvmNetwork, { finalNumber }: Walk, ancestor: Block): void {
    instruments.chain_finality_broken_total.inc({ network });
    this.log.error(
      `${network}: finality is broken: blocks after ${ancestor.number} were replaced, and they were final up to ${finalNumber}`,
    );
  }

  private wake({ opened, moved }: DepositChanges): void {
    if (opened.length + moved.length > 0) this.worker.wake();
  }
}
