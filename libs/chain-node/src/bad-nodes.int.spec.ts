// The port on nodes that refuse, lie, lag, forget and break off.

import { ERC20 } from '@stablecoin/chains/erc20';
import { type Address, BLOCKS_UNTIL_FINAL, startChain, type TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { type NodeFault, NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { encodeFunctionData, keccak256, toHex } from 'viem';
import { agreedBlock, agreedLogs, agreedTokenFacts, askEach } from './agreement';
import type { Hash, Hex } from './chain-node';
import { JsonRpcNode } from './json-rpc-node';
import type { FailureKind } from './node-failure';
import { failureOf, headOf, kindOf } from './testing/outcomes';

const SOMEONE: Address = '0x000000000000000000000000000000000000dead';
const NOWHERE: Hash = `0x${'12'.repeat(32)}`;

let chain: TestChain;
let proxy: NodeFaultProxy;
let node: JsonRpcNode;
let behindProxy: JsonRpcNode;

beforeAll(async () => {
  chain = await startChain();
  proxy = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
  node = new JsonRpcNode({ url: chain.rpcUrl });
  behindProxy = new JsonRpcNode({ url: proxy.url, timeoutMs: 400 });
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await proxy.close();
  await chain.stop();
});

const usdt = () => chain.token('USDT').address;

/** A transfer of the faucet, signed and not sent. */
async function signed(more: { nonce?: number; maxFeePerGas?: bigint; units?: bigint } = {}): Promise<Hex> {
  const { units = 1n, ...rest } = more;
  return chain.faucet.signTransaction({
    ...{ chainId: chain.chainId, to: usdt(), gas: 100_000n, maxPriorityFeePerGas: 1n, maxFeePerGas: 10n ** 10n },
    data: encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [SOMEONE, units] }),
    nonce: await node.nonceOf(chain.faucet.address, 'latest'),
    ...rest,
  });
}

/** A block, or each of a list of logs, with something else in it. */
const changed = (said: unknown, change: object): unknown =>
  Array.isArray(said) ? said.map((one) => changed(one, change)) : { ...(said as object), ...change };

