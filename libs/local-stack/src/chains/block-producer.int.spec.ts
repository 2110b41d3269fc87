import { join } from 'node:path';
import { TemporaryFolders } from '../fixtures/temporary-folders';
import { freePort } from '../ports';
import { waitUntil } from '../processes';
import { type Anvil, BLOCKS_UNTIL_FINAL, startAnvil } from './anvil';
import { requireAnvil } from './anvil-binary';
import { BlockProducer } from './block-producer';

const BLOCK_TIME_MS = 20;
const folders = new TemporaryFolders();
let anvil: Anvil;
let producer: BlockProducer;

beforeEach(async () => {
  const folder = folders.make();
  const request = { program: requireAnvil(process.env), chainId: 1, folder, log: join(folder, 'anvil.log') };
  anvil = await startAnvil({ ...request, port: freePort });
  const options = { rpc: anvil.rpc, save: () => Promise.resolve(), onFailure: () => undefined };
  producer = new BlockProducer({ ...options, blockTimeMs: BLOCK_TIME_MS });
  await producer.start();
});

afterEach(async () => {
  await producer.abandon();
  await anvil.stop();
  await folders.remove();
});

const height = async () => Number(await anvil.rpc.call<string>('eth_blockNumber'));
const isAbove = (wanted: number) => waitUntil(async () => (await height()) > wanted, 5_000);

/** Blocks come for as long as something has to become final, and then no more. */
async function idleHeight(): Promise<number> {
  let former = -1;
  const isUnchanged = async () => {
    const before = former;
    former = await height();
    await new Promise((resolve) => setTimeout(resolve, 5 * BLOCK_TIME_MS));
    return former === before && former === (await height());
  };
  expect(await waitUntil(isUnchanged, 10_000)).toBe(true);
  return former;
}

it('makes what others put into an idle chain final, and then rests', async () => {
  const before = await idleHeight();
  await anvil.rpc.call('anvil_mine', '0x2');
  expect(await isAbove(before + 2)).toBe(true);
  expect(await idleHeight()).toBe(before + 2 + BLOCKS_UNTIL_FINAL);
});

it('makes the blocks of a reorganisation final that left an idle chain as high as it was', async () => {
  const before = await idleHeight();
  await anvil.rpc.call('anvil_reorg', 2, []);
  expect(await isAbove(before)).toBe(true);
  expect(await idleHeight()).toBe(before + BLOCKS_UNTIL_FINAL);
});
