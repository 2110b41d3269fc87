/** The built service, killed between any two of its steps: the same bytes go out, and the payee is paid once. */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { eventually } from '@stablecoin/testing/eventually';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Sending } from '../testing/sending';

const BROADCAST = 'eth_sendRawTransaction';
const LOCK = 7;

let sending: Sending;
let proxy: NodeFaultProxy;

beforeAll(async () => {
  sending = await Sending.start();
  proxy = await NodeFaultProxy.inFrontOf(sending.chain.rpcUrl);
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await sending.stop();
  await proxy.close();
});

/** Another process completes the order: with one transaction of the hot wallet, one signature, one payment. */
async function isPaidOnce(order: TransferView, before: { nonce: number; signatures: number }): Promise<TransferView> {
  await sending.endLeases();
  const next = await sending.launch([proxy.url]);
  const completed = await sending.mineUntil(order, 'completed');
  expect(await sending.tokensOf(order.to_address as Hex)).toBe(10_000_000n);
  expect(await sending.nonce()).toBe(before.nonce + 1);
  expect(sending.signer.signatures).toBe(before.signatures + 1);
  await next.kill();
  await sending.endLeases();
  return completed;
}

const before = async () => ({ nonce: await sending.nonce(), signatures: sending.signer.signatures });

it('between the nonce and the signature', async () => {
  const atFirst = await before();
  const process = await sending.launch([proxy.url]);
  // It knows the hot wallet from now on.
  await sending.submit({ to: sending.chain.token('USDT').address });
  await sending.signer.stop();
  const order = await sending.submit();
  const taken = await sending.until('has a nonce', order, ({ nonce }) => nonce !== null);
  expect([taken.state, taken.held_by, taken.transaction_hash]).toEqual(['waiting', 'signer', null]);
  await process.kill();
  await sending.signer.start();
  const { nonce } = await isPaidOnce(order, atFirst);
  expect(nonce).toBe(taken.nonce);
});

it('between the signature and its storing', async () => {
  const atFirst = await before();
  await sending.owner.query(`
    CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN new; END $$;
    CREATE TRIGGER waits BEFORE UPDATE OF raw ON transfer_attempts FOR EACH ROW EXECUTE FUNCTION wait_for_lock()`);
  await sending.owner.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const process = await sending.launch([proxy.url]);
  const order = await sending.submit();
  await eventually('the signer has signed', () => sending.signer.signatures === atFirst.signatures + 1);
  const taken = await sending.lookUp(order.reference);
  expect([taken.state, taken.transaction_hash]).toEqual(['waiting', null]);
  await process.kill();
  await sending.owner.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  await sending.owner.query('DROP TRIGGER waits ON transfer_attempts');
  await isPaidOnce(order, atFirst);
});

it('between the storing and the broadcast', async () => {
  const atFirst = await before();
  proxy.inject({ methods: [BROADCAST], fault: { kind: 'silent' } });
  const process = await sending.launch([proxy.url]);
  const order = await sending.submit();
  const stored = await sending.becomes(order, 'sent');
  await process.kill();
  expect(await sending.chain.call('eth_getTransactionByHash', stored.transaction_hash ?? '')).toBeNull();
  proxy.heal();
  const completed = await isPaidOnce(order, atFirst);
  expect(completed.transaction_hash).toBe(stored.transaction_hash);
});

it('between the broadcast and its recording', async () => {
  const atFirst = await before();
  proxy.inject({ methods: [BROADCAST], fault: { kind: 'cut-after' } });
  const process = await sending.launch([proxy.url]);
  const order = await sending.submit();
  const { transaction_hash: hash } = await sending.becomes(order, 'sent');
  await eventually(
    'the node has it',
    async () => (await sending.chain.call('eth_getTransactionByHash', hash ?? '')) !== null,
  );
  await process.kill();
  proxy.heal();
  const completed = await isPaidOnce(order, atFirst);
  expect(completed.transaction_hash).toBe(hash);
});
