/** The console as people meet it: the real stack behind it, a real browser in front, an admin and a viewer of one merchant. */
import { watch } from '@stablecoin/testing/browser';
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Postgres } from 'pg';
import { Client, dataOf } from './client';
import {
  addPasskey,
  ConsolePages,
  goTo,
  heading,
  invitationFor,
  isReadable,
  provesIt,
  withDevice,
} from './console-pages';
import { addKey, createMerchant, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual } from './people';
import type { Transaction } from './resources';

const FIRST_LOAD_MAX = 200 * 1024;
const RECIPIENT = 'Chidi Okafor';
const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: RECIPIENT };

let own: OwnStack;
let pages: ConsolePages;
let merchant: Client;
let merchantId: string;
let walletId: string;
let payout: Transaction;
let pay: (amount: string) => Promise<typeof waiting>;
let waiting: Transaction & { approval_hash: string };

beforeAll(async () => {
  [own, pages] = await Promise.all([
    startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' }),
    ConsolePages.start(),
  ]);
  const created = await createMerchant([], own.description);
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  await fill();
}, 500_000);
afterEach(() => pages.closeAll());
afterAll(async () => {
  await pages?.stop();
  await own?.stop();
}, 90_000);

/** A deposit, a payout that arrived, and one that waits for an approval. */
async function fill(): Promise<void> {
  const { id: customer_id } = await createIndividual(merchant);
  const wallet = await dataOf(merchant.post<{ id: string }>('/wallets', { customer_id, currency: 'USD' }));
  walletId = wallet.id;
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '5000' }));
  pay = (amount) =>
    dataOf(merchant.post<typeof waiting>('/payouts/banks', { customer_id, currency: 'USD', amount, ...BANK }));
  payout = await pay('20');
  await eventually('the payout has arrived', async () => {
    const path = `/customers/transactions/by_txid/${payout.transaction_id}`;
    return (await dataOf(merchant.get<Transaction>(path))).status === 'COMPLETED';
  });
  await setPolicy(
    merchantId,
    {
      limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000' }],
      new_destination_wait_seconds: 0,
      approval: {
        ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
        ...{ approvers: 1, expires_after_seconds: 3_600 },
      },
    },
    own.description,
  );
  waiting = await pay('700');
}

const keyThatApproves = async () => (await addKey(merchantId, 'read,approve', [], own.description)).client;

const linkFor = (role: string) => invitationFor(role, merchantId, own.description);
const opened = (address: string) => pages.open(address);