describe('a node', () => {
  it('that is gone is named by its host, and never by the key in its URL', async () => {
    const gone = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
    const secret = new JsonRpcNode({ url: `${gone.url.replace('http://', 'http://user:pass@')}/v3/key` });
    expect(await secret.chainId()).toBe(1);
    await gone.close();
    const failure = await failureOf(secret.chainId());
    expect(failure).toMatchObject({ kind: 'unreachable', node: new URL(gone.url).host, detail: 'ECONNREFUSED' });
    expect(failure.message).not.toMatch(/pass|key/);
  });

  it('that is silent is waited for no longer than its caller waits, and than its time', async () => {
    proxy.inject({ fault: { kind: 'silent' } });
    const caller = new AbortController();
    const asked = kindOf(behindProxy.chainId({ signal: caller.signal, timeoutMs: 60_000 }));
    caller.abort();
    expect(await asked).toBe('aborted');
    expect(await failureOf(behindProxy.chainId({ timeoutMs: 50 }))).toMatchObject({
      kind: 'timeout',
      detail: 'no answer within 50 ms',
    });
  });

  it.each<[FailureKind, NodeFault]>([
    ['throttled', { kind: 'throttled' }],
    ['throttled', { kind: 'error', code: -32005, message: 'daily request count exceeded, request rate limited' }],
    ['internal', { kind: 'error', code: -32603, message: 'Internal error' }],
    ['timeout', { kind: 'silent' }],
    ['timeout', { kind: 'slow', ms: 700 }],
    ['unreachable', { kind: 'cut-before' }],
    ['unreachable', { kind: 'cut-after' }],
    ['internal', { kind: 'says', status: 502, type: 'text/html', text: '<html>bad gateway</html>' }],
    ['malformed-answer', { kind: 'says', text: 'no JSON' }],
    ['malformed-answer', { kind: 'says', text: '{"jsonrpc":"2.0","id":1}' }],
    ['malformed-answer', { kind: 'says', text: '{"jsonrpc":"2.0","id":1,"error":"no"}' }],
    ['malformed-answer', { kind: 'says', text: '[]' }],
    ['malformed-answer', { kind: 'lies', about: () => 'one' }],
    ['malformed-answer', { kind: 'lies', about: () => 1 }],
    ['malformed-answer', { kind: 'lies', about: () => `0x${'f'.repeat(20)}` }],
    ['malformed-answer', { kind: 'lies', about: () => '0x01' }],
    ['method-unsupported', { kind: 'error', code: -32601, message: 'the method does not exist' }],
  ])('fails with %s at %j', async (kind, fault) => {
    proxy.inject({ fault });
    expect(await kindOf(behindProxy.chainId())).toBe(kind);
    proxy.heal();
    expect(await behindProxy.chainId()).toBe(1);
  });

  it('is left alone for the time it asks for', async () => {
    proxy.inject({ fault: { kind: 'throttled', retryAfterS: 7 } });
    expect(await failureOf(behindProxy.chainId())).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 });
  });

  it('takes no block, log, receipt or hash that is another than was asked for', async () => {
    const hash = await chain.sendTokens('USDT', SOMEONE, 1n);
    const { blockHash = NOWHERE, blockNumber = 0 } = (await node.receipt(hash)) ?? {};
    const lie = (change: object) => proxy.inject({ fault: { kind: 'lies', about: (said) => changed(said, change) } });
    lie({ hash: NOWHERE });
    expect(await kindOf(behindProxy.blockByHash(blockHash))).toBe('malformed-answer');
    expect(await kindOf(behindProxy.transactionByHash(hash))).toBe('malformed-answer');
    lie({ number: toHex(blockNumber + 1) });
    expect(await kindOf(behindProxy.blockByNumber(blockNumber))).toBe('malformed-answer');
    for (const change of [
      { blockHash: NOWHERE },
      { removed: true },
      { topics: ['0x1'] },
      { data: '0x1' },
      { address: '0x' },
    ]) {
      lie(change);
      expect(await kindOf(behindProxy.logsOfBlock(blockHash))).toBe('malformed-answer');
    }
    lie({ address: SOMEONE });
    expect(await kindOf(behindProxy.logsOfBlock(blockHash, { addresses: [usdt()] }))).toBe('malformed-answer');
    lie({ status: '0x2' });
    expect(await kindOf(behindProxy.receipt(hash))).toBe('malformed-answer');
    proxy.inject({ fault: { kind: 'lies', about: () => NOWHERE } });
    expect(await kindOf(behindProxy.broadcast(await signed()))).toBe('malformed-answer');
    proxy.inject({ fault: { kind: 'lies', about: () => '0x12' } });
    expect(await kindOf(behindProxy.tokenFacts(usdt()))).toBe('malformed-answer');
  });

  it('that knows no finalized block, says so', async () => {
    proxy.inject({ fault: { kind: 'lies', about: () => null }, methods: ['eth_getBlockByNumber'] });
    expect(await kindOf(behindProxy.blockByNumber('finalized'))).toBe('tag-unsupported');
    expect(await kindOf(behindProxy.blockByNumber('latest'))).toBe('malformed-answer');
    proxy.inject({ fault: { kind: 'error', code: -39001, message: 'finalized block not found' } });
    expect(await kindOf(behindProxy.blockByNumber('finalized'))).toBe('tag-unsupported');
  });

  it('that is behind, has older tags, and does not know what is newer', async () => {
    await chain.mine(3 * BLOCKS_UNTIL_FINAL);
    const hash = await chain.sendTokens('USDT', SOMEONE, 1n);
    const [head, final] = [await headOf(node), await node.blockByNumber('finalized')];
    proxy.lagBy(2);
    expect((await headOf(behindProxy)).number).toBe(head.number - 2);
    expect((await behindProxy.blockByNumber('finalized'))?.number).toBe((final?.number ?? 0) - 2);
    expect(await behindProxy.blockByHash(head.hash)).toBeUndefined();
    expect(await behindProxy.receipt(hash)).toBeUndefined();
    expect(await kindOf(behindProxy.logsOfBlock(head.hash))).toBe('unknown-block');
    expect(await kindOf(behindProxy.balanceOf(usdt(), SOMEONE, head.hash))).toBe('unknown-block');
    expect(await behindProxy.logsInRange({ from: head.number, to: head.number })).toEqual([]);
  });

  it('that forgets a transaction, has said that it took it', async () => {
    const raw = await signed();
    proxy.inject({ fault: { kind: 'forgets' }, methods: ['eth_sendRawTransaction'] });
    expect(await behindProxy.broadcast(raw)).toBe('accepted');
    expect(await node.transactionByHash(keccak256(raw))).toBeUndefined();
    expect(await node.broadcast(raw)).toBe('accepted');
    await eventually('it to be in a block', async () => (await node.receipt(keccak256(raw))) !== undefined);
    proxy.hide(keccak256(raw));
    expect(await behindProxy.transactionByHash(keccak256(raw))).toBeUndefined();
  });

  it('that broke off, has taken what it was sent', async () => {
    const raw = await signed();
    proxy.inject({ fault: { kind: 'cut-after' }, methods: ['eth_sendRawTransaction'] });
    expect(await kindOf(behindProxy.broadcast(raw))).toBe('unreachable');
    await eventually('it to be in a block', async () => (await node.receipt(keccak256(raw))) !== undefined);
  });
});

