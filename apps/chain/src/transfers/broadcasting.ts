import { Injectable, Logger } from '@nestjs/common';
import { Block } from '@stablecoin/chain-node/chain-node';
import { FailureKind, isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { AnswersOfBlock } from '../nodes/answers-of-block';
import { ChainNodes } from '../nodes/chain-nodes';
import { SendingNode } from '../nodes/watched-node';
import { SignedAttempt } from './attempt';
import { ChainNow } from './chain-now';
import { whetherKnown } from './lane-sights';
import { OutgoingTransfer } from './transfer';

/** The node has looked at it and will not have it, as things are. */
const JUDGED: readonly FailureKind[] = [
  ...([
    'nonce-too-low',
    'replacement-underpriced',
    'underpriced',
    'insufficient-funds',
    'rejected',
    'reverted',
  ] as const),
];

/**
 * `taken`: a node has it, and had not before. `had`: one has it, or said that it will not have it. `doubt`: it may have
 * arrived; the same bytes are to be sent again.
 */
type Broadcast = 'taken' | 'had' | 'doubt';

/** Gives signed bytes to all nodes of a network that answer. However often that is done, the chain takes them once. */
@Injectable()
export class Broadcasting {
  private readonly log = new Logger(Broadcasting.name);

  constructor(
    private readonly nodes: ChainNodes,
    private readonly answers: AnswersOfBlock,
  ) {}

  async send(chain: ChainNow, transfer: OutgoingTransfer, attempt: SignedAttempt): Promise<Broadcast> {
    const outcomes = await Promise.all(
      [...chain.heads].map(([node, head]) => this.sendTo(chain.network, { node, head }, transfer, attempt)),
    );
    return outcomes.find((outcome) => outcome === 'taken') ?? outcomes.find((outcome) => outcome === 'had') ?? 'doubt';
  }

  private async sendTo(
    network: EvmNetwork,
    { node, head }: { node: SendingNode; head: Block },
    { reference, nonce }: OutgoingTransfer,
    { raw, hash }: SignedAttempt,
  ): Promise<Broadcast> {
    const said = { network, node: node.name, reference, nonce, hash };
    try {
      return await this.nodes.ask(network, node, async () => {
        try {
          const taken = (await node.broadcast(raw)) === 'accepted';
          this.answers.know(node, head.hash, whetherKnown(hash), true);
          if (taken) this.log.log({ msg: 'sent', ...said });
          return taken ? 'taken' : 'had';
        } catch (error) {
          if (!isNodeFailure(error, ...JUDGED)) throw error;
          this.log.warn({ msg: `a node does not take it: ${error.kind}`, ...said, err: error });
          return 'had';
        }
      });
    } catch (error) {
      if (!isNodeFailure(error)) throw error;
      this.log.warn({ msg: 'whether a node has taken it is not known: the same again', ...said, err: error });
      return 'doubt';
    }
  }
}
