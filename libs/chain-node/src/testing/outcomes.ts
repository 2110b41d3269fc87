import type { Block, ChainNode } from '../chain-node';
import { type FailureKind, NodeFailure } from '../node-failure';

export async function failureOf(asked: Promise<unknown>): Promise<NodeFailure> {
  const outcome = await asked.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (outcome instanceof NodeFailure) return outcome;
  throw new Error(`It did not fail as a node does: ${String(outcome)}`);
}

export const kindOf = async (asked: Promise<unknown>): Promise<FailureKind> => (await failureOf(asked)).kind;

export async function headOf(node: Pick<ChainNode, 'blockByNumber'>): Promise<Block> {
  const head = await node.blockByNumber('latest');
  if (head === undefined) throw new Error('there is a head');
  return head;
}
