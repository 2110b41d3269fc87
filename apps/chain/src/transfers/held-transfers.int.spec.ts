/** What makes a transfer wait, and that it goes on by itself when that has passed. */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { FaultRule, NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { toHex } from 'viem/utils';
import { HOT } from '../testing/signer-process';
import { aPayee, Sending } from '../testing/sending';

/** Of `transfer(address,uint256)`. */
const TRANSFER_SELECTOR = '0xa9059cbb';

let sending: Sending;
let proxy: NodeFaultProxy;

beforeAll(async () => {
  sending = await Sending.start();
  proxy = await NodeFaultProxy.inFrontOf(sending.chain.rpcUrl);
  await sending.serve([proxy.url]);
});
afterAll(async () => {
  await sending.stop();
  await proxy.close();
});

it('waits for liquidity, and others that fit go on', async () => {
  const large = await sending.submit({ amount: '1500000' });
  await sending.isHeld(large, 'liquidity');
  await sending.mineUntil(await sending.submit(), 'completed');
  expect((await sending.lookUp(large.reference)).state).toBe('waiting');
  await sending.chain.sendTokens('USDT', HOT, 10n ** 12n);
  await sending.chain.mine();
  await sending.mineUntil(large, 'completed');
  expect(await sending.tokensOf(large.to_address as Hex)).toBe(1_500_000_000_000n);
});

it('counts what is under way as gone', async () => {
  const has = (await sending.tokensOf(HOT)) / 10n ** 6n;
  const [one, other] = [await sending.submit({ amount: `${has - 5n}` }), await sending.submit({ amount: '10' })];
  await sending.becomes(one, 'sent');
  await sending.isHeld(other, 'liquidity');
  await sending.mineUntil(one, 'completed');
  await sending.chain.sendTokens('USDT', HOT, 10n ** 12n);
  await sending.mineUntil(other, 'completed');
});

it('waits while its token is paused', async () => {
  await sending.chain.callToken('USDT', 'pause', []);
  await sending.chain.mine();
  const order = await sending.submit();
  await sending.isHeld(order, 'token_paused');
  await sending.chain.callToken('USDT', 'unpause', []);
  await sending.mineUntil(order, 'completed');
});

it('waits while our own address is on the blacklist, and fails to a payee who is', async () => {
  const blacklist = async (verb: string, account: Hex) => {
    await sending.chain.callToken('USDT', verb, [account]);
    await sending.chain.mine();
  };
  await blacklist('addBlackList', HOT);
  const order = await sending.submit();
  await sending.isHeld(order, 'token_paused');
  await blacklist('removeBlackList', HOT);
  await sending.mineUntil(order, 'completed');
  const to = aPayee();
  await blacklist('addBlackList', to);
  expect(await sending.becomes(await sending.submit({ to }), 'failed')).toMatchObject({
    ...{ failure: 'recipient_blacklisted', nonce: null },
  });
});

describe('one that can not be estimated', () => {
  const reverted: FaultRule['fault'] = { kind: 'error', code: 3, message: 'execution reverted' };
  afterEach(() => proxy.heal());

  it('waits while the block that is looked at would execute it', async () => {
    proxy.inject({ fault: reverted, methods: ['eth_estimateGas'] });
    const order = await sending.submit();
    await sending.isHeld(order, 'nodes');
    proxy.heal();
    await sending.mineUntil(order, 'completed');
  });

  it('fails where that block would revert it as well', async () => {
    const isTransfer: FaultRule['where'] = ([call]) => (call as { data: string }).data.startsWith(TRANSFER_SELECTOR);
    proxy.inject({ fault: reverted, methods: ['eth_estimateGas', 'eth_call'], where: isTransfer });
    const failed = await sending.becomes(await sending.submit(), 'failed');
    expect(failed).toMatchObject({ failure: 'would_revert', nonce: null });
  });
});

it('waits for coins that pay its fee', async () => {
  const coins = await sending.chain.call<Hex>('eth_getBalance', HOT, 'latest');
  await sending.chain.call('anvil_setBalance', HOT, '0x1');
  await sending.chain.mine();
  const order = await sending.submit();
  await sending.isHeld(order, 'gas');
  await sending.chain.call('anvil_setBalance', HOT, coins);
  await sending.mineUntil(order, 'completed');
});

it("waits while the signer's cap of the day is used up, and others go on", async () => {
  await sending.signer.stop();
  const signed = (
    await sending.owner.query<{ units: string }>(
      "SELECT sum(units)::text AS units FROM outgoing_transfers WHERE kind = 'payout' AND currency = 'USDT' AND nonce IS NOT NULL",
    )
  ).rows[0]?.units;
  const left = BigInt(signed ?? 0) / 10n ** 6n + 15n;
  await sending.signer.start({ SIGNER_PAYOUT_CAPS: `erc20:USDT=${left}/${left}, erc20:USDC=100/100` });
  const [first, second] = [await sending.submit({ amount: '12' }), await sending.submit({ amount: '12' })];
  await sending.mineUntil(first, 'completed');
  const held = await sending.isHeld(second, 'signing_cap');
  expect([held.state, held.nonce]).toEqual(['waiting', null]);
  await sending.mineUntil(await sending.submit({ currency: 'USDC' }), 'completed');
  await sending.signer.stop();
  await sending.signer.start();
  await sending.mineUntil(second, 'completed');
});

it("waits while the market is above the signer's cap", async () => {
  await sending.signer.stop();
  await sending.signer.start({ SIGNER_FEE_PER_GAS_CAPS: 'erc20=0.000001, bep20=1, polygon=1' });
  const order = await sending.submit();
  const held = await sending.isHeld(order, 'fees_too_high');
  expect([held.state, held.nonce]).toEqual(['waiting', null]);
  await sending.signer.stop();
  await sending.signer.start();
  await sending.mineUntil(order, 'completed');
});

it('waits for the signer', async () => {
  await sending.signer.stop();
  const order = await sending.submit();
  await sending.isHeld(order, 'signer');
  await sending.signer.start();
  await sending.mineUntil(order, 'completed');
});

it('the base fee that the next block asks for is in what is offered', async () => {
  await sending.chain.call('anvil_setNextBlockBaseFeePerGas', toHex(50n * 10n ** 9n));
  await sending.chain.mine();
  await sending.mineUntil(await sending.submit(), 'completed');
});
