/** A lane's commits: all of it under its lease, or nothing. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Hex, Receipt } from '@stablecoin/chain-node/chain-node';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { ChainDatabase } from '../persistence/chain-database';
import { chainDatabaseAt } from '../testing/database';
import { AttemptTerms, SignedAttempt } from './attempt';
import { LaneLost, LaneStore } from './lane-store';
import { Lane, OutgoingTransfer } from './transfer';
import { TransferStore } from './transfer-store';

const bytes = (length: number): Hex => `0x${randomBytes(length).toString('hex')}`;
const TERMS: AttemptTerms = { number: 1, cancels: false, gas: 60_000, maxFeePerGas: 30n, maxPriorityFeePerGas: 2n };
const COMPLETED = { failure: null, heldBy: null };

let test: TestDatabase;
let database: ChainDatabase;
let owner: Client;
let lane: Lane;
/** Of two instances. */
let ours: LaneStore;
let other: LaneStore;

beforeAll(async () => {
  test = await createTestDatabase('chain');
  database = chainDatabaseAt(test.url, 4);
  owner = new Client({ connectionString: test.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.onApplicationShutdown();
  await test.drop();
});

beforeEach(async () => {
  lane = { network: 'erc20', fromAddress: bytes(20) };
  [ours, other] = [new LaneStore(database), new LaneStore(database)];
  await ours.hold(lane);
});

const order = (toAddress = bytes(20)): Promise<OutgoingTransfer> =>
  new TransferStore(database).order({
    reference: randomUUID(),
    ...{ network: lane.network, kind: 'payout', from: { kind: 'hot' }, fromAddress: lane.fromAddress },
    ...{ toAddress, currency: 'USDT', units: 7n },
  });

async function sent(nonce = 0, to = bytes(20)): Promise<{ transfer: OutgoingTransfer; attempt: SignedAttempt }> {
  const transfer = await order(to);
  await ours.take(lane, transfer, nonce, TERMS);
  await ours.storeSigned(lane, transfer, TERMS, { raw: bytes(90), hash: bytes(32) });
  const open = (await ours.open(lane)).at(-1);
  if (!open) throw new Error('there is no transfer');
  return { transfer: open.transfer, attempt: open.attempts[0] as SignedAttempt };
}

const receiptOf = ({ hash }: SignedAttempt): Receipt => ({
  ...{ transactionHash: hash, blockHash: bytes(32), blockNumber: 9, succeeded: true, logs: [] },
  ...{ gasUsed: 50_000n, effectiveGasPrice: 20n },
});

/** Everything that is stored of the lane. */
async function stored() {
  const { rows } = await owner.query(
    `SELECT to_jsonb(transfer) AS transfer, to_jsonb(lease) - 'expires_at' AS lease,
       (SELECT jsonb_agg(to_jsonb(attempt)) FROM transfer_attempts AS attempt WHERE transfer_id = transfer.id) AS attempts,
       (SELECT jsonb_agg(to_jsonb(entry) - 'id') FROM treasury_entries AS entry WHERE transfer_id = transfer.id) AS entries
     FROM outgoing_transfers AS transfer JOIN sender_leases AS lease USING (network, from_address)
     WHERE from_address = decode($1, 'hex')`,
    [lane.fromAddress.slice(2)],
  );
  return rows;
}

/** The lease has ended, and another instance has taken it. */
async function lose(): Promise<void> {
  await owner.query(`UPDATE sender_leases SET expires_at = clock_timestamp() WHERE from_address = decode($1, 'hex')`, [
    lane.fromAddress.slice(2),
  ]);
  await other.hold(lane);
}

describe('a lane that another instance has now', () => {
  async function isLostBy(work: () => Promise<unknown>): Promise<void> {
    await lose();
    const before = await stored();
    await expect(work()).rejects.toBeInstanceOf(LaneLost);
    expect(await stored()).toEqual(before);
  }

  it('gives no nonce', async () => {
    const transfer = await order();
    await isLostBy(() => ours.take(lane, transfer, 0, TERMS));
  });

  it('stores no bytes', async () => {
    const transfer = await order();
    await ours.take(lane, transfer, 0, TERMS);
    await isLostBy(() => ours.storeSigned(lane, transfer, TERMS, { raw: bytes(90), hash: bytes(32) }));
  });

  it('takes no nonce back', async () => {
    const transfer = await order();
    await ours.take(lane, transfer, 0, TERMS);
    await isLostBy(() => ours.giveBack(lane, transfer, TERMS, 'over_cap', { hold: 'signer', retryMs: 0 }));
  });

  it('adds no attempt', async () => {
    const { transfer } = await sent();
    await isLostBy(() => ours.addAttempt(lane, transfer, { ...TERMS, number: 2 }));
  });

  it('refuses no attempt', async () => {
    const { transfer } = await sent();
    await ours.addAttempt(lane, transfer, { ...TERMS, number: 2 });
    const refused = { ...TERMS, number: 2 };
    await isLostBy(() => ours.refuseAttempt(lane, transfer, refused, 'over_cap', { hold: 'signer', retryMs: 0 }));
  });

  it('puts none into a block, and ends none', async () => {
    const { transfer, attempt } = await sent();
    const found = { attempt, receipt: receiptOf(attempt) };
    await isLostBy(() => ours.stand(lane, [{ transfer, found }]));
    await isLostBy(() => ours.finish(lane, [{ transfer, ...found, ...COMPLETED }]));
  });

  it('gives none up, also one that is cancelled', async () => {
    const { transfer } = await sent();
    await new TransferStore(database).cancel(transfer.reference, 'ada', 'not wanted');
    await isLostBy(() => ours.giveUp(lane, transfer));
  });
});

describe('a nonce', () => {
  it('is given with the terms, and the first one is kept with the lane', async () => {
    const [one, next] = [await order(), await order()];
    expect(await ours.take(lane, one, 5, TERMS)).toBe(true);
    expect(await ours.take(lane, next, 6, TERMS)).toBe(true);
    const rows = await stored();
    expect(rows.map(({ transfer }) => (transfer as { nonce: number }).nonce).toSorted()).toEqual([5, 6]);
    for (const { lease, attempts } of rows) {
      expect(lease).toMatchObject({ first_nonce: 5 });
      expect(attempts).toMatchObject([{ number: 1, gas: 60_000, raw: null }]);
    }
  });

  it('is not given to one that was cancelled meanwhile, and is not the first', async () => {
    const transfer = await order();
    await new TransferStore(database).cancel(transfer.reference, 'ada', 'not wanted');
    expect(await ours.take(lane, transfer, 5, TERMS)).toBe(false);
    expect(await stored()).toMatchObject([{ transfer: { nonce: null }, lease: { first_nonce: null }, attempts: null }]);
  });

  it('is not given where other terms may be signed', async () => {
    const transfer = await order();
    await ours.take(lane, transfer, 5, TERMS);
    await owner.query('UPDATE outgoing_transfers SET nonce = NULL WHERE id = $1', [transfer.id]);
    const before = await stored();
    await expect(ours.take(lane, transfer, 5, { ...TERMS, gas: 1 })).rejects.toThrow('has other terms');
    expect(await stored()).toEqual(before);
  });

  it('is given again with other terms where the signer refused the first ones', async () => {
    const transfer = await order();
    await ours.take(lane, transfer, 5, TERMS);
    await ours.giveBack(lane, transfer, TERMS, 'over_cap', { hold: 'signer', retryMs: 0 });
    expect(await ours.take(lane, transfer, 5, { ...TERMS, gas: 1 })).toBe(true);
    expect(await stored()).toMatchObject([{ transfer: { nonce: 5 }, attempts: [{ gas: 1, refused: null }] }]);
  });
});

it('bytes that are stored are not replaced by others', async () => {
  const { transfer } = await sent();
  const before = await stored();
  await ours.storeSigned(lane, transfer, TERMS, { raw: bytes(90), hash: bytes(32) });
  expect(await stored()).toEqual(before);
});

describe('terms of a further attempt', () => {
  it('are not stored where others may be signed', async () => {
    const { transfer } = await sent();
    await ours.addAttempt(lane, transfer, { ...TERMS, number: 2 });
    const before = await stored();
    await expect(ours.addAttempt(lane, transfer, { ...TERMS, number: 2, gas: 1 })).rejects.toThrow('has other terms');
    expect(await stored()).toEqual(before);
  });

  it('are not refused once they are signed', async () => {
    const { transfer } = await sent();
    await ours.refuseAttempt(lane, transfer, TERMS, 'over_cap', { hold: 'signer', retryMs: 0 });
    expect(await stored()).toMatchObject([{ attempts: [{ refused: null }] }]);
  });
});

describe('of several transfers in one commit', () => {
  const found = (attempt: SignedAttempt) => ({ attempt, receipt: receiptOf(attempt) });

  it('each stands in its block, and one whose block was replaced in none', async () => {
    const [one, two, third] = [await sent(0), await sent(1), await sent(2)];
    await ours.stand(lane, [{ transfer: third.transfer, found: found(third.attempt) }]);
    const cancellation = { ...two.attempt, hash: bytes(32), cancels: true };
    const [foundOne, foundTwo] = [found(one.attempt), found(cancellation)];
    const standing = (await ours.open(lane)).map(({ transfer }) => transfer)[2] as OutgoingTransfer;
    await ours.stand(lane, [
      { transfer: one.transfer, found: foundOne },
      { transfer: two.transfer, found: foundTwo },
      { transfer: standing, found: null },
    ]);
    expect((await ours.open(lane)).map(({ transfer }) => transfer)).toMatchObject([
      { blockNumber: 9, blockHash: foundOne.receipt.blockHash, transactionHash: one.attempt.hash },
      // The hash that a merchant sees is that of the payout, until the cancellation is its end.
      { blockNumber: 9, blockHash: foundTwo.receipt.blockHash, transactionHash: two.attempt.hash },
      { blockNumber: null, blockHash: null, transactionHash: third.attempt.hash },
    ]);
  });

  it('each has an end and a fee of its own, and one that has ended keeps its own', async () => {
    const [one, two, third] = [await sent(0), await sent(1), await sent(2)];
    await ours.finish(lane, [{ transfer: two.transfer, ...found(two.attempt), ...COMPLETED }]);
    const receipt = { ...receiptOf(third.attempt), gasUsed: 10n };
    await ours.finish(lane, [
      { transfer: one.transfer, ...found(one.attempt), failure: 'reverted', heldBy: null },
      { transfer: two.transfer, ...found(two.attempt), failure: 'reverted', heldBy: null },
      { transfer: third.transfer, attempt: third.attempt, receipt, failure: null, heldBy: 'transfer_missing' },
    ]);
    const byNonce = (await stored()).toSorted((a, b) => a.transfer.nonce - b.transfer.nonce);
    expect(byNonce).toMatchObject([
      { transfer: { state: 'failed', failure: 'reverted' }, entries: [{ kind: 'fee', wei: 1_000_000 }] },
      { transfer: { state: 'completed', failure: null }, entries: [{ kind: 'fee', wei: 1_000_000 }] },
      { transfer: { state: 'sent', held_by: 'transfer_missing' }, entries: [{ kind: 'fee', wei: 200 }] },
    ]);
  });
});

it('what the network took is booked once, with the end', async () => {
  const { transfer, attempt } = await sent();
  const found = { attempt, receipt: receiptOf(attempt) };
  await ours.finish(lane, [{ transfer, ...found, ...COMPLETED }]);
  await ours.finish(lane, [{ transfer, ...found, ...COMPLETED }]);
  expect(await stored()).toMatchObject([
    { transfer: { state: 'completed', fee_wei: 1_000_000 }, entries: [{ kind: 'fee', wei: 1_000_000 }] },
  ]);
});

describe('coins for a sweep', () => {
  const sweepFrom = async (fromAddress: Hex, heldBy: string) => {
    const sweep = await new TransferStore(database).order({
      reference: randomUUID(),
      ...{ network: 'erc20', kind: 'sweep', from: { kind: 'deposit', index: 3 }, fromAddress },
      ...{ toAddress: lane.fromAddress, currency: 'USDT', units: 7n },
    });
    await owner.query(
      `UPDATE outgoing_transfers SET held_by = $2, retry_at = clock_timestamp() + interval '1 hour' WHERE id = $1`,
      [sweep.id, heldBy],
    );
    return sweep.reference;
  };
  const heldBy = async (reference: string) => {
    const transfer = await new TransferStore(database).find(reference);
    return [transfer?.heldBy, transfer?.retryAt === null];
  };

  it('give their turn to those that wait for them at their address, and to no other', async () => {
    const address = bytes(20);
    const [waiting, paused, elsewhere] = [
      await sweepFrom(address, 'gas'),
      await sweepFrom(address, 'paused'),
      await sweepFrom(bytes(20), 'gas'),
    ];
    const gas = await new TransferStore(database).order({
      reference: randomUUID(),
      ...{ network: 'erc20', kind: 'gas', from: { kind: 'hot' }, fromAddress: lane.fromAddress, toIndex: 3 },
      ...{ toAddress: address, currency: null, units: 9n },
    });
    await ours.take(lane, gas, 0, TERMS);
    await ours.storeSigned(lane, gas, TERMS, { raw: bytes(90), hash: bytes(32) });
    const [open] = await ours.open(lane);
    const attempt = open?.attempts[0] as SignedAttempt;
    const tokens = await sent(1, address);
    await ours.finish(lane, [{ ...tokens, receipt: receiptOf(tokens.attempt), ...COMPLETED }]);
    expect(await heldBy(waiting)).toEqual(['gas', false]);
    await ours.finish(lane, [{ transfer: gas, attempt, receipt: receiptOf(attempt), ...COMPLETED }]);
    expect(await heldBy(waiting)).toEqual(['turn', true]);
    expect([await heldBy(paused), await heldBy(elsewhere)]).toEqual([
      ['paused', false],
      ['gas', false],
    ]);
  });
});
