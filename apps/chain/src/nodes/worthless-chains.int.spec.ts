import { GENESIS_BLOCKS } from '@stablecoin/chains/genesis-blocks';
import { startChain, TestChain } from '@stablecoin/testing/chain';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { requireWorthlessChains } from './worthless-chains';

const AWAY = 'http://127.0.0.1:9';
const KEY = `0x${'42'.repeat(32)}` as const;

let chain: TestChain;
let real: NodeFaultProxy;

beforeAll(async () => {
  chain = await startChain({ network: 'polygon' });
  real = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
  const about = (block: unknown) => ({ ...(block as object), hash: GENESIS_BLOCKS.polygon });
  real.inject({ fault: { kind: 'lies', about }, where: ([place]) => place === '0x0' });
});
afterAll(() => Promise.all([real.close(), chain.stop()]));

const required = (url: string, faucetKey: typeof KEY | null = KEY) =>
  requireWorthlessChains({ faucetKey, nodes: () => ({ polygon: [url] }) });

it('lets a local chain pass, and a node that is away', async () => {
  await expect(required(chain.rpcUrl)).resolves.toBeUndefined();
  await expect(required(AWAY)).resolves.toBeUndefined();
});

it('refuses a chain that begins with the block of the real one', () =>
  expect(required(real.url)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ is a node of the real Polygon, where nothing may be given away: leave CHAIN_FAUCET_KEY/,
  ));

it('says nothing about chains where there is no faucet', () =>
  expect(required(real.url, null)).resolves.toBeUndefined());
