/** The ledger's shards on two Postgres servers, over HTTP: nothing shows which merchant is on which, until one of them is gone. */
import { createHash } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { journey } from '@stablecoin/testing/journey';
import { OwnPostgres } from '@stablecoin/testing/own-postgres';
import { Client as Postgres } from 'pg';
import { auditJson } from './audit-command';
import { Answer, Client } from './client';
import { createMerchant, operatorOf } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, openWallet } from './people';
import { Transaction, Wallet } from './resources';

const SHARDS = 2;
const ANSWER_WITHIN_MS = 5_500;
const RECOVERS = { timeoutMs: 30_000 };
const BANK = { account_number: '0123450009', bank_code: '011', recipient_name: 'Ada' };

interface Holder {
  client: Client;
  wallet: Wallet;
}

let b: OwnPostgres;
let own: OwnStack;
let atHome: Holder;
let onB: Holder;

beforeAll(async () => {
  b = await OwnPostgres.start('ledger');
  own = await startOwnStack({
    LEDGER_SHARDS: String(SHARDS),
    LEDGER_DATABASES: `b=${b.urls.app}`,
    LEDGER_MIGRATION_DATABASES: `b=${b.urls.owner}`,
    LIABILITIES_INTERVAL_MS: '2000',
    CHECKPOINT_INTERVAL_MS: '500',
  });
  await operatorOf(own.description).run(['shards', 'move', '1', '--to', 'b']);
  await eventually('both shards are held', async () => (await shards()).every(({ held }) => held), RECOVERS);
  [atHome, onB] = [await holder(0), await holder(1)];
}, 180_000);

afterAll(async () => {
  await own?.stop();
  await b?.stop();
}, 90_000);

async function shards(): Promise<{ shard: number; database: string; held: boolean }[]> {
  return JSON.parse(await operatorOf(own.description).run(['shards', 'list', '--json'])) as {
    shard: number;
    database: string;
    held: boolean;
  }[];
}

/** As the customer service assigns them. */
const shardOf = (merchantId: string) => createHash('sha256').update(merchantId).digest().readUInt32BE(0) % SHARDS;

async function holder(shard: number): Promise<Holder> {
  for (;;) {
    const { merchant_id, api_key } = await createMerchant([], own.description);
    if (shardOf(merchant_id) !== shard) continue;
    const client = new Client(own.description.base_url, api_key);
    return { client, wallet: await openWallet(client, { currency: 'USD' }, '1000') };
  }
}

const payOut = ({ client }: Holder) =>
  client.post<Transaction>('/payouts/banks', { currency: 'USD', amount: '1', ...BANK });

const READS: Record<string, (holder: Holder) => Promise<Answer<unknown>>> = {
  'GET /wallets/:wallet_id': ({ client, wallet }) => client.get(`/wallets/${wallet.id}`),
  'GET /wallets': ({ client }) => client.get('/wallets'),
  'GET /transactions': ({ client }) => client.get('/transactions'),
  'GET /audit/checkpoints': ({ client }) => client.get('/audit/checkpoints'),
};

async function timed(asked: Promise<Answer<unknown>>): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const { status } = await asked;
  return { status, ms: performance.now() - begun };
}

it('places a shard where it is told, and says so', async () => {
  expect((await shards()).map(({ shard, database }) => ({ shard, database }))).toEqual([
    { shard: 0, database: 'home' },
    { shard: 1, database: 'b' },
  ]);
});

it('moves no shard while an instance is alive that does not know where it would go', async () => {
  const home = new Postgres({ connectionString: own.description.owner_databases.ledger });
  await home.connect();
  try {
    await home.query(
      `INSERT INTO ledger_instances (instance, joined_at, seen_at) VALUES ('before/1', now(), now() + interval '1 minute')`,
    );
    await expect(operatorOf(own.description).run(['shards', 'move', '0', '--to', 'b'])).rejects.toThrow(
      'before/1 of wallet-ledger does not work on b',
    );
  } finally {
    await home.query(`DELETE FROM ledger_instances WHERE instance = 'before/1'`);
    await home.end();
  }
  expect((await shards()).map(({ database }) => database)).toEqual(['home', 'b']);
}, 60_000);

it('serves the whole journey of a merchant on either, proofs of what is owed included', async () => {
  for (const { client, wallet } of [atHome, onB]) {
    await journey((method, path, body) => client.send(method, path, body));
    await eventually(
      'the wallet is in a signed statement',
      async () => (await client.get(`/audit/liabilities/${wallet.id}`)).status === 200,
      RECOVERS,
    );
  }
}, 120_000);

it('answers 503 to the merchants of a lost database, and serves the others within their deadlines', async () => {
  await b.stopAtOnce();
  await eventually('reads are refused', async () => (await onB.client.get('/wallets')).status === 503, RECOVERS);
  for (const [name, read] of Object.entries(READS)) {
    const [lost, kept] = await Promise.all([timed(read(onB)), timed(read(atHome))]);
    expect({ name, lost: lost.status, kept: kept.status }).toEqual({ name, lost: 503, kept: 200 });
    expect(Math.max(lost.ms, kept.ms)).toBeLessThan(ANSWER_WITHIN_MS);
  }
  const [lost, kept] = await Promise.all([timed(payOut(onB)), timed(payOut(atHome))]);
  expect({ lost: lost.status, kept: kept.status }).toEqual({ lost: 503, kept: 200 });
  expect(Math.max(lost.ms, kept.ms)).toBeLessThan(ANSWER_WITHIN_MS);
}, 90_000);

it('serves them again when it is back, and every database verifies', async () => {
  await b.startAgain();
  await eventually('payouts are accepted', async () => (await payOut(onB)).status === 200, RECOVERS);
  expect(Number(await balanceOf(onB.client, onB.wallet.id))).toBeLessThan(1_000);
  process.env['AUDIT_DATABASES'] = `b=${b.urls.further ?? ''}`;
  try {
    const { code, report } = await auditJson<{ ok: boolean; shards: { shard: number }[] }>(own.description, 'verify');
    expect({ code, ok: report.ok, shards: report.shards.map(({ shard }) => shard) }).toEqual({
      code: 0,
      ok: true,
      shards: [0, 1],
    });
  } finally {
    delete process.env['AUDIT_DATABASES'];
  }
}, 120_000);
