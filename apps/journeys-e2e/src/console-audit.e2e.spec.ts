/** The operator's auditors at the console: what was signed, whether the log has only grown, and why a wallet held what it held. */
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Postgres } from 'pg';
import type { Page } from 'playwright-core';
import { Client } from './client';
import { ConsolePages, heading, invitationFor } from './console-pages';
import { ConsoleSession } from './console-session';
import { createMerchant } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { openWallet } from './people';

const VERIFY_MAX_MS = 45_000;

interface Shard {
  shard: number;
  events: number;
  checkpoint: { size: number; verifier_key: string } | null;
}
interface Explanation {
  merchant_id: string;
  balance: string;
  opening: string;
  events: { position: number; change: string; balance_after: string | null; transaction_id: string | null }[];
  earlier: string | null;
}
interface Answer<Data> {
  data: Data;
}

let own: OwnStack;
let pages: ConsolePages;
let merchantId: string;
let walletId: string;
let auditor: ConsoleSession;

beforeAll(async () => {
  pages = await ConsolePages.start();
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const created = await createMerchant([], own.description);
  merchantId = created.merchant_id;
  const merchant = new Client(own.description.base_url, created.api_key);
  walletId = (await openWallet(merchant, { currency: 'USD' }, '5000')).id;
  for (const amount of ['20.5', '0.25']) await merchant.sdk.sandbox.deposit({ wallet_id: walletId, amount });
  auditor = await ConsoleSession.of('auditor', undefined, own.description);
}, 500_000);
afterEach(() => pages.closeAll());
afterAll(async () => {
  await pages?.stop();
  await own?.stop();
}, 90_000);

async function read<Data>(path: string, session = auditor): Promise<Data> {
  const { status, text } = await session.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return (JSON.parse(text) as Answer<Data>).data;
}

const settled = () =>
  eventually('both deposits have arrived', async () => {
    const explanation = await read<Explanation>(`/audit/wallets/${walletId}/balance`);
    return Number(explanation.balance) === 5020.75 ? explanation : undefined;
  });

async function opened(path: string): Promise<Page> {
  const link = await invitationFor('auditor', undefined, own.description);
  const page = await pages.open(link);
  await heading(page, 'Your account');
  await page.goto(`${new URL(link).origin}${path}`);
  return page;
}

it('a balance is made up of events, page by page, at any moment', async () => {
  const all = await settled();
  expect(all).toMatchObject({ merchant_id: merchantId, earlier: null });
  expect(Number(all.opening)).toBe(0);
  expect(all.events.flatMap(({ transaction_id }) => transaction_id ?? []).length).toBeGreaterThanOrEqual(3);
  const pages: Explanation['events'] = [];
  let moment: string | null = '999999999';
  while (moment !== null) {
    const page: Explanation = await read(`/audit/wallets/${walletId}/balance?limit=2&as_of=${moment}`);
    pages.push(...page.events);
    moment = page.earlier;
  }
  expect(pages).toEqual(all.events);
  const [first] = [...all.events].reverse().filter(({ change }) => Number(change) === 5000);
  const then = await read<Explanation>(`/audit/wallets/${walletId}/balance?as_of=${first?.position}`);
  expect(Number(then.balance)).toBe(5000);
});

it('the browser adds it up, and checks that the log has only grown', async () => {
  await settled();
  const shard = await eventually('two checkpoints of the shard', async () => {
    const shards = await read<Shard[]>('/audit/shards');
    for (const { shard: one } of shards)
      if ((await read<unknown[]>(`/audit/shards/${one}/checkpoints`)).length >= 2) return one;
    return undefined;
  });
  const page = await opened(`/balances?wallet=${walletId}`);
  await page.getByText('added up by your browser').waitFor();
  await page.goto(`${new URL(page.url()).origin}/checkpoints?shard=${shard}`);
  const boxes = page.getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  const [{ public_key: key } = { public_key: '' }] = await read<{ public_key: string }[]>(
    `/audit/shards/${shard}/checkpoints`,
  );
  await page.getByLabel('Public key of the ledger').fill(key);
  await page.getByRole('button', { name: 'Check both' }).click();
  await page.getByText('Both checkpoints are signed with your key').waitFor();
  await page.getByText(/events? of .* (is|are) the first of the/).waitFor();
  await page.getByLabel('Public key of the ledger').fill(Buffer.alloc(32, 7).toString('base64'));
  await page.getByRole('button', { name: 'Check both' }).click();
  await page.getByText('has no valid signature by the key').waitFor();
});

it('an auditor has the whole ledger verified, sees it intact, and then what somebody has changed in it', async () => {
  await settled();
  const page = await opened('/verification');
  const verified = async (number: number) => {
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByRole('heading', { name: `Verification ${number}` }).waitFor();
  };
  await verified(1);
  await page.getByText('Intact.', { exact: true }).waitFor({ timeout: VERIFY_MAX_MS });
  const ledger = new Postgres({ connectionString: own.description.owner_databases.ledger });
  await ledger.connect();
  const change = 'UPDATE account_balances SET balance = balance + $1 WHERE account_id = $2';
  try {
    await ledger.query(change, [1, walletId]);
    await verified(2);
    await page.getByRole('list', { name: 'Findings' }).getByText(walletId).first().waitFor({ timeout: VERIFY_MAX_MS });
  } finally {
    await ledger.query(change, [-1, walletId]);
    await ledger.end();
  }
}, 120_000);

it.each(['compliance', 'operations'])('%s reads it too', async (role) => {
  const session = await ConsoleSession.of(role, undefined, own.description);
  await read('/audit/shards', session);
  await read(`/audit/wallets/${walletId}/balance`, session);
});

const PATHS = ['/audit/shards', '/audit/shards/0/checkpoints', '/audit/shards/0/consistency?from=1&to=2'];

it.each(['support', 'viewer', 'developer', 'payer', 'approver', 'admin'])('a %s may not', async (role) => {
  const session = await ConsoleSession.of(role, role === 'support' ? undefined : merchantId, own.description);
  for (const path of [...PATHS, `/audit/wallets/${walletId}/balance`, '/audit/wallets/x/balance']) {
    const { status, text } = await session.get(path);
    expect({ path, status, code: (JSON.parse(text) as { code: string }).code }).toEqual({
      ...{ path, status: 403, code: 'not_allowed' },
    });
  }
});

it('what is not there is not found, and each look at a balance is on the record', async () => {
  for (const path of ['/audit/wallets/11111111-1111-4111-8111-111111111111/balance', '/audit/shards/x/checkpoints'])
    expect(await auditor.get(path)).toMatchObject({ status: 404 });
  expect(await auditor.get('/audit/shards/0/consistency?from=2&to=999999')).toMatchObject({ status: 404 });
  expect(await auditor.get('/audit/shards/0/consistency?from=2&to=1')).toMatchObject({ status: 400 });
  const database = new Postgres({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ wallet: string }>(
    `SELECT details ->> 'wallet_id' AS wallet FROM acts WHERE action = 'balance-explained' AND person_id IS NOT NULL`,
  );
  await database.end();
  expect(rows.map(({ wallet }) => wallet)).toContain(walletId);
});
