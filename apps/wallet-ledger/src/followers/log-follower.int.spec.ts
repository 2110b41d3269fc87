import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { SEARCH_INDEX } from '../transactions/search-index';
import { LogFollower } from './log-follower';

const merchant_id = randomUUID();
const wallet_id = timeOrderedId();
let files: TestDatabase;
let database: LedgerDatabase;
let writer: ShardWriter;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, randomUUID());
  if (!lease) throw new Error('the shard is held');
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date() };
  writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
  const address = { address_id: timeOrderedId(), address_index: 1, description: null, network: null };
  await submit({ kind: 'OpenWallet', merchant_id, customer_id: null, currency: 'USD', wallet_id, ...address });
});

afterAll(async () => {
  await writer.close();
  await database.$disconnect();
  await files.drop();
});

function submit(command: Parameters<ShardWriter['submit']>[0]['command']): Promise<unknown> {
  return writer.submit({
    request: { merchant_id, command_id: randomUUID(), input_hash: '' },
    command,
    result: () => ({}),
  });
}

async function deposit(): Promise<string> {
  const id = timeOrderedId();
  const about = { id, reference_id: timeOrderedId(), wallet_id, amount: '1', network: null, reference: null };
  await submit({ kind: 'RecordDeposit', merchant_id, ...about, confirmed: true });
  return id;
}

const indexed = async () =>
  (
    await database.$queryRaw<{ ids: string }[]>`
      SELECT ids FROM transaction_search WHERE merchant_id = ${merchant_id}::uuid ORDER BY position`
  ).map(({ ids }) => ids);

const written = async () =>
  (
    await database.$queryRaw<{ ids: string }[]>`
      SELECT lower(transaction_id) || ' ' || id AS ids FROM transactions ORDER BY position`
  ).map(({ ids }) => ids);

it('follows the log, and adds nothing twice where several follow it', async () => {
  for (let number = 0; number < 5; number += 1) await deposit();
  const followers = [
    new LogFollower(database, 0, SEARCH_INDEX),
    new LogFollower(database, 0, SEARCH_INDEX),
    new LogFollower(database, 0, SEARCH_INDEX),
  ];
  await Promise.all(followers.map((follower) => follower.advance()));
  expect(await indexed()).toEqual(await written());
  await deposit();
  for (const follower of followers) await follower.advance();
  expect(await indexed()).toEqual(await written());
  expect(await indexed()).toHaveLength(6);
});

it('goes on without a call until it is stopped', async () => {
  const follower = new LogFollower(database, 0, SEARCH_INDEX);
  follower.start();
  const id = await deposit();
  await eventually('the deposit is in the index', async () => (await indexed()).at(-1)?.endsWith(id) === true);
  await follower.stop();
});
