/** Orders of transfers, as they are stored. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { ChainDatabase } from '../persistence/chain-database';
import { chainDatabaseAt } from '../testing/database';
import { OtherTerms, TransferOrder } from './transfer';
import { TransferStore } from './transfer-store';

const anAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`;

let test: TestDatabase;
let database: ChainDatabase;
let owner: Client;
let store: TransferStore;

beforeAll(async () => {
  test = await createTestDatabase('chain');
  database = chainDatabaseAt(test.url, 2);
  store = new TransferStore(database);
  owner = new Client({ connectionString: test.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.onApplicationShutdown();
  await test.drop();
});

const payout = (): TransferOrder => ({
  reference: randomUUID(),
  ...{ network: 'erc20', kind: 'payout', from: { kind: 'hot' }, fromAddress: anAddress() },
  ...{ toAddress: anAddress(), currency: 'USDT', units: 7n },
});

/** Its wallet need not be known yet. */
async function depositAddress(): Promise<Hex> {
  const address = anAddress();
  await owner.query(
    `INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at) VALUES (decode($1, 'hex'), 'polygon', $2, now())`,
    [address.slice(2), randomUUID()],
  );
  return address;
}

it('a payout to a deposit address fails, on any network', async () => {
  const toAddress = await depositAddress();
  const order = { ...payout(), toAddress };
  expect(await store.order(order)).toMatchObject({ state: 'failed', failure: 'unpayable_address', heldBy: null });
  expect(await store.order(order)).toMatchObject({ state: 'failed' });
});

it('a deposit address is given coins', async () => {
  const toAddress = await depositAddress();
  const order: TransferOrder = { ...payout(), kind: 'gas', toAddress, toIndex: 3, currency: null };
  expect(await store.order(order)).toMatchObject({ state: 'waiting', failure: null, heldBy: 'turn' });
});

it('a payout that is ordered again leaves the hot wallet of its time', async () => {
  const order = payout();
  const stored = await store.order(order);
  expect(await store.order({ ...order, fromAddress: anAddress() })).toEqual(stored);
  await expect(store.order({ ...order, toAddress: anAddress() })).rejects.toBeInstanceOf(OtherTerms);
});

it('a sweep from another address is another order', async () => {
  const order: TransferOrder = { ...payout(), kind: 'sweep', from: { kind: 'deposit', index: 3 } };
  await store.order(order);
  await expect(store.order({ ...order, fromAddress: anAddress() })).rejects.toBeInstanceOf(OtherTerms);
});