describe('of two nodes', () => {
  const both = () => [node, behindProxy];

  it('each is asked, and what both say counts', async () => {
    const { hash } = await headOf(node);
    expect(agreedBlock('it', await askEach(both(), (one) => one.blockByHash(hash)))).toMatchObject({
      state: 'agreed',
      value: { hash },
    });
    const none = await askEach(both(), (one) => one.blockByHash(NOWHERE));
    expect(agreedBlock('it', none)).toEqual({ state: 'absent' });
  });

  it('one that is behind, or silent, leaves no agreement yet', async () => {
    await chain.sendTokens('USDT', SOMEONE, 1n);
    const { hash } = await headOf(node);
    const logs = async () => agreedLogs(hash, await askEach(both(), (one) => one.logsOfBlock(hash)));
    proxy.lagBy(1);
    expect(await logs()).toMatchObject({ state: 'incomplete', missingOn: [behindProxy.name] });
    proxy.heal();
    proxy.inject({ fault: { kind: 'throttled' } });
    expect(await logs()).toMatchObject({ state: 'incomplete', missingOn: [behindProxy.name] });
    expect(await askEach([behindProxy], (one) => one.logsOfBlock(hash))).toMatchObject([
      { node: behindProxy.name, value: undefined, failure: { kind: 'throttled' } },
    ]);
    proxy.heal();
    expect(await logs()).toMatchObject({ state: 'agreed' });
  });

  it.each<[string, (said: unknown) => unknown]>([
    ['leaves a log out', () => []],
    ['has another amount', (said) => changed(said, { data: toHex(2n, { size: 32 }) })],
    ['has another recipient', (said) => (said as { topics: Hex[] }[]).map(withRecipient)],
  ])('one that %s is a disagreement, which says what each said', async (_, about) => {
    await chain.sendTokens('USDT', SOMEONE, 1n);
    const { hash } = await headOf(node);
    proxy.inject({ fault: { kind: 'lies', about }, methods: ['eth_getLogs'] });
    const found = agreedLogs(hash, await askEach(both(), (one) => one.logsOfBlock(hash)));
    expect(found).toEqual({
      state: 'disagreed',
      reason: expect.stringMatching(
        new RegExp(`^Nodes disagree about the logs of ${hash}: ${node.name} says .*; ${behindProxy.name} says `),
      ),
    });
  });

  it('one that has another code at a token is a disagreement', async () => {
    proxy.inject({ fault: { kind: 'lies', about: () => '0x00' }, methods: ['eth_getCode'] });
    const facts = await askEach(both(), (one) => one.tokenFacts(usdt()));
    expect(agreedTokenFacts(usdt(), facts).state).toBe('disagreed');
  });
});

const withRecipient = (log: { topics: Hex[] }) => ({ ...log, topics: [log.topics[0], log.topics[1], NOWHERE] });
