/** A row of a payout is no order: what the payout service has signed is, and the signer pays that once. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { HOT } from '../testing/signer-process';
import { aPayee, Sending } from '../testing/sending';

let sending: Sending;

beforeAll(async () => {
  sending = await Sending.start();
  await sending.serve();
});
afterAll(() => sending.stop());

/** As somebody with the service's login. */
async function asService(statement: string, values: unknown[]): Promise<string> {
  const service = new Client({ connectionString: sending.surroundings.database.url });
  await service.connect();
  try {
    return `${(await service.query(statement, values)).rowCount} rows`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await service.end();
  }
}

/** A row as the service itself would write it. @param of the payout whose order it has */
const inserted = (reference: string, of: { reference: string }, changes: { to?: string; units?: bigint } = {}) =>
  asService(
    `INSERT INTO outgoing_transfers (id, reference, network, kind, from_address, to_address, currency, units, state, held_by,
       order_text, order_signature)
     SELECT $1, $2, network, kind, from_address, coalesce($3, to_address), currency, coalesce($4::numeric, units), 'waiting', 'turn',
       order_text, order_signature
     FROM outgoing_transfers WHERE reference = $5`,
    [randomUUID(), reference, changes.to ? bytesOf(changes.to) : null, changes.units?.toString() ?? null, of.reference],
  );
const bytesOf = (address: string) => Buffer.from(address.slice(2), 'hex');

it('what was ordered can’t be changed by the service’s login, nor an end be taken back', async () => {
  const { reference } = await sending.mineUntil(await sending.submit(), 'completed');
  const changes = [
    `to_address = decode('${'ab'.repeat(20)}', 'hex')`,
    ...['units = units + 1', `currency = 'USDC'`, `network = 'polygon'`, `kind = 'to-cold'`, `reference = 'other'`],
    ...[`order_text = NULL`, `order_signature = 'x'`, `state = 'waiting'`, 'from_index = 1'],
  ];
  for (const change of changes)
    expect(await asService(`UPDATE outgoing_transfers SET ${change} WHERE reference = $1`, [reference])).toMatch(
      /a transfer keeps what was ordered|violates check constraint/,
    );
  expect(await asService('UPDATE outgoing_transfers SET fee_wei = fee_wei WHERE reference = $1', [reference])).toBe(
    '1 rows',
  );
});

it('a payout that the payout service has not ordered is held, and no money leaves', async () => {
  const order = await sending.submit();
  const [to, before, nonce] = [aPayee(), await sending.tokensOf(HOT), await sending.nonce()];
  await sending.mineUntil(order, 'completed');
  const [other, more, again] = [randomUUID(), randomUUID(), randomUUID()];
  expect(await inserted(other, order, { to })).toBe('1 rows');
  expect(await inserted(more, order, { units: 1_000_000_000n })).toBe('1 rows');
  // The same payment of the same order, under another name.
  expect(await inserted(again, order)).toBe('1 rows');
  for (const reference of [other, more, again]) await sending.isHeld({ reference }, 'signer');
  expect(await sending.tokensOf(HOT)).toBe(before - 10_000_000n);
  expect(await sending.nonce()).toBe(nonce + 1);
  // It holds up no other one.
  await sending.mineUntil(await sending.submit(), 'completed');
});
