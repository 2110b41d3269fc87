import { Injectable, Logger } from '@nestjs/common';
import { Block } from '@stablecoin/chain-node/chain-node';
import { FailureKind, isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { requireChain } from '@stablecoin/chain-node/required-chain';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { isOfWrongChain, objectionOf } from './right-chains';
import { TokenCodes } from './token-codes';
import { nodeAt, SendingNode, WatchedNode } from './watched-node';

/** Nodes of one network are hardly ever on the same block; one that is further behind is walked along only in need. */
const LAG_MAX = 3;
/** Another instance may walk the network since. */
const LAG_REPORTED_MS = 120_000;

/** What a question of the watcher may end with. */
export const COUNTED_FAILURES = [
  ...['throttled', 'timeout', 'unreachable', 'unknown-block', 'too-much', 'internal', 'malformed-answer'],
  ...['method-unsupported', 'wrong-chain', 'wrong-token'],
] as const satisfies readonly FailureKind[];

export interface NodeHead {
  node: SendingNode;
  head: Block;
}

/** The nodes by network, as configured. A node is used only once it was found to be of the right chain. */
@Injectable()
export class ChainNodes {
  private readonly log = new Logger(ChainNodes.name);
  private readonly byNetwork: ReadonlyMap<EvmNetwork, readonly SendingNode[]>;
  private readonly checked = new Set<WatchedNode>();
  private readonly withoutFinality = new Set<WatchedNode>();
  private readonly lags = new Map<WatchedNode, { network: EvmNetwork; blocks: number; at: number }>();

  constructor(
    configuration: ChainConfiguration,
    private readonly codes: TokenCodes,
  ) {
    this.byNetwork = new Map(
      Object.entries(configuration.nodes()).map(([network, urls]) => [network as EvmNetwork, urls.map(nodeAt)]),
    );
  }

  get networks(): EvmNetwork[] {
    return [...this.byNetwork.keys()];
  }

  of(network: EvmNetwork): readonly SendingNode[] {
    return this.byNetwork.get(network) ?? [];
  }

  /**
   * Asks a node. Where it does not answer as it should, that is counted by its kind.
   *
   * @throws NodeFailure
   */
  async ask<Answer>(network: EvmNetwork, node: WatchedNode, question: () => Promise<Answer>): Promise<Answer> {
    try {
      if (!this.checked.has(node)) await this.check(network, node);
      return await question();
    } catch (error) {
      if (isNodeFailure(error)) instruments.chain_node_errors_total.inc({ network, kind: error.kind });
      throw error;
    }
  }

  /**
   * The newest block of each node that answers, in the order in which they are to be walked along: as configured, and
   * those that are behind another one last.
   *
   * @throws NodeFailure of the first node, where none answers
   */
  async heads(network: EvmNetwork): Promise<NodeHead[]> {
    const asked = await Promise.allSettled(this.of(network).map((node) => this.head(network, node)));
    const heads = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const unexpected = failed.filter((error) => !(error instanceof NodeFailure));
    if (unexpected.length > 0 || heads.length === 0) throw unexpected[0] ?? failed[0];
    const furthest = Math.max(...heads.map(({ head }) => head.number));
    const lagOf = ({ head }: NodeHead) => furthest - head.number;
    for (const each of heads) this.lags.set(each.node, { network, blocks: lagOf(each), at: Date.now() });
    return [...heads.filter((each) => lagOf(each) <= LAG_MAX), ...heads.filter((each) => lagOf(each) > LAG_MAX)];
  }

  /** By how many blocks each node is behind the furthest one of its network, where this instance has asked lately. */
  nodeLags(): { network: EvmNetwork; node: string; blocks: number }[] {
    const since = Date.now() - LAG_REPORTED_MS;
    return [...this.lags]
      .filter(([, { at }]) => at > since)
      .map(([{ name }, { network, blocks }]) => ({ network, node: name, blocks }));
  }

  private async head(network: EvmNetwork, node: SendingNode): Promise<NodeHead> {
    return { node, head: await this.blockAt(network, node, 'latest') };
  }

  async blockAt(network: EvmNetwork, node: WatchedNode, place: number | 'latest'): Promise<Block> {
    const block = await this.ask(network, node, () => node.blockByNumber(place));
    if (!block) throw lacking(node, 'eth_getBlockByNumber', `it has no block ${place}`);
    return block;
  }

  /** The node's newest final block; undefined where it names none, which is said once. */
  async finalized(network: EvmNetwork, node: WatchedNode): Promise<Block | undefined> {
    const finalized = await this.ask(network, node, () =>
      node.blockByNumber('finalized').catch((error: unknown) => {
        if (isNodeFailure(error, 'tag-unsupported')) return undefined;
        throw error;
      }),
    );
    if (!finalized && !this.withoutFinality.has(node)) {
      this.log.warn(`${network}: ${node.name} names no finalized block; where none does, confirmations are counted`);
      this.withoutFinality.add(node);
    }
    return finalized;
  }

  private async check(network: EvmNetwork, node: WatchedNode): Promise<void> {
    try {
      const found = await requireChain(node, network, { known: await this.codes.of(network) });
      await this.codes.remember(network, found);
    } catch (error) {
      // It did not answer when the process began; one that was reached then would have ended it.
      if (isOfWrongChain(error)) this.log.error(objectionOf(network, error));
      throw error;
    }
    this.checked.add(node);
  }
}

/** A node does not have, or has no longer, what follows from what it said before. */
export const lacking = ({ name }: WatchedNode, method: string, detail: string): NodeFailure =>
  new NodeFailure({ kind: 'unknown-block', node: name, method, detail });
