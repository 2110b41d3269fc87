import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { GetWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabases } from '../databases/ledger-databases';
import { acquireLease, ensureShards, settledHead } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { GetWalletHandler } from '../wallets/get-wallet.handler';
import { ListTransactionsHandler } from './list-transactions.handler';

const merchant_id = randomUUID();
const wallet_id = timeOrderedId();
let files: TestDatabase;
let database: LedgerReads;
let writer: ShardWriter;
let clock = new Date();

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  const owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  // Far from UTC: queries by UTC days must not depend on the database's time zone.
  await owner.query(`ALTER DATABASE ${owner.database} SET timezone TO 'Pacific/Kiritimati'`);
  await owner.end();
  database = new LedgerReads({ url: files.url, applicationName: 'test', poolSize: 5 });
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, randomUUID());
  const head = lease && (await settledHead(database, lease));
  if (!lease || !head) throw new Error('the shard is held');
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  const clocked = { lastRecordedAt: '', now: () => clock };
  writer = new ShardWriter({ database, lease, head, deriveAddress: () => '', ...clocked, ...callbacks });
  const wallet = { wallet_id, address_id: timeOrderedId(), address_index: 1, description: null, network: null };
  await submit({ kind: 'OpenWallet', merchant_id, customer_id: null, currency: 'NGN', ...wallet });
});

afterAll(async () => {
  await database.$disconnect();
  await files.drop();
});

const submit = (command: LedgerCommand) =>
  writer.submit({ request: { merchant_id, command_id: randomUUID(), input_hash: '' }, command, result: () => ({}) });

function deposit(amount: string) {
  const ids = { id: timeOrderedId(), reference_id: timeOrderedId(), merchant_id, wallet_id };
  return submit({ kind: 'RecordDeposit', ...ids, amount, network: null, reference: null, confirmed: true });
}

describe('a merchant reads', () => {
  it('by whole UTC days, both included', async () => {
    const moments = [
      '2030-01-01T23:59:59.999Z',
      '2030-01-02T00:00:00.000Z',
      '2030-01-02T23:59:59.999Z',
      '2030-01-03T00:00:00.000Z',
    ];
    for (const moment of moments) {
      clock = new Date(moment);
      await deposit('1');
    }
    const request = Object.assign(new ListTransactions(), {
      merchant_id,
      start_date: '2030-01-02',
      end_date: '2030-01-02',
    });
    const { items, total } = await new ListTransactionsHandler(LedgerDatabases.only(database)).execute(request);
    expect(items.map(({ created_at }) => created_at)).toEqual([moments[2], moments[1]]);
    expect(total).toBe(2);
  });

  it('times unshifted, whatever the time zone of the database', async () => {
    const moment = new Date('2030-01-02T00:00:00.000Z');
    const [row] = await database.$queryRaw<{ there: Date; same: boolean }[]>`
      SELECT '2030-01-02T00:00:00Z'::timestamptz AS there, '2030-01-02T00:00:00Z'::timestamptz = ${moment}::timestamptz AS same`;
    expect(row).toEqual({ there: moment, same: true });
  });

  it('a balance larger than the amount of any one request may be', async () => {
    await deposit('999999999999999999');
    await deposit('999999999999999999');
    const request = Object.assign(new GetWallet(), { merchant_id, wallet_id });
    const { balance } = await new GetWalletHandler(LedgerDatabases.only(database)).execute(request);
    expect(balance).toBe('2000000000000000002.00000000');
  });
});
