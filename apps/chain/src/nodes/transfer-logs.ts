import { BlockRange, Hash, Hex, Log } from '@stablecoin/chain-node/chain-node';
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

/** @throws NodeFailure `too-much` where the node wants smaller ranges */
export async function transfersTo(
  node: WatchedNode,
  addresses: readonly Hex[],
  range: BlockRange,
): Promise<TransferLog[]> {
  return transfersAmong(await node.logsInRange(range, { topics: [TRANSFER_TOPIC, null, addresses.map(topicOf)] }));
}

/** Other events have the same signature and index another number of fields. */
const transfersAmong = (logs: readonly Log[]): TransferLog[] =>
  logs.flatMap((log) => {
    const transfer = transferOf(log);
    const { address: token, transactionHash, logIndex, blockNumber, blockHash } = log;
    return transfer ? [{ ...transfer, token, transactionHash, logIndex, blockNumber, blockHash }] : [];
  });
