// The chains of the local stack and of specs, on real anvil.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES } from '@stablecoin/chains/tokens';
import { setUpChain } from '@stablecoin/local-stack/chains/chain-set-up';
import { artifactOf } from '@stablecoin/test-tokens/artifacts';
import { type Abi, createPublicClient, getAddress, type Hash, http, pad, parseAbi, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Address, BLOCKS_UNTIL_FINAL, startChain, type TestChain } from './chain';
import { eventually } from './eventually';

const HOT_WALLET = privateKeyToAccount(generatePrivateKey()).address;
const SOMEONE: Address = '0x000000000000000000000000000000000000dEaD';
const MILLION = 10n ** 6n;
const ABI: Abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function totalSupply() view returns (uint256)',
]);

const chains: TestChain[] = [];
const started = async (...request: Parameters<typeof startChain>) => {
  const chain = await startChain(...request);
  chains.push(chain);
  return chain;
};
afterEach(async () => void (await Promise.all(chains.splice(0).map((chain) => chain.stop()))));

const clientOf = (chain: TestChain) => createPublicClient({ transport: http(chain.rpcUrl, { retryCount: 0 }) });
type ViewName = 'balanceOf' | 'decimals' | 'symbol' | 'totalSupply';
const read = (chain: TestChain, address: Address, functionName: ViewName, ...args: Address[]): Promise<unknown> =>
  clientOf(chain).readContract({ address, abi: ABI, functionName, args });
const balanceOf = (chain: TestChain, currency: 'USDT' | 'USDC', account: Address) => chain.unitsOf(currency, account);
const heightOf = async (chain: TestChain, tag: 'latest' | 'safe' | 'finalized') =>
  Number((await clientOf(chain).getBlock({ blockTag: tag })).number);

describe.each(EVM_NETWORKS)('a chain of %s', (network) => {
  it('has its tokens at their addresses, a faucet, and a hot wallet that is funded once', async () => {
    const chain = await started({ network, hotWallet: HOT_WALLET });
    const client = clientOf(chain);
    expect(await client.getChainId()).toBe(chain.chainId);
    for (const currency of TOKEN_CURRENCIES) {
      const { address, decimals } = chain.token(currency);
      expect(await read(chain, address, 'symbol')).toBe(currency);
      expect(await read(chain, address, 'decimals')).toBe(decimals);
      expect(await balanceOf(chain, currency, HOT_WALLET)).toBe(MILLION * 10n ** BigInt(decimals));
      await chain.sendTokens(currency, SOMEONE, 7n);
      expect(await balanceOf(chain, currency, SOMEONE)).toBe(7n);
    }
    expect(await client.getBalance({ address: HOT_WALLET })).toBe(100n * 10n ** 18n);

    const before = [await chain.height(), await balanceOf(chain, 'USDT', HOT_WALLET)];
    const parts = { network, faucet: chain.faucet.address, hotWallet: HOT_WALLET };
    expect(await setUpChain(chain.rpc, parts)).toBe(false);
    expect([await chain.height(), await balanceOf(chain, 'USDT', HOT_WALLET)]).toEqual(before);
  });
});

it('gives a hot wallet that has paid everything out nothing more', async () => {
  const hot = privateKeyToAccount(generatePrivateKey());
  const chain = await started({ hotWallet: hot.address });
  await chain.callToken('USDT', 'transfer', [SOMEONE, MILLION * MILLION], hot);
  expect(await balanceOf(chain, 'USDT', hot.address)).toBe(0n);
  await setUpChain(chain.rpc, { network: 'erc20', faucet: chain.faucet.address, hotWallet: hot.address });
  expect(await balanceOf(chain, 'USDT', hot.address)).toBe(0n);
});

