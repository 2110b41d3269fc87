import { Injectable, Logger } from '@nestjs/common';
import { agreedBlock, askEach } from '@stablecoin/chain-node/agreement';
import { Block } from '@stablecoin/chain-node/chain-node';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { Deposit, nameOf, Transfer } from '../deposits/deposit';
import { ChainNodes, NodeHead } from '../nodes/chain-nodes';
import { transfersIn } from '../nodes/transfer-logs';
import { WatchedNode } from '../nodes/watched-node';
import { comparedHeights, countedFinal, NodeHeights, usesFinalized } from './finality';
import { transfersOf } from './sightings';
import { Walk, WalkStore } from './walk-store';

/**
 * What all nodes of a network say of a chain that was walked along one of them. While one does not answer or is of
 * another opinion, nothing becomes final and no money moves; what arrives is still seen and recorded.
 */
@Injectable()
export class NodeAgreement {
  private readonly log = new Logger(NodeAgreement.name);

  constructor(
    private readonly nodes: ChainNodes,
    private readonly store: WalkStore,
    private readonly configuration: ChainConfiguration,
  ) {}

  /** Up to where the chain is final, which the other nodes' hashes confirm. */
  async heights(
    network: EvmNetwork,
    along: WatchedNode,
    { walk, tail, heads }: { walk: Walk; tail: readonly Block[]; heads: readonly NodeHead[] },
  ): Promise<NodeHeights | undefined> {
    if (heads.length < this.nodes.of(network).length) return undefined;
    return this.unlessFailing(async () => {
      const tip = tail.at(-1)?.number ?? 0;
      const policy = this.configuration.finality(network);
      const named = usesFinalized(policy)
        ? await Promise.all(heads.map(({ node }) => this.nodes.finalized(network, node)))
        : [];
      const areNamed = named.some((block) => block !== undefined);
      // A network that names final blocks is not counted on while its nodes can't say.
      if (usesFinalized(policy) && walk.knowsFinality && !areNamed) return undefined;
      const finalized = heads.map(({ head }, index) => named[index]?.number ?? countedFinal(network, head.number));
      const heights = {
        finalized: Math.min(tip, ...finalized),
        agreed: Math.min(tip, ...heads.map(({ head }) => head.number)),
        areNamed,
      };
      for (const height of comparedHeights(policy, heights)) {
        const ours = tail.find(({ number }) => number === height) ?? (await this.store.walkedBlock(network, height));
        if (ours && !(await this.isSharedBlock(network, along, ours))) return undefined;
      }
      return heights;
    });
  }

  async finalizedNumber(network: EvmNetwork, node: WatchedNode, head: number): Promise<number> {
    const finalized = await this.nodes.finalized(network, node);
    return finalized?.number ?? countedFinal(network, head);
  }

  /**
   * Asks all nodes once more for the transfers of deposits that are about to be final, each in its block, and whether that
   * is the block of this height: one node alone could make a transfer up, name a height that is final already, or have
   * answered from a state that it has no longer.
   *
   * @returns the ids of those that no node has; undefined where the nodes differ, or one does not answer
   */
  async absent(network: EvmNetwork, deposits: readonly Deposit[]): Promise<ReadonlySet<string> | undefined> {
    return this.unlessFailing(async () => {
      const nodes = this.nodes.of(network);
      const absent = new Set<string>();
      for (const place of placesOf(deposits)) {
        const had = await Promise.all(nodes.map((node) => this.transfersAt(network, node, place)));
        for (const deposit of deposits.filter(isAt(place))) {
          const lacking = nodes.filter((_, index) => !had[index]?.has(contentOf(deposit)));
          if (lacking.length === nodes.length) absent.add(deposit.id);
          else if (lacking[0]) {
            const where = `block ${place.blockNumber}, ${place.blockHash}`;
            this.disagrees(network, `${lacking[0].name} lacks the transfer ${nameOf(deposit)} of ${where}`);
            return undefined;
          }
        }
      }
      return absent;
    });
  }

  /** None where the node has another block at this height: it may still know the transfers of one that was replaced. */
  private async transfersAt(network: EvmNetwork, node: WatchedNode, place: Place): Promise<ReadonlySet<string>> {
    const { hash } = await this.nodes.blockAt(network, node, place.blockNumber);
    if (hash !== place.blockHash) return NONE;
    const logs = await this.nodes.ask(network, node, () => transfersIn(node, hash));
    return new Set(transfersOf(logs).map(contentOf));
  }

  private async isSharedBlock(network: EvmNetwork, along: WatchedNode, ours: Block): Promise<boolean> {
    const others = this.nodes.of(network).filter((node) => node !== along);
    const theirs = await askEach(others, (node) =>
      this.nodes.ask(network, node, () => node.blockByNumber(ours.number)),
    );
    const agreement = agreedBlock(`block ${ours.number}`, [{ node: along.name, value: ours }, ...theirs]);
    if (agreement.state === 'disagreed') this.disagrees(network, agreement.reason);
    return agreement.state === 'agreed';
  }

  private disagrees(network: EvmNetwork, what: string): void {
    instruments.chain_node_disagreements_total.inc({ network });
    this.log.error(`${network}: the nodes disagree, no deposit is credited: ${what}`);
  }

  private async unlessFailing<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof NodeFailure) return undefined;
      throw error;
    }
  }
}

type Place = Pick<Transfer, 'blockNumber' | 'blockHash'>;
const isAt =
  ({ blockNumber, blockHash }: Place) =>
  (deposit: Place): boolean =>
    deposit.blockNumber === blockNumber && deposit.blockHash === blockHash;
const placesOf = (deposits: readonly Place[]): Place[] => [
  ...new Map(deposits.map((deposit) => [`${deposit.blockNumber} ${deposit.blockHash}`, deposit])).values(),
];

const NONE: ReadonlySet<string> = new Set();

const contentOf = (transfer: Transfer): string => `${nameOf(transfer)}:${transfer.to}:${transfer.units}`;
