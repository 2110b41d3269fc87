// The chains of a stack: a tool that has its description can use them, and they are there again after a restart and a kill.

import { join } from 'node:path';
import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { ERC20 } from '@stablecoin/chains/erc20';
import { TOKENS } from '@stablecoin/chains/tokens';
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainDescription, StackDescription } from '../description';
import { TemporaryFolders } from '../fixtures/temporary-folders';
import { processesOfStack, waitUntil } from '../processes';
import { loadSecrets } from '../secrets';
import { startThrowAwayStack, type ThrowAwayStack } from '../throw-away-stack';
import { dataPaths } from '../paths';
import { hotWalletAddress } from './accounts';

jest.setTimeout(180_000);

const SOMEONE: Address = '0x000000000000000000000000000000000000dEaD';
const folders = new TemporaryFolders();
const dataDir = join(folders.make(), 'data');
let stack: ThrowAwayStack | undefined;

afterAll(async () => {
  await stack?.stop();
  await folders.remove();
});

const env = { DATA_DIR: dataDir, LOCAL_CHAINS: 'true' };
async function start(): Promise<StackDescription & { chains: ChainDescription[] }> {
  stack = await startThrowAwayStack({ withServices: false, env, shown: false });
  const { chains = [], ...description } = stack.description;
  return { ...description, chains };
}

const transport = ({ rpc_url: url }: ChainDescription) => http(url, { retryCount: 0 });
function balanceOf(chain: ChainDescription, account: Address): Promise<bigint> {
  const address = chain.tokens.USDT.address as Address;
  const client = createPublicClient({ transport: transport(chain) });
  return client.readContract({ address, abi: ERC20, functionName: 'balanceOf', args: [account] });
}

/** As a tool that knows only the description does it. @returns the block that the transfer is in */
async function send(chain: ChainDescription, units: bigint): Promise<bigint> {
  const account = privateKeyToAccount(chain.faucet_private_key as Hex);
  const wallet = createWalletClient({ account, transport: transport(chain) });
  const hash = await wallet.writeContract({
    ...{ chain: null, address: chain.tokens.USDT.address as Address, abi: ERC20 },
    ...{ functionName: 'transfer', args: [SOMEONE, units] },
  });
  const client = createPublicClient({ transport: transport(chain), pollingInterval: 100 });
  const { status, blockNumber } = await client.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
  return blockNumber;
}

async function untilFinal(chain: ChainDescription, block: bigint): Promise<void> {
  const client = createPublicClient({ transport: transport(chain) });
  const isFinal = async () => (await client.getBlock({ blockTag: 'finalized' })).number >= block;
  expect(await waitUntil(isFinal, 20_000)).toBe(true);
}

it('are used by their description, and are there again after a stop, a kill of one, and a kill of everything', async () => {
  const first = await start();
  expect(first.chains.map(({ network, chain_id: id }) => [network, id])).toEqual([
    ['erc20', 1],
    ['bep20', 56],
    ['polygon', 137],
  ]);
  for (const { network, currency, address, decimals } of TOKENS)
    expect(first.chains.find((chain) => chain.network === network)?.tokens[currency]).toEqual({ address, decimals });
  const hotWallet = hotWalletAddress(loadSecrets(dataPaths(dataDir)).DEPOSIT_SEED);
  for (const chain of first.chains) {
    expect(await balanceOf(chain, hotWallet)).toBe(10n ** 6n * 10n ** BigInt(chain.tokens.USDT.decimals));
    expect(first.pids[`chain-${chain.network}`]).toBeGreaterThan(1);
  }
  await Promise.all(first.chains.map((chain) => send(chain, 5n)));
  await stack?.stop();
  expect(processesOfStack(dataDir)).toEqual([]);

  const second = await start();
  expect(second.chains).toEqual(first.chains);
  for (const chain of second.chains) expect(await balanceOf(chain, SOMEONE)).toBe(5n);

  const [ethereum] = second.chains;
  if (ethereum === undefined) throw new Error('there is a chain of erc20');
  process.kill(second.pids['chain-erc20'] ?? -1, 'SIGKILL');
  const isBack = async () => (await balanceOf(ethereum, SOMEONE).catch(() => undefined)) === 5n;
  expect(await waitUntil(async () => !(await isBack()), 5_000)).toBe(true);
  expect(await waitUntil(isBack, 20_000)).toBe(true);
  await untilFinal(ethereum, await send(ethereum, 2n));

  await stack?.kill();
  const third = await start();
  expect(third.chains).toEqual(first.chains);
  expect(await balanceOf(ethereum, SOMEONE)).toBe(7n);
  expect(third.chains.map(({ network }) => network)).toEqual(EVM_NETWORKS);
});
