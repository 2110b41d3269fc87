import { tokenOf } from '@stablecoin/chains/tokens';
import { AnvilChain } from '../testing/anvil-chain';
import { NodeFailure } from './chain-source';
import { JsonRpcSource } from './json-rpc-source';
import { requireRightChain, requireSameTokens } from './node-checks';

let polygon: AnvilChain;
let ethereum: AnvilChain;

beforeAll(async () => {
  [polygon, ethereum] = await Promise.all([AnvilChain.start('polygon'), AnvilChain.start('erc20')]);
});
afterAll(() => Promise.all([polygon.stop(), ethereum.stop()]));

it('takes a node of the chain that has its tokens', async () => {
  await expect(requireRightChain('polygon', new JsonRpcSource(polygon.url))).resolves.toBeUndefined();
});

it('refuses a node of another chain, and names both', async () => {
  await expect(requireRightChain('erc20', new JsonRpcSource(polygon.url))).rejects.toThrow(
    /CHAIN_RPC_ERC20: 127\.0\.0\.1:\d+ is a node of chain 137, and erc20 is Ethereum, chain 1/,
  );
});

it('refuses a token with other decimals than the list, or without code', async () => {
  const { address } = tokenOf('erc20', 'USDC')!;
  const source = new JsonRpcSource(ethereum.url);
  await ethereum.call('anvil_setStorageAt', [address, '0x0', `0x${'12'.padStart(64, '0')}`]);
  await expect(requireRightChain('erc20', source)).rejects.toThrow(
    /USDC at 0xA0b8\w+ has 18 decimals, and the list of tokens says 6/,
  );
  await ethereum.call('anvil_setCode', [address, '0x']);
  await expect(requireRightChain('erc20', source)).rejects.toThrow(/USDC at 0xA0b8\w+ has no decimals/);
});

it('refuses nodes with different code of a token, and names both', async () => {
  const other = await AnvilChain.start('polygon');
  const [one, two] = [polygon.url, other.url].map((url) => new JsonRpcSource(url)) as [JsonRpcSource, JsonRpcSource];
  await expect(requireSameTokens('polygon', one, two)).resolves.toBeUndefined();
  await other.call('anvil_setCode', [tokenOf('polygon', 'USDT')!.address, '0x6001']);
  await expect(requireSameTokens('polygon', one, two)).rejects.toThrow(
    new RegExp(`CHAIN_RPC_POLYGON: USDT at 0xc213\\w+ has the code 0x\\w+ at ${one.name} and 0x\\w+ at ${two.name}`),
  );
  await other.stop();
});

it('says nothing against a node that is away', async () => {
  const away = new JsonRpcSource('http://127.0.0.1:9/secret-key');
  expect(away.name).toBe('127.0.0.1:9');
  await expect(requireRightChain('erc20', away)).rejects.toBeInstanceOf(NodeFailure);
  await expect(requireRightChain('erc20', away)).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(requireRightChain('erc20', away)).rejects.not.toThrow(/secret-key/);
});

it('tells an unknown block from one without transfers', async () => {
  const source = new JsonRpcSource(polygon.url);
  const latest = await source.block('latest');
  expect(await source.transfersIn(latest!.hash)).toEqual([]);
  const unknown = source.transfersIn(`0x${'ab'.repeat(32)}`);
  await expect(unknown).rejects.toMatchObject({ kind: 'unknown_block' });
});
