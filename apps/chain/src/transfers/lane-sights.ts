/** Asks nodes what the decisions about a lane's transfers need, of each node of the network, side by side. */
import { Injectable } from '@nestjs/common';
import { agreedReceipt } from '@stablecoin/chain-node/agreement';
import { Block, Hash, Receipt } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { Token, tokenOf } from '@stablecoin/chains/tokens';
import { AnswersOfBlock } from '../nodes/answers-of-block';
import { SendingNode } from '../nodes/watched-node';
import { isSigned, SignedAttempt } from './attempt';
import { ChainNow, ChainsNow } from './chain-now';
import { FoundReceipt, NodeSight, SightOfSent } from './decide-sent';
import { WaitingSight } from './decide-waiting';
import { OpenTransfer } from './lane-store';
import { isBlacklisted, isPaused, transferCall } from './token-questions';
import { Lane, OutgoingTransfer } from './transfer';

/** Of coins, to an address of ours, where there is no code. */
export const PLAIN_TRANSFER_GAS = 21_000;
const WITHOUT_TOKEN = {
  ...{ tokens: 0n, isPaused: false, isSenderBlacklisted: false, isRecipientBlacklisted: false, wouldRevert: false },
};

/** Names the question whether a node has a transaction, in its pool or in a block. */
export const whetherKnown = (transactionHash: Hash): string => `transaction ${transactionHash}`;

/** By node: how many transactions of the lane's address are mined. Undefined where it did not answer. */
export type MinedByNode = readonly (number | undefined)[];

@Injectable()
export class LaneSights {
  constructor(
    private readonly chains: ChainsNow,
    private readonly answers: AnswersOfBlock,
  ) {}

  mined({ fromAddress }: Lane, chain: ChainNow): Promise<MinedByNode> {
    return Promise.all(
      chain.nodes.map((node) => this.chains.ask(chain, node, () => node.nonceOf(fromAddress, 'latest'))),
    );
  }

  /** Up to the final block, where all nodes say the same. */
  async minedFinally({ fromAddress }: Lane, chain: ChainNow): Promise<number | undefined> {
    const { nodes, finalHeight } = chain;
    if (finalHeight === undefined) return undefined;
    const counts = await Promise.all(
      nodes.map((node) => this.chains.ask(chain, node, () => node.nonceOf(fromAddress, finalHeight))),
    );
    return new Set(counts).size === 1 ? counts[0] : undefined;
  }

  async ofSent(
    lane: Lane,
    chain: ChainNow,
    { transfer, attempts }: OpenTransfer,
    mined: MinedByNode,
  ): Promise<SightOfSent> {
    const nonce = transfer.nonce ?? 0;
    const signed = attempts.filter(isSigned);
    const newest = signed.at(-1);
    const isMinedAnywhere = mined.some((count) => count !== undefined && count > nonce);
    const receipts = isMinedAnywhere ? await this.receipts(chain, signed) : [];
    const nodes = await Promise.all(
      chain.nodes.map(async (node, index): Promise<NodeSight | undefined> => {
        const count = mined[index];
        if (count === undefined) return undefined;
        if (count > nonce || !newest) return { mined: count };
        const hasNewest = await this.isKnown(chain, node, newest);
        return { mined: count, ...(hasNewest !== undefined && { hasNewest }) };
      }),
    );
    const isUsedUp = receipts.length === 0 && mined.every((count) => count !== undefined && count > nonce);
    return {
      ...{ nodes, receipts, finalHeight: chain.finalHeight },
      minedFinally: isUsedUp ? await this.minedFinally(lane, chain) : undefined,
      market: isMinedAnywhere ? undefined : await chain.market(),
    };
  }

  ofWaiting(chain: ChainNow, transfer: OutgoingTransfer): Promise<(WaitingSight | undefined)[]> {
    return Promise.all(
      chain.nodes.map(async (node) => {
        const head = chain.heads.get(node);
        return head && this.chains.ask(chain, node, () => this.waitingSight(node, head, transfer));
      }),
    );
  }

  /** Whether a node has a transaction, in its pool or in a block. Undefined where it did not say. */
  private async isKnown(chain: ChainNow, node: SendingNode, { hash }: SignedAttempt): Promise<boolean | undefined> {
    const head = chain.heads.get(node);
    if (!head) return undefined;
    const ask = async () => (await node.transactionByHash(hash)) !== undefined;
    const isKept = (isKnown: boolean) => isKnown;
    return this.chains.ask(chain, node, () =>
      this.answers.of(node, head.hash, { question: whetherKnown(hash), ask, isKept }),
    );
  }

