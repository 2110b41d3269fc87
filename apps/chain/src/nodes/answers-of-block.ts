import { Injectable } from '@nestjs/common';
import { Hash } from '@stablecoin/chain-node/chain-node';
import { WatchedNode } from './watched-node';

interface OfBlock {
  hash: Hash;
  answers: Map<string, Promise<unknown>>;
}

/**
 * Answers of nodes that hold for as long as a node's newest block is the same one: what the state is at that block, and
 * what the node has in its pool beside it. With a dozen payouts in a block, most questions are the same ones.
 */
@Injectable()
export class AnswersOfBlock {
  private readonly newest = new WeakMap<WatchedNode, OfBlock>();

  /**
   * @param question names it among those that are asked of the node
   * @param isKept which answers are not asked for again; a question that failed is
   */
  async of<Answer>(
    node: WatchedNode,
    hash: Hash,
    {
      question,
      ask,
      isKept = () => true,
    }: { question: string; ask: () => Promise<Answer>; isKept?: (answer: Answer) => boolean },
  ): Promise<Answer> {
    const { answers } = this.at(node, hash);
    const known = answers.get(question) as Promise<Answer> | undefined;
    if (known) return known;
    const asked = ask();
    answers.set(question, asked);
    try {
      const answer = await asked;
      if (!isKept(answer)) answers.delete(question);
      return answer;
    } catch (error) {
      answers.delete(question);
      throw error;
    }
  }

  /** What a node has said by the way, so that it is not asked. */
  know<Answer>(node: WatchedNode, hash: Hash, question: string, answer: Answer): void {
    this.at(node, hash).answers.set(question, Promise.resolve(answer));
  }

  private at(node: WatchedNode, hash: Hash): OfBlock {
    const known = this.newest.get(node);
    if (known?.hash === hash) return known;
    const begun: OfBlock = { hash, answers: new Map() };
    this.newest.set(node, begun);
    return begun;
  }
}
