import { BlockRange, Hash, Hex, Log } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { topicOf, Transfer, TRANSFER_TOPIC, transferOf } from '@stablecoin/chains/erc20';
import { WatchedNode } from './watched-node';

/** A `Transfer` event, of whichever contract: only a listed token's is money. */
export interface TransferLog extends Transfer, Pick<Log, 'transactionHash' | 'logIndex' | 'blockNumber' | 'blockHash'> {
  token: Hex;
}

/** @throws NodeFailure `unknown-block` where the node does not have the block, or has it no longer */
export async function transfersIn(node: WatchedNode, blockHash: Hash): Promise<TransferLog[]> {
  return transfersAmong(await node.logsOfBlock(blockHash, { topics: [TRANSFER_TOPIC] }));
}

/**
 * Asks for half of the range where the node answers that it is too much: nodes bound blocks, answers, or both.
 *
 * @throws NodeFailure `too-much` where that is so of a single block
 */
export async function transfersTo(
  node: Pick<WatchedNode, 'logsInRange'>,
  addresses: readonly Hex[],
  range: BlockRange,
): Promise<TransferLog[]> {
  try {
    return transfersAmong(await node.logsInRange(range, { topics: [TRANSFER_TOPIC, null, addresses.map(topicOf)] }));
  } catch (error) {
    const { from, to } = range;
    if (!isNodeFailure(error, 'too-much') || from >= to) throw error;
    const middle = Math.floor((from + to) / 2);
    const first = await transfersTo(node, addresses, { from, to: middle });
    return [...first, ...(await transfersTo(node, addresses, { from: middle + 1, to }))];
  }
}

/** The transfer that stands at this place among those of its token in its transaction. */
export function transferIn(
  logs: readonly TransferLog[],
  { transaction_hash, token, ordinal }: { transaction_hash: Hex; token: Hex; ordinal: number },
): TransferLog | undefined {
  return logs
    .filter((log) => log.transactionHash === transaction_hash && log.token === token)
    .sort((one, other) => one.logIndex - other.logIndex)[ordinal];
}

/** Other events have the same signature and index another number of fields. */
const transfersAmong = (logs: readonly Log[]): TransferLog[] =>
  logs.flatMap((log) => {
    const transfer = transferOf(log);
    const { address: token, transactionHash, logIndex, blockNumber, blockHash } = log;
    return transfer ? [{ ...transfer, token, transactionHash, logIndex, blockNumber, blockHash }] : [];
  });
