// The port on a real EVM.

import { ERC20, topicOf, TRANSFER_TOPIC, transferOf } from '@stablecoin/chains/erc20';
import { type Address, BLOCKS_UNTIL_FINAL, codeOf, startChain, type TestChain } from '@stablecoin/testing/chain';
import { encodeFunctionData, type Hex, keccak256 } from 'viem';
import type { BlockRange, Hash } from './chain-node';
import { JsonRpcNode } from './json-rpc-node';
import type { FailureKind } from './node-failure';
import { failureOf, headOf, kindOf } from './testing/outcomes';

const SOMEONE: Address = '0x000000000000000000000000000000000000dead';
const NOWHERE: Hash = `0x${'12'.repeat(32)}`;

let chain: TestChain;
let node: JsonRpcNode;

beforeAll(async () => {
  chain = await startChain();
  node = new JsonRpcNode({ url: chain.rpcUrl });
});
afterAll(() => chain.stop());

const usdt = () => chain.token('USDT').address;

describe('a node', () => {
  it('says what a block has, by its hash and by its height, and that another is not there', async () => {
    await chain.mine();
    const head = await headOf(node);
    expect(await node.blockByHash(head.hash)).toEqual(head);
    expect(await node.blockByNumber(head.number)).toEqual(head);
    expect((await node.blockByNumber(head.number - 1))?.hash).toBe(head.parentHash);
    expect(await node.blockByNumber(head.number + 1_000)).toBeUndefined();
    expect(await node.blockByHash(NOWHERE)).toBeUndefined();
    await chain.mine(2 * BLOCKS_UNTIL_FINAL);
    const [latest, safe, finalized] = await Promise.all([
      headOf(node),
      node.blockByNumber('safe'),
      node.blockByNumber('finalized'),
    ]);
    expect([latest.number - (safe?.number ?? 0), latest.number - (finalized?.number ?? 0)]).toEqual([4, 8]);
  });

  it('says the logs of a block, its transactions and receipts, and balances after it', async () => {
    const batch = await chain.deploy('BatchSender');
    await chain.callToken('USDT', 'approve', [batch, 1_000n]);
    const transfers = [3n, 4n].map((units) => ({ token: usdt(), to: SOMEONE, units }));
    const parent = await headOf(node);
    const hash = await chain.callContract('BatchSender', batch, 'send', [transfers]);
    const receipt = await node.receipt(hash);
    const blockHash = receipt?.blockHash ?? NOWHERE;
    const logs = await node.logsOfBlock(blockHash, { addresses: [usdt()], topics: [TRANSFER_TOPIC] });
    expect(logs.map(({ data }) => BigInt(data))).toEqual([3n, 4n]);
    expect(logs.every((log) => log.transactionHash === hash && log.address === usdt().toLowerCase())).toBe(true);
    expect(receipt).toMatchObject({ succeeded: true, transactionHash: hash, blockNumber: parent.number + 1 });
    expect(receipt?.logs.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(await node.transactionByHash(hash)).toMatchObject({ hash, to: batch.toLowerCase(), blockHash });
    const before = await node.balanceOf(usdt(), SOMEONE, parent.hash);
    expect((await node.balanceOf(usdt(), SOMEONE, blockHash)) - before).toBe(7n);
    expect(await node.logsOfBlock(blockHash, { addresses: [chain.token('USDC').address] })).toEqual([]);
    expect(await node.receipt(NOWHERE)).toBeUndefined();
    expect(await node.transactionByHash(NOWHERE)).toBeUndefined();
  });

  it('says who got what in a range of blocks', async () => {
    const [one, other] = [(await chain.account()).address, (await chain.account()).address];
    const from = (await chain.height()) + 1;
    for (const [to, units] of [
      [one, 1n],
      [other, 2n],
      [SOMEONE, 3n],
      [one, 4n],
    ] as const)
      await chain.sendTokens('USDT', to, units);
    const filter = { addresses: [usdt()], topics: [TRANSFER_TOPIC, null, [topicOf(one), topicOf(other)]] };
    const unitsIn = async (range: BlockRange) =>
      (await node.logsInRange(range, filter)).map((log) => transferOf(log)?.units);
    expect(await unitsIn({ from, to: from + 3 })).toEqual([1n, 2n, 4n]);
    expect(await unitsIn({ from: from + 1, to: from + 2 })).toEqual([2n]);
  });

  it('knows nothing of a block that a reorganisation took away', async () => {
    const hash = await chain.sendTokens('USDT', SOMEONE, 5n);
    const blockHash = (await node.receipt(hash))?.blockHash ?? NOWHERE;
    await chain.reorganise(1);
    expect(await kindOf(node.logsOfBlock(blockHash))).toBe('unknown-block');
    expect(await kindOf(node.balanceOf(usdt(), SOMEONE, blockHash))).toBe('unknown-block');
    expect(await node.blockByHash(blockHash)).toBeUndefined();
    expect(await node.receipt(hash)).toBeUndefined();
  });

  it('has no state of a block of long ago', async () => {
    const { hash } = await headOf(node);
    await chain.mine(200);
    expect(await kindOf(node.balanceOf(usdt(), SOMEONE, hash))).toBe('state-gone');
  });

  it('says the facts of a token, and that there is none', async () => {
    const codeHash = keccak256(codeOf('UsdtLikeToken'));
    expect(await node.tokenFacts(usdt())).toEqual({ decimals: 6, codeHash });
    expect(await node.tokenFacts(SOMEONE)).toBeUndefined();
    for (const none of ['BatchSender', 'UnmovedToken'] as const) {
      const contract = await chain.deploy(none);
      const facts = { decimals: none === 'UnmovedToken' ? 0 : undefined };
      expect(await node.tokenFacts(contract)).toEqual({ ...facts, codeHash: keccak256(codeOf(none)) });
    }
  });

  it('estimates gas and fees, and says why a call would be reverted', async () => {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [SOMEONE, 1n] });
    const call = { from: chain.faucet.address, to: usdt(), data };
    expect(await node.estimateGas(call)).toBeGreaterThan(21_000n);
    expect(await node.call(call, 'latest')).toBe('0x');
    const fees = await node.feeHistory(2, [50]);
    expect([fees.baseFeePerGas.length, fees.reward.length]).toEqual([3, 2]);
    const beyond = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [SOMEONE, 2n ** 200n] });
    const tooMuch = { ...call, to: chain.token('USDC').address, data: beyond };
    expect(await failureOf(node.call(tooMuch, 'latest'))).toMatchObject({
      kind: 'reverted',
      detail: expect.stringMatching(/^ERC20InsufficientBalance\(/),
    });
    expect(await kindOf(node.estimateGas(tooMuch))).toBe('reverted');
  });
});

