import { BlockRange, Hex, Log } from '@stablecoin/chain-node/chain-node';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { transfersTo } from './transfer-logs';

const US: Hex = `0x${'1'.repeat(40)}`;
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** One transfer in each block. */
const logAt = (number: number): Log => ({
  ...{ address: US, topics: [TRANSFER_TOPIC, topicOf(US), topicOf(US)], data: hash(number) },
  ...{ blockHash: hash(number), blockNumber: number, transactionHash: hash(number), logIndex: 0 },
});

/** A node that answers for so many blocks at once. */
function bounded(most: number) {
  const asked: BlockRange[] = [];
  const logsInRange = (range: BlockRange) => {
    asked.push(range);
    const blocks = range.to - range.from + 1;
    if (blocks > most)
      return Promise.reject(new NodeFailure({ kind: 'too-much', node: 'n', method: 'eth_getLogs', detail: 'range' }));
    return Promise.resolve(Array.from({ length: blocks }, (_, index) => logAt(range.from + index)));
  };
  return { node: { logsInRange }, asked };
}

const blocksOf = async (most: number, range: BlockRange) =>
  (await transfersTo(bounded(most).node, [US], range)).map(({ blockNumber }) => blockNumber);

it.each([1, 2, 3, 7, 8, 100])('every block is asked for once of a node that answers for %i at once', async (most) => {
  expect(await blocksOf(most, { from: 10, to: 17 })).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
});

it('what is too much for a single block is told', async () => {
  await expect(blocksOf(0, { from: 10, to: 17 })).rejects.toMatchObject({ kind: 'too-much' });
});

it('asks for no part of what was answered', async () => {
  const { node, asked } = bounded(8);
  await transfersTo(node, [US], { from: 10, to: 17 });
  expect(asked).toEqual([{ from: 10, to: 17 }]);
});
