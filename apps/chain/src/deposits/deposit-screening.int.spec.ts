/** Deposits whose senders are screened before they are credited. The lists and the decisions are the customer service's. */
import { randomBytes } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { resolveUnrecognised } from '@stablecoin/contracts/chain/resolve-unrecognised';
import { ScreeningDecision } from '@stablecoin/contracts/customer/screening-view';
import { depositCommandName, depositNames } from '@stablecoin/command-proofs/deposit-name';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { BLOCKS_UNTIL_FINAL as FINAL, startChain as startTestChain, TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';
import { PastDeposits } from './past-deposits';

const LISTS = ['cd'.repeat(32)];
const anAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`;

let nats: OwnNats;
let chain: TestChain;
let surroundings: ChainSurroundings;
let service: RunningChain;
/** The service's own login. */
let app: Client;
let asked: jest.SpyInstance;

beforeAll(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startTestChain({ blocks: 'ordered' })]);
  surroundings = await chainSurroundings(nats.url);
  service = await startChain(surroundings, { CHAIN_RPC_ERC20: chain.rpcUrl }, nats.url);
  asked = jest.spyOn(service.app.get(BusClient), 'call');
  app = new Client({ connectionString: surroundings.database.url });
  await app.connect();
  await eventually('the walk has begun', async () => (await app.query('SELECT 1 FROM walks')).rowCount === 1);
});

afterAll(async () => {
  await app.end();
  await service.stop();
  await surroundings.close();
  await Promise.all([nats.stop(), chain.stop()]);
});

const decide = (decision: ScreeningDecision) => {
  surroundings.customer.decision = { decision, lists: decision === 'unlisted' ? [] : LISTS };
};
const statusOf = (hash: Hex) => surroundings.ledger.depositsOf(hash);
const becomes = (hash: Hex, status: string) =>
  eventually(`it is ${status}`, () => statusOf(hash).join() === `3.00000000 ${status}`);
const bytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex');
const rowOf = async (hash: Hex) =>
  (await app.query('SELECT * FROM deposits WHERE transaction_hash = $1', [bytes(hash)])).rows[0];
const asOwner = async (statement: string, values: unknown[] = []) => {
  const owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
  await owner.query(statement, values);
  await owner.end();
};
const isHeld = (hash: Hex) => eventually('it waits', async () => (await rowOf(hash)).waiting_for === 'screening');
/** However often it is tried. */
async function isNotCredited(hash: Hex, status: string): Promise<void> {
  const before = surroundings.customer.screened.length;
  await eventually('it was tried twice more', async () => {
    const { attempts } = await rowOf(hash);
    return surroundings.customer.screened.length >= before + 2 && attempts >= 2;
  });
  expect(statusOf(hash)).toEqual([status]);
  expect((await rowOf(hash)).booked).toBe('recorded');
}
/** What was stated to the ledger with how the last deposit ended. */
const stated = (): unknown =>
  asked.mock.calls
    .filter(([operation]) => operation === confirmDeposit || operation === failDeposit)
    .map(([, , { evidence }]) => JSON.parse(evidence.text).screening)
    .at(-1);

/** A deposit in a block that is final. */
async function deposit(): Promise<{ hash: Hex; walletId: string; merchantId: string }> {
  const address = anAddress();
  const { id, merchantId, fact } = surroundings.ledger.open('USDT', address, 'erc20');
  await surroundings.ledger.publish(fact);
  await eventually('the address is known', async () => {
    const known = 'SELECT 1 FROM deposit_addresses WHERE address = $1 AND NOT unchecked';
    return (await app.query(known, [bytes(address)])).rowCount === 1;
  });
  const hash = await chain.sendTokens('USDT', address, 3_000_000n);
  await chain.mine(1 + FINAL);
  return { hash, walletId: id, merchantId };
}

it('is credited when its sender is clear, and the ledger learns by which lists', async () => {
  decide('clear');
  const { hash, merchantId } = await deposit();
  await becomes(hash, 'COMPLETED');
  const { from_address, ledger_id } = await rowOf(hash);
  expect(surroundings.customer.screened.at(-1)).toMatchObject({
    ...{ movement: 'deposit', id: ledger_id, merchant_id: merchantId, customer_id: null },
    address: `0x${(from_address as Buffer).toString('hex')}`,
  });
  expect(stated()).toEqual({ decision: 'clear', lists: LISTS });
});

it('is stated with its name, from which the id of its command is derived', async () => {
  decide('clear');
  const { hash } = await deposit();
  await becomes(hash, 'COMPLETED');
  const recorded = asked.mock.calls.flatMap(([operation, command, target]) =>
    operation === recordDeposit ? [{ command_id: command.command_id, stated: JSON.parse(target.evidence.text) }] : [],
  );
  const { command_id, stated: said } = recorded.find(({ stated: of }) => of.crypto_transaction_id === hash) ?? {};
  expect(said.deposit_name).toBe((await rowOf(hash)).command_name);
  expect(depositNames(said).map((name) => derivedUuid(depositCommandName('record', name)))).toEqual([command_id]);
});

it.each(['held', 'unlisted'] as const)(
  'stays PENDING while its sender is %s, and is credited after that',
  async (decision) => {
    decide(decision);
    const { hash } = await deposit();
    await isHeld(hash);
    expect(statusOf(hash)).toEqual(['3.00000000 PENDING']);
    decide(decision === 'held' ? 'released' : 'clear');
    await becomes(hash, 'COMPLETED');
    await eventually('it waits no more', async () => (await rowOf(hash)).booked === 'completed');
    expect(await rowOf(hash)).toMatchObject({ waiting_for: null, next_step_at: null });
  },
);

it('fails once compliance has rejected it, and waits for an operator, who can not credit it past the screening', async () => {
  decide('held');
  const { hash, walletId } = await deposit();
  await isHeld(hash);
  decide('rejected');
  await becomes(hash, 'FAILED');
  expect(stated()).toEqual({ decision: 'rejected', lists: LISTS });
  const listed = await eventually('it is on the list', async () => {
    const { items } = await service.bus.call(listUnrecognised, { page: 1, limit: 10 });
    return items.find(({ transaction_hash }) => transaction_hash === hash);
  });
  expect(listed).toMatchObject({ reason: 'rejected_by_screening', standing: 'final', wallet_id: walletId });
  const credit = { resolution: 'credit', wallet_id: walletId, actor: 'ada', reason: 'ticket 7' } as const;
  await service.bus.call(resolveUnrecognised, { id: listed.id, ...credit });
  await eventually('it has failed again', () => statusOf(hash).join() === '3.00000000 FAILED,3.00000000 FAILED');
});

it('fails when its transfer has gone from the chain while it is held', async () => {
  decide('held');
  const { hash } = await deposit();
  await isHeld(hash);
  await app.query(
    `UPDATE deposits SET standing = 'gone', version = version + 1, next_step_at = now() WHERE transaction_hash = $1`,
    [bytes(hash)],
  );
  // The walk finds the transfer again, where it is: that is another deposit.
  await eventually('it is FAILED', () => statusOf(hash).includes('3.00000000 FAILED'));
});

it('is not credited by a row that names another sender than the chain, as the service itself could write it', async () => {
  decide('held');
  const { hash } = await deposit();
  await isHeld(hash);
  await asOwner(`UPDATE deposits SET from_address = $1 WHERE transaction_hash = $2`, [bytes(anAddress()), bytes(hash)]);
  decide('clear');
  await isNotCredited(hash, '3.00000000 PENDING');
});

it.each([
  ['a larger one', `units = units * 1000, amount = '3000.00000000'`, '3000.00000000 PENDING'],
  ['one at another address', `to_address = '\\x0000000000000000000000000000000000000001'`, '3.00000000 PENDING'],
  ['one of another transfer', `transaction_hash = sha256('never')`, '3.00000000 PENDING'],
  ['one of another token', `token = '\\x0000000000000000000000000000000000000001'`, '3.00000000 PENDING'],
])(
  'put in by the service’s own login as %s than the chain has is not credited, also where there is no list',
  async (_, change, status) => {
    surroundings.customer.decision = { decision: 'held', lists: LISTS };
    const { hash } = await deposit();
    await isHeld(hash);
    // As if it had been put in so: what is there can not be changed.
    const columns = await app.query(`SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
    WHERE table_name = 'deposits'`);
    await asOwner('CREATE TABLE forged AS SELECT * FROM deposits WHERE transaction_hash = $1', [bytes(hash)]);
    await asOwner(`UPDATE forged SET id = gen_random_uuid(), round = 7, standing = 'final', booked = 'nothing', ledger_id = NULL,
    transaction_id = NULL, waiting_for = NULL, command_name = 'forged:' || gen_random_uuid(), next_step_at = now(), ${change}`);
    await asOwner('GRANT SELECT ON forged TO chain_app');
    surroundings.customer.decision = { decision: 'clear', lists: [] };
    const { rows } =
      await app.query(`INSERT INTO deposits (${columns.rows[0].names}) SELECT ${columns.rows[0].names} FROM forged
    RETURNING id, transaction_hash`);
    await asOwner('DROP TABLE forged');
    const [{ id, transaction_hash }] = rows;
    await eventually(
      'it was tried',
      async () => (await app.query('SELECT attempts FROM deposits WHERE id = $1', [id])).rows[0].attempts >= 2,
    );
    const named: Hex = `0x${(transaction_hash as Buffer).toString('hex')}`;
    expect(statusOf(named)).toContain(status);
    const booked = await app.query('SELECT booked FROM deposits WHERE id = $1', [id]);
    expect(booked.rows).toEqual([{ booked: 'recorded' }]);
    await asOwner('UPDATE deposits SET next_step_at = NULL WHERE id = $1', [id]);
  },
);

it.each([
  ['deposits', `units = 1, amount = '1'`, /permission denied/],
  ['deposits', 'to_address = from_address', /permission denied/],
  ['deposits', 'wallet_id = gen_random_uuid()', /keeps its wallet/],
  ['deposits', 'merchant_id = gen_random_uuid()', /keeps its wallet/],
  ['deposits', `command_name = command_name || ':again'`, /keeps its wallet/],
  ['deposit_addresses', 'wallet_id = gen_random_uuid()', /permission denied/],
  ['wallets', 'merchant_id = gen_random_uuid()', /permission denied/],
])('the service itself can not set of %s: %s', async (table, change, refusal) => {
  await expect(app.query(`UPDATE ${table} SET ${change}`)).rejects.toThrow(refusal);
});

it('an address that somebody has put in for another wallet, before the ledger gave it out, is not taken for the ledger’s', async () => {
  const address = anAddress();
  await app.query(
    `INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at) VALUES ($1, 'erc20', gen_random_uuid(), now())`,
    [bytes(address)],
  );
  const { fact } = surroundings.ledger.open('USDT', address, 'erc20');
  await surroundings.ledger.publish(fact);
  await eventually(
    'an operator hears of it',
    async () => {
      const parked = await app.query('SELECT reason FROM parked_facts');
      return parked.rows.some(({ reason }) => String(reason).includes('the ledger names another'));
    },
    { timeoutMs: 20_000 },
  );
});

it('is told of where it was credited before there was a screening', async () => {
  decide('clear');
  const { hash } = await deposit();
  await becomes(hash, 'COMPLETED');
  await eventually('it is booked', async () => (await rowOf(hash)).booked === 'completed');
  await app.query(`UPDATE past_screening SET after = '00000000-0000-0000-0000-000000000000', rounds_left = 2`);
  while ((await service.app.get(PastDeposits).pass()) === 0);
  const { ledger_id, from_address } = await rowOf(hash);
  const told = surroundings.customer.screened.filter(({ id, moved }) => id === ledger_id && moved);
  const address = `0x${(from_address as Buffer).toString('hex')}`;
  expect(told.at(-1)).toMatchObject({ movement: 'deposit', address });
});
