import { Injectable, Logger } from '@nestjs/common';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { ChainConfiguration } from '../chain.configuration';
import { Block, ChainSource, NodeFailure } from './chain-source';
import { JsonRpcSource } from './json-rpc-source';
import { requireRightChain, requireSameTokens, WrongChain } from './node-checks';

/** Nodes of one network are hardly ever on the same block; one that is further behind is walked along only in need. */
const LAG_MAX = 3;
/** Another instance may walk the network since. */
const LAG_REPORTED_MS = 120_000;

export interface NodeHead {
  source: ChainSource;
  head: Block;
}

/** The nodes by network, as configured. A node is used only once it was found to be of the right chain. */
@Injectable()
export class ChainNodes {
  private readonly log = new Logger(ChainNodes.name);
  private readonly sources: ReadonlyMap<EvmNetwork, readonly ChainSource[]>;
  private readonly checked = new Set<ChainSource>();
  private readonly withoutFinality = new Set<ChainSource>();
  private readonly lags = new Map<ChainSource, { network: EvmNetwork; blocks: number; at: number }>();

  constructor(configuration: ChainConfiguration) {
    this.sources = new Map(
      Object.entries(configuration.nodes()).map(([network, urls]) => [
        network as EvmNetwork,
        urls.map((url) => new JsonRpcSource(url)),
      ]),
    );
  }

  get networks(): EvmNetwork[] {
    return [...this.sources.keys()];
  }

  of(network: EvmNetwork): readonly ChainSource[] {
    return this.sources.get(network) ?? [];
  }

  /**
   * Asks a node. Where it does not answer as it should, that is counted by its kind.
   *
   * @throws NodeFailure
   */
  async ask<Answer>(network: EvmNetwork, source: ChainSource, question: () => Promise<Answer>): Promise<Answer> {
    try {
      if (!this.checked.has(source)) await this.check(network, source);
      return await question();
    } catch (error) {
      if (error instanceof NodeFailure) instruments.chain_node_errors_total.inc({ network, kind: error.kind });
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
    const asked = await Promise.allSettled(this.of(network).map((source) => this.head(network, source)));
    const heads = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const unexpected = failed.filter((error) => !(error instanceof NodeFailure));
    if (unexpected.length > 0 || heads.length === 0) throw unexpected[0] ?? failed[0];
    const furthest = Math.max(...heads.map(({ head }) => head.number));
    const lagOf = ({ head }: NodeHead) => furthest - head.number;
    for (const each of heads) this.lags.set(each.source, { network, blocks: lagOf(each), at: Date.now() });
    return [...heads.filter((each) => lagOf(each) <= LAG_MAX), ...heads.filter((each) => lagOf(each) > LAG_MAX)];
  }

  /** By how many blocks each node is behind the furthest one of its network, where this instance has asked lately. */
  nodeLags(): { network: EvmNetwork; node: string; blocks: number }[] {
    const since = Date.now() - LAG_REPORTED_MS;
    return [...this.lags]
      .filter(([, { at }]) => at > since)
      .map(([{ name }, { network, blocks }]) => ({ network, node: name, blocks }));
  }

  private async head(network: EvmNetwork, source: ChainSource): Promise<NodeHead> {
    const head = await this.ask(network, source, () => source.block('latest'));
    if (!head) throw new NodeFailure('unknown_block', source.name, 'it has no latest block');
    return { source, head };
  }

  async blockAt(network: EvmNetwork, source: ChainSource, number: number): Promise<Block> {
    const block = await this.ask(network, source, () => source.block(number));
    if (!block) throw new NodeFailure('unknown_block', source.name, `it has no block ${number}`);
    return block;
  }

  /** The node's newest final block; undefined where it names none, which is said once. */
  async finalized(network: EvmNetwork, source: ChainSource): Promise<Block | undefined> {
    const finalized = await this.ask(network, source, () => source.block('finalized')).catch((error: unknown) => {
      if (error instanceof NodeFailure && (error.kind === 'refused' || error.kind === 'unknown_block'))
        return undefined;
      throw error;
    });
    if (!finalized && !this.withoutFinality.has(source)) {
      this.log.warn(`${network}: ${source.name} names no finalized block; where none does, confirmations are counted`);
      this.withoutFinality.add(source);
    }
    return finalized;
  }

  private async check(network: EvmNetwork, source: ChainSource): Promise<void> {
    try {
      await requireRightChain(network, source);
    } catch (error) {
      if (!(error instanceof WrongChain)) throw error;
      // It did not answer when the process began; one that was reached then would have ended it.
      this.log.error(error.message);
      throw new NodeFailure('refused', source.name, error.message);
    }
    this.checked.add(source);
  }
}

/** Ends a process at its start whose nodes are of another chain. Nodes that do not answer are checked before their first use. */
export async function requireRightChains(configuration: ChainConfiguration): Promise<void> {
  const wrong: string[] = [];
  const check = (question: Promise<void>) =>
    question.catch((error: unknown) => {
      if (error instanceof WrongChain) wrong.push(error.message);
      else if (!(error instanceof NodeFailure)) throw error;
    });
  for (const [name, urls] of Object.entries(configuration.nodes())) {
    const network = name as EvmNetwork;
    const sources = urls.map((url) => new JsonRpcSource(url));
    for (const source of sources) await check(requireRightChain(network, source));
    const [first, second] = sources;
    if (wrong.length === 0 && first && second) await check(requireSameTokens(network, first, second));
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}