it("replaces a token's code when its source has changed, and keeps what it stored", async () => {
  const chain = await started();
  const { address } = chain.token('USDC');
  await chain.sendTokens('USDC', SOMEONE, 5n);
  await chain.call('anvil_setCode', address, '0x00');
  await setUpChain(chain.rpc, { network: 'erc20', faucet: chain.faucet.address });
  expect(await chain.call('eth_getCode', address, 'latest')).toBe(artifactOf('UsdcLikeToken').deployedCode);
  expect(await balanceOf(chain, 'USDC', SOMEONE)).toBe(5n);
});

it('refuses a chain whose tokens another faucet owns, and says the way out', async () => {
  const chain = await started();
  const another = privateKeyToAccount(generatePrivateKey()).address;
  await expect(setUpChain(chain.rpc, { network: 'erc20', faucet: another })).rejects.toThrow(
    /made with another faucet's key .*restore that file, or begin new chains/,
  );
});

it('behaves as the real tokens: what is returned, pauses, blacklists, fees, batches, and lies', async () => {
  const chain = await started();
  const client = clientOf(chain);
  const holder = await chain.account();
  const statusOf = async (hash: Hash) => (await client.getTransactionReceipt({ hash })).status;
  const returnOf = (currency: 'USDT' | 'USDC') =>
    chain.call<string>(
      'eth_call',
      {
        from: holder.address,
        to: chain.token(currency).address,
        data: `0xa9059cbb${pad(SOMEONE).slice(2)}${pad('0x1').slice(2)}`,
      },
      'latest',
    );
  await chain.sendTokens('USDT', holder.address, 1_000n);
  await chain.sendTokens('USDC', holder.address, 1_000n);
  expect(await returnOf('USDT')).toBe('0x');
  expect(BigInt(await returnOf('USDC'))).toBe(1n);

  const usdt = (name: string, ...args: unknown[]) => chain.callToken('USDT', name, args);
  const pay = (currency: 'USDT' | 'USDC') =>
    chain.callToken(currency, 'transfer', [SOMEONE, 100n], holder).then(statusOf);
  await usdt('pause');
  expect(await pay('USDT')).toBe('reverted');
  await usdt('unpause');
  await usdt('addBlackList', holder.address);
  expect(await pay('USDT')).toBe('reverted');
  await usdt('removeBlackList', holder.address);
  await usdt('setParams', 100n, 50n);
  expect(await pay('USDT')).toBe('success');
  expect(await balanceOf(chain, 'USDT', SOMEONE)).toBe(99n);

  await chain.callContract('UsdcLikeToken', chain.token('USDC').address, 'blacklist', [SOMEONE]);
  expect(await pay('USDC')).toBe('reverted');
  await chain.callContract('UsdcLikeToken', chain.token('USDC').address, 'unBlacklist', [SOMEONE]);
  expect(await pay('USDC')).toBe('success');

  const batch = await chain.deploy('BatchSender');
  for (const currency of TOKEN_CURRENCIES) await chain.callToken(currency, 'approve', [batch, 500n], holder);
  const parts = TOKEN_CURRENCIES.flatMap((currency) => [
    { token: chain.token(currency).address, to: SOMEONE, units: 10n },
    { token: chain.token(currency).address, to: HOT_WALLET, units: 20n },
  ]);
  await usdt('setParams', 0n, 0n);
  const hash = await chain.callContract('BatchSender', batch, 'send', [parts], holder);
  expect((await client.getTransactionReceipt({ hash })).logs.filter(({ topics }) => topics.length === 3)).toHaveLength(
    4,
  );

  const unmoved = await chain.deploy('UnmovedToken');
  const lie = await chain.callContract('UnmovedToken', unmoved, 'transfer', [SOMEONE, 999n]);
  expect((await client.getTransactionReceipt({ hash: lie })).logs[0]?.data).toBe(toHex(999n, { size: 32 }));
  expect(await read(chain, unmoved, 'balanceOf', SOMEONE)).toBe(0n);

  const short = await chain.deploy('ShortToken');
  await chain.callContract('ShortToken', short, 'initialise', ['Short', 'SHORT', 6]);
  await chain.callContract('ShortToken', short, 'mint', [chain.faucet.address, 1_000n]);
  await chain.callContract('ShortToken', short, 'transfer', [SOMEONE, 100n]);
  expect(await read(chain, short, 'balanceOf', SOMEONE)).toBe(99n);
});