describe('a broadcast', () => {
  let waiting: TestChain;
  let pool: JsonRpcNode;
  beforeAll(async () => {
    waiting = await startChain({ blocks: 'ordered' });
    pool = new JsonRpcNode({ url: waiting.rpcUrl });
  });
  afterAll(() => waiting.stop());
  const raw = async (more: { nonce?: number; fee?: bigint; value?: bigint } = {}) =>
    waiting.faucet.signTransaction({
      ...{ chainId: waiting.chainId, to: SOMEONE, gas: 21_000n, value: more.value ?? 1n },
      ...{ maxPriorityFeePerGas: more.fee ?? 10n ** 10n, maxFeePerGas: more.fee ?? 10n ** 10n },
      nonce: more.nonce ?? (await pool.nonceOf(waiting.faucet.address, 'latest')),
    });

  it('is taken once, known the second time, and too late when it is in a block', async () => {
    const transaction = await raw();
    expect(await pool.broadcast(transaction)).toBe('accepted');
    expect(await pool.broadcast(transaction)).toBe('already-known');
    expect((await pool.transactionByHash(keccak256(transaction)))?.blockHash).toBeUndefined();
    await waiting.mine();
    expect(await kindOf(pool.broadcast(transaction))).toBe('nonce-too-low');
  });

  it.each<[FailureKind, () => Promise<Hex>]>([
    ['insufficient-funds', () => raw({ value: 10n ** 30n })],
    ['rejected', () => Promise.resolve('0x1234')],
  ])('fails with %s', async (kind, transaction) =>
    expect(await kindOf(pool.broadcast(await transaction()))).toBe(kind),
  );

  it('of another transaction at the same nonce needs higher fees', async () => {
    expect(await pool.broadcast(await raw({ value: 2n }))).toBe('accepted');
    expect(await kindOf(pool.broadcast(await raw({ value: 3n })))).toBe('replacement-underpriced');
    expect(await pool.broadcast(await raw({ value: 3n, fee: 2n * 10n ** 10n }))).toBe('accepted');
    await waiting.mine();
  });
});