describe('an admin', () => {
  it('signs in by a link, finds a payout, proves it, and finds it in the CSV', async () => {
    const link = await linkFor('admin');
    const page = await opened('about:blank');
    const { complaints, transferred } = watch(page);
    await page.goto(link, { waitUntil: 'networkidle' });
    // Who has no passkey comes to the account first.
    await heading(page, 'Your account');
    await goTo(page, 'Transactions');
    await heading(page, 'Transactions');
    expect(page.url()).not.toContain(new URL(link).hash.slice(1));
    expect(await transferred()).toBeLessThanOrEqual(FIRST_LOAD_MAX);
    await isReadable(page, 'transactions');

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const stream = await (await download).createReadStream();
    const csv = Buffer.concat(await stream.toArray()).toString();
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    expect(csv).toContain(`${payout.transaction_id},`);

    await page.getByRole('button', { name: 'Completed', exact: true }).click();
    await page.getByLabel('Search', { exact: true }).fill(payout.transaction_id);
    await page.keyboard.press('Enter');
    await page.getByText('of 1 transaction').waitFor();
    expect(new URL(page.url()).search).toBe(`?status=COMPLETED&search=${payout.transaction_id}`);
    await page.getByRole('link', { name: '−20.00 USD' }).click();
    await page.getByRole('heading', { name: 'Payout arrived' }).waitFor();
    await page.getByText(RECIPIENT).first().waitFor();

    const [checkpoint] = await dataOf(merchant.get<{ public_key: string }[]>('/audit/checkpoints'));
    await provesIt(page, checkpoint?.public_key ?? '');
    await isReadable(page, 'transaction');
    expect(complaints).toEqual([]);
  });

  it('sees what waits, and that it takes a passkey; wallets; and invites a viewer, who sees less', async () => {
    const page = await opened(await linkFor('admin'));
    await heading(page, 'Your account');
    await goTo(page, 'Approvals');
    await heading(page, `700.00 USD to ${RECIPIENT}`);
    await page.getByText(waiting.approval_hash).waitFor();
    await page.getByRole('link', { name: 'Add a passkey to approve' }).waitFor();
    await isReadable(page, 'approvals');
    await goTo(page, 'Wallets');
    await heading(page, 'No wallets here yet');
    await goTo(page, 'Transactions');
    await page.getByRole('link', { name: '−20.00 USD' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Their wallets' }).click();
    await heading(page, 'Wallets of a customer');
    await page.getByRole('link', { name: '4,280.00 USD' }).click();
    await heading(page, 'Balance at a time');
    expect(page.url()).toContain(walletId);
    await page.getByText('by the event at position').waitFor();
    await isReadable(page, 'wallet');
    await goTo(page, 'Members');
    await page.getByLabel('Name', { exact: true }).fill('Chi Eze');
    await page.getByLabel('E-mail').fill('chi@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = await page.locator('.notice.good code').innerText();
    await isReadable(page, 'members');
    await viewerAt(link);
  });

  it('sees money arrive, and a payout wait, without a reload', async () => {
    const page = await opened(await linkFor('admin'));
    await heading(page, 'Your account');
    await goTo(page, 'Transactions');
    await page.getByRole('link', { name: '+5,000.00 USD' }).waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '77.77' }));
    await page.getByRole('link', { name: '+77.77 USD' }).waitFor();
    await goTo(page, 'Approvals');
    await heading(page, `700.00 USD to ${RECIPIENT}`);
    const { transaction_id } = await pay('311');
    await page.getByRole('article', { name: `311.00 USD to ${RECIPIENT}` }).waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    await dataOf((await keyThatApproves()).post(`/payouts/${transaction_id}/reject`, {}));
    await page.getByRole('article', { name: `311.00 USD to ${RECIPIENT}` }).waitFor({ state: 'detached' });
  });

  it('adds a passkey, signs in by it alone, and may invite at once; without it no longer', async () => {
    const page = await opened(await linkFor('admin'));
    const device = await withDevice(page);
    await addPasskey(page, 'Laptop');
    await isReadable(page, 'passkeys');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await heading(page, 'Transactions');
    await goTo(page, 'Members');
    const invite = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('E-mail').fill('dayo@example.com');
      await page.getByRole('button', { name: 'Invite' }).click();
    };
    await invite('Dayo Ojo');
    await page.getByText('Send this link').waitFor();
    const database = new Postgres({ connectionString: own.description.owner_databases.backoffice });
    await database.connect();
    await database.query(`UPDATE sessions SET stepped_up_until = now() WHERE stepped_up_until IS NOT NULL`);
    await database.end();
    await device.isSeen(false);
    await invite('Efe Ali');
    await page.getByText('No passkey was given').waitFor();
    await device.isSeen(true);
    await invite('Efe Ali');
    await page.getByRole('list', { name: 'Members' }).getByText('Efe Ali').waitFor();
  });

  it('approves a payout by a passkey, sees it arrive, and rejects another with a reason', async () => {
    const page = await opened(await linkFor('approver'));
    const [toApprove, toReject] = [await pay('800'), await pay('900')];
    await withDevice(page);
    await addPasskey(page, 'Phone');
    await goTo(page, 'Approvals');
    const cardOf = (amount: string) => page.getByRole('article', { name: `${amount} USD to ${RECIPIENT}` });
    await isReadable(page, 'approvals-to-decide');
    await cardOf('800.00').getByRole('button', { name: 'Approve with a passkey' }).click();
    await cardOf('800.00').waitFor({ state: 'detached' });
    await cardOf('900.00').getByRole('button', { name: 'Reject…' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Paid twice');
    await page.getByRole('button', { name: 'Reject the payout' }).click();
    await cardOf('900.00').waitFor({ state: 'detached' });
    const { origin } = new URL(page.url());
    await eventually('the payout has arrived', async () => {
      const path = `/customers/transactions/by_txid/${toApprove.transaction_id}`;
      return (await dataOf(merchant.get<Transaction>(path))).status === 'COMPLETED';
    });
    await page.goto(`${origin}/transactions/${toApprove.transaction_id}`);
    await page.getByText('Completed').first().waitFor();
    await page.goto(`${origin}/transactions/${toReject.transaction_id}`);
    await page.getByText('Failed').first().waitFor();
    await isReadable(page, 'transaction-rejected');
  });

  async function viewerAt(link: string): Promise<void> {
    const page = await opened(link);
    await heading(page, 'Your account');
    await goTo(page, 'Transactions');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const screens = ['Transactions', 'Overview', 'Deposits', 'Wallets', 'Customers', 'Your account'];
    expect(await links.allInnerTexts()).toEqual(screens);
    await page.getByRole('link', { name: '−20.00 USD' }).click();
    await heading(page, 'Timeline');
    expect(await page.content()).not.toContain(RECIPIENT);
    const { origin } = new URL(page.url());
    for (const path of ['/members', '/approvals']) {
      await page.goto(`${origin}${path}`);
      await heading(page, 'Your role does not include this');
    }
    await goTo(page, 'Your account');
    await isReadable(page, 'account');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(page, 'Sign in');
    await isReadable(page, 'sign-in');
    await page.goto(`${origin}/transactions`);
    await heading(page, 'Sign in');
  }
});

it('a link that was used says so, and what there is to do', async () => {
  const link = await linkFor('viewer');
  await heading(await opened(link), 'Your account');
  const page = await opened(link);
  await heading(page, 'This link does not work');
  await isReadable(page, 'link-spent');
});
