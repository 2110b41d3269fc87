import { startChain, TestChain } from '@stablecoin/testing/chain';
import { addressOf, hashOf } from '../testing/simulated-chain';
import { transfersIn, transfersTo } from './transfer-logs';
import { nodeAt, WatchedNode } from './watched-node';

const [ONE, OTHER] = [addressOf('one'), addressOf('other')];

let chain: TestChain;
let node: WatchedNode;

beforeAll(async () => {
  chain = await startChain();
  node = nodeAt(chain.rpcUrl);
});
afterAll(() => chain.stop());

it('reads the transfers of a block, of whichever contract, and no other events', async () => {
  await chain.callToken('USDT', 'approve', [OTHER, 1n]);
  const approved = await node.blockByNumber('latest');
  expect(await transfersIn(node, approved!.hash)).toEqual([]);
  const transactionHash = await chain.sendTokens('USDC', ONE, 7n);
  const block = await node.blockByNumber('latest');
  expect(await transfersIn(node, block!.hash)).toEqual([
    {
      ...{ token: chain.token('USDC').address.toLowerCase(), from: chain.faucet.address.toLowerCase(), to: ONE },
      ...{ units: 7n, transactionHash, logIndex: 0, blockNumber: block!.number, blockHash: block!.hash },
    },
  ]);
});

it('tells an unknown block from one without transfers', async () => {
  await chain.mine();
  const latest = await node.blockByNumber('latest');
  expect(await transfersIn(node, latest!.hash)).toEqual([]);
  await expect(transfersIn(node, hashOf('nowhere'))).rejects.toMatchObject({ kind: 'unknown-block' });
});

it('reads the transfers to some addresses in a range', async () => {
  const from = (await chain.height()) + 1;
  for (const [to, units] of [
    [ONE, 1n],
    [OTHER, 2n],
    [addressOf('third'), 3n],
    [ONE, 4n],
  ] as const)
    await chain.sendTokens('USDT', to, units);
  const unitsIn = async (to: number) => (await transfersTo(node, [ONE, OTHER], { from, to })).map(({ units }) => units);
  expect(await unitsIn(from + 3)).toEqual([1n, 2n, 4n]);
  expect(await unitsIn(from + 1)).toEqual([1n, 2n]);
});
