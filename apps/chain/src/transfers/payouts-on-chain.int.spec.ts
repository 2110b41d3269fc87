/** Payouts over a real chain, by a real signer: what becomes of orders while nothing goes wrong with nodes. */
import { randomUUID } from 'node:crypto';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { HOT } from '../testing/signer-process';
import { aPayee, Sending } from '../testing/sending';

let sending: Sending;

beforeAll(async () => {
  sending = await Sending.start();
  await sending.serve();
});
afterAll(() => sending.stop());

it("is signed, sent, and completed when its block is final; its fee is in the treasury's book", async () => {
  const to = aPayee();
  const ordered = await sending.submit({ to, amount: '12.345678' });
  expect(ordered).toMatchObject({
    state: 'waiting',
    units: '12345678',
    from_address: HOT.toLowerCase(),
    to_address: to,
  });
  const sent = await sending.becomes(ordered, 'sent');
  expect(sent).toMatchObject({ transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), block_number: null });
  await sending.chain.mine();
  const stands = await sending.until('is in a block', ordered, ({ block_number }) => block_number !== null);
  expect(stands).toMatchObject({ state: 'sent', fee_wei: null, transaction_hash: sent.transaction_hash });
  const completed = await sending.mineUntil(ordered, 'completed');
  expect(completed).toMatchObject({ transaction_hash: sent.transaction_hash, held_by: null, failure: null });
  expect(await sending.tokensOf(to)).toBe(12_345_678n);
  const { rows } = await sending.owner.query(
    `SELECT treasury_entries.kind, wei::text FROM treasury_entries JOIN outgoing_transfers ON outgoing_transfers.id = transfer_id
     WHERE reference = $1`,
    [ordered.reference],
  );
  expect(rows).toEqual([{ kind: 'fee', wei: completed.fee_wei }]);
});

it('is one transfer, however often it is ordered; other terms are refused', async () => {
  const order = { to: aPayee(), amount: '1', reference: randomUUID() };
  const [one, other] = await Promise.all([sending.submit(order), sending.submit(order)]);
  await sending.becomes(one, 'sent');
  const again = await sending.submit(order);
  expect([one.reference, other.reference, again.state]).toEqual([order.reference, order.reference, 'sent']);
  await expect(sending.submit({ ...order, amount: '2' })).rejects.toThrow(new Refusal('invalid_transition'));
  await expect(sending.submit({ ...order, to: aPayee() })).rejects.toThrow(new Refusal('invalid_transition'));
  await sending.mineUntil(one, 'completed');
  expect(await sending.tokensOf(order.to)).toBe(1_000_000n);
});

it('goes out in the order of its arrival, many in a row', async () => {
  const orders: TransferView[] = [];
  for (let count = 0; count < 40; count += 1) orders.push(await sending.submit({ amount: '0.5' }));
  const completed: TransferView[] = [];
  for (const order of orders) completed.push(await sending.mineUntil(order, 'completed'));
  const nonces = completed.map(({ nonce }) => nonce ?? -1);
  expect(nonces).toEqual(nonces.map((_, index) => (nonces[0] ?? 0) + index));
});

it('is not of a network without nodes, and not finer than its token', async () => {
  const refusal = sending.submit({ amount: '0.0000001' });
  await expect(refusal).rejects.toMatchObject({ code: 'validation_failed' });
});

it.each([
  ['the hot wallet itself', () => HOT],
  ["a token's contract", () => sending.chain.token('USDC').address],
  ['zero', () => `0x${'0'.repeat(40)}` as const],
])('has failed at once to %s', async (_, to) => {
  expect(await sending.submit({ to: to() })).toMatchObject({ state: 'failed', failure: 'unpayable_address' });
});
