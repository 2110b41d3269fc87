import { Injectable } from '@nestjs/common';
import { askEach, Statement } from '@stablecoin/chain-node/agreement';
import { Block } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { ChainConfiguration } from '../chain.configuration';
import { ChainNodes } from '../nodes/chain-nodes';
import { SendingNode } from '../nodes/watched-node';
import { countedFinal, usesFinalized, wholeFinalHeight } from '../walk/finality';
import { WalkStore } from '../walk/walk-store';
import { FEE_BLOCKS, FEE_PERCENTILE, Fees, lowerFees, marketFees } from './fees';

type Heads = ReadonlyMap<SendingNode, Block>;

/** A network as its nodes have it while a pass goes on. */
export interface ChainNow {
  network: EvmNetwork;
  /** All that are configured, also those that do not answer. */
  nodes: readonly SendingNode[];
  /** The newest block of each that answers. */
  heads: Heads;
  /**
   * Up to where it is final, for transfers of any amount: one that ended and was replaced after all would leave a gap in
   * the nonces. Undefined while not all nodes say so.
   */
  finalHeight: number | undefined;
  /** What a transaction costs; undefined while no node tells it. Asked once. */
  market(): Promise<Fees | undefined>;
}

@Injectable()
export class ChainsNow {
  constructor(
    private readonly nodes: ChainNodes,
    private readonly walks: WalkStore,
    private readonly configuration: ChainConfiguration,
  ) {}

  /** @throws NodeFailure where no node answers */
  async of(network: EvmNetwork): Promise<ChainNow> {
    const nodes = this.nodes.of(network);
    const answering = await this.nodes.heads(network);
    const heads: Heads = new Map(answering.map(({ node, head }) => [node, head]));
    let market: Promise<Fees | undefined> | undefined;
    return {
      ...{ network, nodes, heads },
      finalHeight: heads.size < nodes.length ? undefined : await this.finalHeight(network, heads),
      market: () => (market ??= this.market(network, heads)),
    };
  }

  /** What a node answers; undefined where it doesn't, which is counted, and where it did not say where it is. */
  async ask<Answer>(
    { network, heads }: Pick<ChainNow, 'network' | 'heads'>,
    node: SendingNode,
    question: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    if (!heads.has(node)) return undefined;
    try {
      return await this.nodes.ask(network, node, question);
    } catch (error) {
      if (isNodeFailure(error)) return undefined;
      throw error;
    }
  }

  /** Asks all nodes the same, also one that has just failed: it is a statement of its own that it says nothing. */
  statements<Answer>(
    { network, nodes, heads }: ChainNow,
    question: (node: SendingNode) => Promise<Answer | undefined>,
  ): Promise<Statement<Answer>[]> {
    return askEach(nodes, (node) => {
      if (!heads.has(node)) throw silent(node);
      return this.nodes.ask(network, node, () => question(node));
    });
  }

  private async finalHeight(network: EvmNetwork, heads: Heads): Promise<number | undefined> {
    const policy = this.configuration.finality(network);
    const agreed = Math.min(...[...heads.values()].map(({ number }) => number));
    const finalized = usesFinalized(policy) ? await this.finalized(network, heads) : agreed;
    return finalized === undefined
      ? undefined
      : wholeFinalHeight(policy, { finalized: Math.min(agreed, finalized), agreed });
  }

  private async finalized(network: EvmNetwork, heads: Heads): Promise<number | undefined> {
    const named = await Promise.all(
      [...heads].map(async ([node, head]) => {
        const said = await this.ask({ network, heads }, node, async () => ({
          block: await this.nodes.finalized(network, node),
        }));
        return (
          said && {
            height: said.block?.number ?? countedFinal(network, head.number),
            isNamed: said.block !== undefined,
          }
        );
      }),
    );
    const known = named.filter((each) => each !== undefined);
    if (known.length < named.length) return undefined;
    // A network that names final blocks is not counted on while its nodes can't say.
    if (!known.some(({ isNamed }) => isNamed) && (await this.walks.knowsFinality(network))) return undefined;
    return Math.min(...known.map(({ height }) => height));
  }

  private async market(network: EvmNetwork, heads: Heads): Promise<Fees | undefined> {
    const told = await Promise.all(
      [...heads.keys()].map((node) =>
        this.ask({ network, heads }, node, () => node.feeHistory(FEE_BLOCKS, [FEE_PERCENTILE])),
      ),
    );
    const markets = told.flatMap((history) => (history ? [marketFees(network, history)] : []));
    return markets.length === 0 ? undefined : markets.reduce(lowerFees);
  }
}

const silent = ({ name }: SendingNode): NodeFailure =>
  new NodeFailure({
    kind: 'unreachable',
    node: name,
    method: 'eth_getBlockByNumber',
    detail: 'it did not say where it is',
  });
