import { TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import type { TestChain } from '@stablecoin/testing/chain';
import { toHex } from 'viem';
import { type ChainRecord, type Look, transfersByBlock } from '../oracle/chain-record';

/** More than are ever replaced at once. */
const LOOKED_BACK = 12;

interface RawBlock {
  number: `0x${string}`;
  hash: `0x${string}`;
}

/** Has the record look at the chain as it is now. Only the trial makes blocks, so that none is missed between two looks. */
export async function look(chain: TestChain, record: ChainRecord): Promise<void> {
  const head = await chain.height();
  const from = Math.max(0, Math.min(record.height === -1 ? head : record.height, head) - LOOKED_BACK);
  const numbers = Array.from({ length: head - from + 1 }, (_, index) => toHex(from + index));
  const range = { fromBlock: toHex(from), toBlock: toHex(head), topics: [TRANSFER_TOPIC] };
  const [finalized, logs, ...blocks] = await chain.rpc.callAll<
    [RawBlock, Parameters<typeof transfersByBlock>[0], ...RawBlock[]]
  >(
    ['eth_getBlockByNumber', 'finalized', false],
    ['eth_getLogs', range],
    ...numbers.map((number) => ['eth_getBlockByNumber', number, false] as const),
  );
  const transfers = transfersByBlock(logs);
  const looked: Look = {
    final: Number(finalized.number),
    blocks: blocks.map(({ number, hash }) => ({
      ...{ number: Number(number), hash },
      transfers: transfers.get(Number(number)) ?? [],
    })),
  };
  record.take(looked);
}
