import { codeOf, startChain, type TestChain } from '@stablecoin/testing/chain';
import { keccak256, toHex } from 'viem';
import { JsonRpcNode } from './json-rpc-node';
import { requireChain } from './required-chain';
import { failureOf } from './testing/outcomes';

let ethereum: TestChain;
let polygon: TestChain;
let node: JsonRpcNode;

beforeAll(async () => {
  [ethereum, polygon] = await Promise.all([startChain(), startChain({ network: 'polygon' })]);
  node = new JsonRpcNode({ url: ethereum.rpcUrl });
});
afterAll(() => Promise.all([ethereum.stop(), polygon.stop()]));

it('takes a node of the chain with the listed tokens, and says their code, which is then required', async () => {
  const known = await requireChain(node, 'erc20');
  expect(known[ethereum.token('USDT').address]).toBe(keccak256(codeOf('UsdtLikeToken')));
  expect(await requireChain(node, 'erc20', { known })).toEqual(known);
});

it('refuses a node of another chain, and names both', async () =>
  expect(await failureOf(requireChain(new JsonRpcNode({ url: polygon.rpcUrl }), 'erc20'))).toMatchObject({
    kind: 'wrong-chain',
    node: new URL(polygon.rpcUrl).host,
    detail: 'it is a node of chain 137, and erc20 is Ethereum, chain 1',
  }));

describe('refuses a token', () => {
  const usdc = () => ethereum.token('USDC').address;
  let snapshot: string;
  beforeEach(async () => {
    snapshot = await ethereum.snapshot();
  });
  afterEach(() => ethereum.revert(snapshot));
  const refusal = async (known = {}) => {
    const { kind, detail } = await failureOf(requireChain(node, 'erc20', { known }));
    expect(kind).toBe('wrong-token');
    return detail;
  };

  it('with other decimals than the list', async () => {
    const slots = await Promise.all([0, 1, 2, 3].map((slot) => slotOf(slot)));
    const slot = slots.findIndex((value) => BigInt(value) % 256n === 6n);
    await ethereum.call('anvil_setStorageAt', usdc(), toHex(slot), toHex(BigInt(slots[slot] ?? 0) + 12n, { size: 32 }));
    expect(await refusal()).toBe(`USDC at ${usdc()} has 18 decimals, and the list of tokens says 6`);
  });

  it('whose address has no code, or a contract that is no token', async () => {
    await ethereum.call('anvil_setCode', usdc(), '0x');
    expect(await refusal()).toBe(`USDC at ${usdc()} has no code there`);
    await ethereum.deploy('BatchSender', usdc());
    expect(await refusal()).toBe(`USDC at ${usdc()} has no decimals, and the list of tokens says 6`);
  });

  it('whose code is another than it was before', async () => {
    const known = await requireChain(node, 'erc20');
    await ethereum.call('anvil_setCode', usdc(), `${codeOf('UsdcLikeToken')}00`);
    expect(await refusal(known)).toMatch(
      new RegExp(`^USDC at ${usdc()} has the code 0x\\w{64}, and had ${known[usdc()]} before: it is another contract$`),
    );
    await requireChain(node, 'erc20');
  });

  const slotOf = (slot: number) => ethereum.call<string>('eth_getStorageAt', usdc(), toHex(slot), 'latest');
});
