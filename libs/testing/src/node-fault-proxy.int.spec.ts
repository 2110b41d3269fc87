import { BLOCKS_UNTIL_FINAL, startChain, type TestChain } from './chain';
import { type FaultRule, NodeFaultProxy } from './node-fault-proxy';

const SOMEONE = '0x000000000000000000000000000000000000dEaD';

let chain: TestChain;
let proxy: NodeFaultProxy;
beforeAll(async () => {
  chain = await startChain();
  proxy = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await proxy.close();
  await chain.stop();
});

interface Answer {
  result?: unknown;
  error?: { code: number; message: string };
}

const request = (url: string, body: object, timeoutMs = 5_000) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(timeoutMs) });
async function ask(method: string, ...params: unknown[]): Promise<Answer> {
  const response = await request(proxy.url, { jsonrpc: '2.0', id: 1, method, params });
  return (await response.json()) as Answer;
}
const height = async (tag: string) =>
  Number(((await ask('eth_getBlockByNumber', tag, false)).result as { number: string }).number);

it('passes on what the node says, several requests at once too', async () => {
  expect(await ask('eth_chainId')).toMatchObject({ id: 1, result: '0x1' });
  expect(await ask('eth_nothing')).toMatchObject({ error: { code: -32601 } });
  const asked = ['eth_chainId', 'eth_blockNumber'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
  const answers = (await (await request(proxy.url, asked)).json()) as object[];
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 0, result: '0x1' },
    { jsonrpc: '2.0', id: 1, result: expect.any(String) },
  ]);
});

it('spoils only the methods and parameters of its rule, counts how often, and heals', async () => {
  const error = { code: -32603, message: 'no' };
  proxy.inject({
    fault: { kind: 'error', ...error },
    methods: ['eth_getBlockByNumber'],
    where: ([at]) => at === '0x1',
  });
  expect(await ask('eth_getBlockByNumber', '0x1', false)).toMatchObject({ error });
  expect(await ask('eth_getBlockByNumber', '0x0', false)).not.toHaveProperty('error');
  expect(await ask('eth_chainId')).not.toHaveProperty('error');
  expect(proxy.happened.get('error')).toBe(1);
  proxy.heal();
  expect(await ask('eth_getBlockByNumber', '0x1', false)).not.toHaveProperty('error');
});

it('draws its faults from its seed', async () => {
  const drawn = async (seed: number) => {
    const own = await NodeFaultProxy.inFrontOf(chain.rpcUrl, { seed });
    own.inject({ fault: { kind: 'throttled', retryAfterS: 2 }, ofTen: 4 });
    const statuses: number[] = [];
    for (let one = 0; one < 12; one += 1) {
      const response = await request(own.url, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
      if (response.status === 429) expect(response.headers.get('retry-after')).toBe('2');
      statuses.push(response.status);
    }
    await own.close();
    return statuses;
  };
  const first = await drawn(3);
  expect(await drawn(3)).toEqual(first);
  expect(new Set(first)).toEqual(new Set([200, 429]));
});

describe('a broken connection', () => {
  const send = async (rule: FaultRule, units: bigint) => {
    const { faucet } = chain;
    const raw = await faucet.signTransaction({
      ...{ chainId: chain.chainId, to: SOMEONE, gas: 21_000n, value: units, maxFeePerGas: 10n ** 10n },
      nonce: Number(await chain.call('eth_getTransactionCount', faucet.address, 'latest')),
    });
    proxy.inject(rule);
    await expect(ask('eth_sendRawTransaction', raw)).rejects.toThrow(/fetch failed/);
  };
  const coins = async () => BigInt(await chain.call<string>('eth_getBalance', SOMEONE, 'latest'));

  it('breaks before the node has the request, or after it did what was asked', async () => {
    const before = await coins();
    await send({ fault: { kind: 'cut-before' } }, 3n);
    await chain.mine();
    expect((await coins()) - before).toBe(0n);
    await send({ fault: { kind: 'cut-after' } }, 5n);
    await chain.mine();
    expect((await coins()) - before).toBe(5n);
  });
});

it('is silent for as long as the caller waits', async () => {
  proxy.inject({ fault: { kind: 'silent' } });
  const asked = request(proxy.url, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }, 100);
  await expect(asked).rejects.toThrow(/timeout/);
});

it('is behind in everything that it says', async () => {
  await chain.mine(3 * BLOCKS_UNTIL_FINAL);
  const hash = await chain.sendTokens('USDT', SOMEONE, 1n);
  const [head, final, receipt] = [await height('latest'), await height('finalized'), await chain.receiptOf(hash)];
  const blockHash = receipt?.blockHash;
  const address = chain.token('USDT').address;
  const inRange = { address, fromBlock: '0x0', toBlock: `0x${head.toString(16)}` };
  const all = ((await ask('eth_getLogs', inRange)).result as unknown[]).length;
  proxy.lagBy(1);
  expect([await height('latest'), await height('finalized')]).toEqual([head - 1, final - 1]);
  expect(Number((await ask('eth_blockNumber')).result)).toBe(head - 1);
  expect((await ask('eth_getBlockByHash', blockHash, false)).result).toBeNull();
  expect((await ask('eth_getTransactionReceipt', hash)).result).toBeNull();
  expect((await ask('eth_getTransactionByHash', hash)).result).toMatchObject({ hash, blockHash: null });
  expect((await ask('eth_getLogs', { blockHash })).error?.message).toBe('unknown block');
  expect((await ask('eth_getLogs', inRange)).result).toHaveLength(all - 1);
  const call = { to: address, data: `0x70a08231${SOMEONE.slice(2).padStart(64, '0')}` };
  expect((await ask('eth_call', call, { blockHash })).error?.message).toBe('unknown block');
  const balance = async () => BigInt((await ask('eth_call', call, 'latest')).result as string);
  const behind = await balance();
  proxy.heal();
  expect((await balance()) - behind).toBe(1n);
});

it('forgets a transaction that it took, or that it knew', async () => {
  const hash = await chain.sendTokens('USDT', SOMEONE, 1n);
  proxy.hide(hash);
  expect((await ask('eth_getTransactionByHash', hash)).result).toBeNull();
  expect((await ask('eth_getTransactionReceipt', hash)).result).toBeNull();
  const raw = await chain.faucet.signTransaction({
    ...{ chainId: chain.chainId, to: SOMEONE, gas: 21_000n, value: 1n, maxFeePerGas: 10n ** 10n },
    nonce: Number(await chain.call('eth_getTransactionCount', chain.faucet.address, 'latest')),
  });
  proxy.inject({ fault: { kind: 'forgets' }, methods: ['eth_sendRawTransaction'] });
  const taken = (await ask('eth_sendRawTransaction', raw)).result;
  expect(taken).toMatch(/^0x[0-9a-f]{64}$/);
  await chain.mine();
  expect(await chain.call('eth_getTransactionByHash', taken as string)).toBeNull();
});
