/** Whose nonces they are: two instances, and somebody else with the same key. */
import { HDKey } from '@scure/bip32';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { resumeLane } from '@stablecoin/contracts/chain/resume-lane';
import { BLOCKS_UNTIL_FINAL as FINAL } from '@stablecoin/testing/chain';
import { FaultRule, NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { privateKeyToAccount } from 'viem/accounts';
import { aPayee, Sending } from '../testing/sending';
import { HOT, SEED } from '../testing/signer-process';

const NOWHERE: FaultRule = { methods: ['eth_sendRawTransaction'], fault: { kind: 'cut-before' } };

let sending: Sending;
let proxy: NodeFaultProxy;

beforeAll(async () => {
  sending = await Sending.start();
  proxy = await NodeFaultProxy.inFrontOf(sending.chain.rpcUrl);
  await sending.serve([proxy.url], { CHAIN_REPLACE_AFTER_MS: '1000' });
  await sending.serve([proxy.url], { CHAIN_REPLACE_AFTER_MS: '1000' });
});
afterAll(async () => {
  await sending.stop();
  await proxy.close();
});

/** By somebody who has the hot wallet's key. */
async function sendElsewhere(): Promise<void> {
  const { privateKey } = HDKey.fromMasterSeed(Buffer.from(SEED, 'hex')).derive(`m/44'/60'/1'/0/0`);
  const account = privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString('hex')}`);
  await sending.chain.send(account, { to: aPayee(), value: 1n });
  await sending.chain.mine(FINAL + 1);
}

const resume = () =>
  sending.bus.call(resumeLane, { network: 'erc20', address: HOT, actor: 'ada', reason: 'it was me, by hand' });

it('of two instances one sends', async () => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => sending.submit({ amount: '1' })));
  const nonces: number[] = [];
  for (const order of orders) nonces.push((await sending.mineUntil(order, 'completed')).nonce ?? -1);
  expect(nonces.toSorted((one, other) => one - other)).toEqual(orders.map((_, index) => index));
  expect(await sending.nonce()).toBe(orders.length);
});

it('stops where something else has sent from the address, until somebody lets it go on', async () => {
  await sendElsewhere();
  const order = await sending.submit();
  await sending.isHeld(order, 'nonce_taken');
  await resume();
  const completed = await sending.mineUntil(order, 'completed');
  expect([completed.nonce, await sending.tokensOf(order.to_address as Hex)]).toEqual([13, 10_000_000n]);
});

it('stops where the nonce of a transfer is used up elsewhere; that one can only be cancelled', async () => {
  proxy.inject(NOWHERE);
  const order = await sending.becomes(await sending.submit(), 'sent');
  await sendElsewhere();
  await sending.isHeld(order, 'nonce_taken');
  proxy.heal();
  const next = await sending.submit();
  const cancelledAt = Date.now();
  await sending.cancel(order.reference);
  const failed = await sending.becomes(order, 'failed');
  expect(failed).toMatchObject({ failure: 'cancelled', block_number: null, transaction_hash: null });
  // A node that lags says the same for a moment: it has to be so for ten times CHAIN_REPLACE_AFTER_MS.
  expect(Date.now() - cancelledAt).toBeGreaterThan(10_000);
  await sending.mineUntil(next, 'completed');
  expect(await sending.tokensOf(order.to_address as Hex)).toBe(0n);
});

it('sends nothing from a hot wallet that has sent before, where the records of that are lost', async () => {
  await sending.owner.query('TRUNCATE transfer_attempts, treasury_entries, outgoing_transfers, sender_leases');
  const order = await sending.submit();
  await sending.isHeld(order, 'nonce_taken');
  expect(await sending.tokensOf(order.to_address as Hex)).toBe(0n);
  await resume();
  await sending.mineUntil(order, 'completed');
});