it('makes blocks while there is something to make final, then rests', async () => {
  const chain = await started({ blocks: 'steady', blockTimeMs: 20 });
  const hash = await chain.sendTokens('USDT', SOMEONE, 3n);
  const block = await eventually('the transfer to be in a block', async () => {
    const receipt = await clientOf(chain)
      .getTransactionReceipt({ hash })
      .catch(() => undefined);
    return receipt && Number(receipt.blockNumber);
  });
  await eventually('it to be final', async () => (await heightOf(chain, 'finalized')) >= block);
  const rested = await eventually('the chain to rest', async () => {
    const [height, tries] = [await chain.height(), 10];
    for (let one = 0; one < tries; one += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if ((await chain.height()) !== height) return false;
    }
    return height;
  });
  expect(rested - block).toBe(BLOCKS_UNTIL_FINAL);
});

it.each([1, 2, 3])('is there again after a kill, with everything that was final (%d)', async (round) => {
  const chain = await started({ blocks: 'steady', blockTimeMs: 15 });
  const holder = await chain.account();
  while ((await heightOf(chain, 'finalized')) < 6 + round) await chain.sendTokens('USDT', holder.address, 1n);
  const final = await clientOf(chain).getBlock({ blockTag: 'finalized' });
  const height = await chain.height();
  await chain.kill();
  await chain.revive();
  expect((await clientOf(chain).getBlock({ blockNumber: final.number })).hash).toBe(final.hash);
  expect(await clientOf(chain).getLogs({ blockHash: final.hash })).toBeDefined();
  expect(await heightOf(chain, 'latest')).toBeGreaterThanOrEqual(height - BLOCKS_UNTIL_FINAL);
});

it('can be asked for balances at recent blocks after a restart', async () => {
  const chain = await started({ blocks: 'ordered' });
  await chain.sendTokens('USDT', SOMEONE, 3n);
  await chain.mine();
  const { hash } = await clientOf(chain).getBlock({ blockTag: 'latest' });
  await chain.sendTokens('USDT', SOMEONE, 4n);
  await chain.mine(20);
  await chain.save();
  await chain.kill();
  await chain.revive();
  const call = { to: chain.token('USDT').address, data: `0x70a08231${pad(SOMEONE).slice(2)}` };
  expect(BigInt(await chain.call<string>('eth_call', call, { blockHash: hash }))).toBe(3n);
  expect(await balanceOf(chain, 'USDT', SOMEONE)).toBe(7n);
});

it('is reorganised, also below what was final', async () => {
  const chain = await started({ blocks: 'ordered' });
  const hash = await chain.sendTokens('USDT', SOMEONE, 3n);
  await chain.mine(2 * BLOCKS_UNTIL_FINAL);
  const { blockHash } = await clientOf(chain).getTransactionReceipt({ hash });
  await chain.reorganise(2 * BLOCKS_UNTIL_FINAL);
  await expect(clientOf(chain).getTransactionReceipt({ hash })).rejects.toThrow(/could not be found/);
  await expect(chain.call('eth_getLogs', { blockHash })).rejects.toThrow(/unknown block/);
  expect(await balanceOf(chain, 'USDT', SOMEONE)).toBe(0n);
});

it('leaves no draft and no unpacked copy behind, and keeps what it saved', async () => {
  const chain = await started({ blocks: 'ordered' });
  await chain.save();
  const { folder } = chain;
  expect(readdirSync(folder).filter((name) => name.includes('draft') || name === 'loaded.json')).toEqual([]);
  expect(existsSync(join(folder, 'chain.json.gz'))).toBe(true);
  expect(readFileSync(join(folder, 'anvil.log'), 'utf8')).toBe('');
  expect(getAddress(chain.faucet.address)).toBe(chain.faucet.address);
});