  private async waitingSight(node: SendingNode, { hash }: Block, transfer: OutgoingTransfer): Promise<WaitingSight> {
    const { network, currency, fromAddress, toAddress, units } = transfer;
    const ofBlock = <Answer>(question: string, ask: () => Promise<Answer>) =>
      this.answers.of(node, hash, { question, ask });
    const coins = await ofBlock(`coins ${fromAddress}`, () => node.coinsOf(fromAddress, { blockHash: hash }));
    if (currency === null) return { ...WITHOUT_TOKEN, coins, gas: PLAIN_TRANSFER_GAS };
    const token = tokenOf(network, currency);
    if (!token) throw new Error(`${currency} is no token of ${network}`);
    const of = token.currency;
    const [tokens, paused, isSenderBlacklisted, isRecipientBlacklisted] = await Promise.all([
      ofBlock(`${of} ${fromAddress}`, () => node.balanceOf(token.address, fromAddress, hash)),
      ofBlock(`${of} paused`, () => isPaused(node, token, hash)),
      ofBlock(`${of} blacklists ${fromAddress}`, () => isBlacklisted(node, token, fromAddress, hash)),
      ofBlock(`${of} blacklists ${toAddress}`, () => isBlacklisted(node, token, toAddress, hash)),
    ]);
    const known = { tokens, coins, isPaused: paused, isSenderBlacklisted, isRecipientBlacklisted };
    // It would revert for a reason that is known, and that another question has told.
    if (tokens < units || paused || isSenderBlacklisted || isRecipientBlacklisted)
      return { ...known, wouldRevert: false, gas: undefined };
    return { ...known, ...(await trial(node, token, transfer, hash)) };
  }

  /** Of the attempts that at least one node has in a block, or of which one did not say. */
  private async receipts(chain: ChainNow, signed: readonly SignedAttempt[]): Promise<FoundReceipt[]> {
    const found: FoundReceipt[] = [];
    for (const attempt of signed) {
      const statements = await this.chains.statements(chain, (node) => node.receipt(attempt.hash));
      const agreement = agreedReceipt(attempt.hash, statements);
      if (agreement.state === 'absent') continue;
      const isCanonical = agreement.state === 'agreed' && (await this.isCanonical(chain, agreement.value));
      found.push({ attempt, agreement, isCanonical });
    }
    return found;
  }

  /** Asked where it matters: at a height that is final by all nodes. */
  private async isCanonical(chain: ChainNow, { blockNumber, blockHash }: Receipt): Promise<boolean> {
    const { nodes, finalHeight } = chain;
    if (finalHeight === undefined || blockNumber > finalHeight) return false;
    const blocks = await Promise.all(nodes.map((node) => this.finalBlock(chain, node, blockNumber)));
    return blocks.every((block) => block?.hash === blockHash);
  }

  private async finalBlock(chain: ChainNow, node: SendingNode, number: number): Promise<Block | undefined> {
    const head = chain.heads.get(node);
    if (!head) return undefined;
    const ask = () => node.blockByNumber(number);
    const isKept = (block: Block | undefined) => block !== undefined;
    return this.chains.ask(chain, node, () =>
      this.answers.of(node, head.hash, { question: `block ${number}`, ask, isKept }),
    );
  }
}

/**
 * What it would cost. Whether it would revert is asked only of one that can't be estimated, and in the block whose balances
 * are looked at: the estimate is of a newer state, in which others may have come before it.
 */
async function trial(
  node: SendingNode,
  token: Token,
  { fromAddress, toAddress, units }: OutgoingTransfer,
  blockHash: Hash,
): Promise<Pick<WaitingSight, 'wouldRevert' | 'gas'>> {
  const call = transferCall(token, fromAddress, toAddress, units);
  const gas = await unlessReverted(node.estimateGas(call));
  if (gas !== undefined) return { wouldRevert: false, gas: Number(gas) };
  const isExecuted = (await unlessReverted(node.call(call, { blockHash }))) !== undefined;
  return { wouldRevert: !isExecuted, gas: undefined };
}

async function unlessReverted<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNodeFailure(error, 'reverted')) return undefined;
    throw error;
  }
}
