// What two nodes must both say before money moves. Where they don't, neither is right: nothing is taken from either, and
// what each of them said is reported. A node that was throttled or is behind is no disagreement, only no agreement yet.

import { keccak256, stringToHex } from 'viem/utils';
import type { Block, Log, Receipt, TokenFacts } from './chain-node';
import { isNodeFailure, type NodeFailure } from './node-failure';

/** What one node said of one thing. */
export interface Statement<Value> {
  /** The node's name. */
  node: string;
  /** Undefined where it doesn't have it. */
  value: Value | undefined;
  /** Why it said nothing. */
  failure?: NodeFailure;
}

export type Agreement<Value> =
  | { state: 'agreed'; value: Value }
  /** None of them has it. */
  | { state: 'absent' }
  /** These don't have it, not yet or no longer, or said nothing; the others agree on the value, where there are any. */
  | { state: 'incomplete'; missingOn: readonly string[]; value?: Value }
  | { state: 'disagreed'; reason: string };

/** Asks each of the nodes the same, side by side. One that doesn't know the block doesn't have what is asked for. */
export function askEach<Node extends { readonly name: string }, Value>(
  nodes: readonly Node[],
  question: (node: Node) => Promise<Value | undefined>,
): Promise<Statement<Value>[]> {
  return Promise.all(
    nodes.map(async (node): Promise<Statement<Value>> => {
      try {
        return { node: node.name, value: await question(node) };
      } catch (error) {
        if (isNodeFailure(error, 'unknown-block')) return { node: node.name, value: undefined };
        if (isNodeFailure(error)) return { node: node.name, value: undefined, failure: error };
        throw error;
      }
    }),
  );
}

/**
 * @param about what was asked for, for the reason
 * @param textOf everything that has to be the same, as a text
 */
function agreement<Value>(
  about: string,
  statements: readonly Statement<Value>[],
  textOf: (value: Value) => string,
): Agreement<Value> {
  const said = statements.flatMap(({ node, value }) =>
    value === undefined ? [] : [{ node, value, text: textOf(value) }],
  );
  const [first] = said;
  const missingOn = statements.filter(({ value }) => value === undefined).map(({ node }) => node);
  if (first === undefined)
    return statements.some(({ failure }) => failure) ? { state: 'incomplete', missingOn } : { state: 'absent' };
  if (said.some(({ text }) => text !== first.text)) {
    const sayings = said.map(({ node, text }) => `${node} says ${text}`);
    return { state: 'disagreed', reason: `Nodes disagree about ${about}: ${sayings.join('; ')}` };
  }
  const { value } = first;
  return missingOn.length > 0 ? { state: 'incomplete', missingOn, value } : { state: 'agreed', value };
}

/** On the same block at the same height with the same parent. */
export const agreedBlock = (about: string, statements: readonly Statement<Block>[]): Agreement<Block> =>
  agreement(about, statements, ({ number, hash, parentHash }) => `${number} ${hash} after ${parentHash}`);

/** On every log of a block that the same filter lets through: one more or less on one node is a disagreement. */
export const agreedLogs = (
  blockHash: string,
  statements: readonly Statement<readonly Log[]>[],
): Agreement<readonly Log[]> => agreement(`the logs of ${blockHash}`, statements, textOfLogs);

/** On the block a transaction is in, on whether it succeeded, and on its logs. */
export const agreedReceipt = (transactionHash: string, statements: readonly Statement<Receipt>[]): Agreement<Receipt> =>
  agreement(`the receipt of ${transactionHash}`, statements, ({ blockHash, succeeded, logs }) =>
    [`${succeeded ? 'succeeded' : 'reverted'} in ${blockHash}`, textOfLogs(logs)].join(', '),
  );

export const agreedBalance = (about: string, statements: readonly Statement<bigint>[]): Agreement<bigint> =>
  agreement(about, statements, String);

export const agreedTokenFacts = (token: string, statements: readonly Statement<TokenFacts>[]): Agreement<TokenFacts> =>
  agreement(
    `the token ${token}`,
    statements,
    ({ decimals, codeHash }) => `${decimals ?? 'no'} decimals, code ${codeHash}`,
  );

/**
 * The height up to which every one of them has the chain as final: the lowest. They still have to agree on the hash of that
 * block, as a node of another branch has heights as well.
 */
export function agreedHeight(statements: readonly Statement<Block>[]): number | undefined {
  const heights = statements.map(({ value }) => value?.number);
  return heights.length === 0 || heights.includes(undefined) ? undefined : Math.min(...(heights as number[]));
}

/** By the hash of all, so that what two nodes said of a full block can be read. */
function textOfLogs(logs: readonly Log[]): string {
  const texts = logs.map(({ logIndex, transactionHash, address, topics, data }) =>
    [logIndex, transactionHash, address, topics.join(','), data].join(' '),
  );
  return `${logs.length} logs (${keccak256(stringToHex(texts.join('\n')))})`;
}
