/** Signing in with an identity provider: its own process on another site, the real stack, a real browser. */
import { startBrowser } from '@stablecoin/testing/browser';
import { IdentityProviderProcess } from '@stablecoin/testing/identity-provider/identity-provider';
import { Client as Postgres } from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createMerchant, operatorOf } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';

const STEP_MAX_MS = 15_000;

let provider: IdentityProviderProcess;
let own: OwnStack;
let browser: Browser;
let merchantId: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  provider = await IdentityProviderProcess.start();
  [own, browser] = await Promise.all([startOwnStack({ BACKOFFICE_PORT: '0', ...provider.settings }), startBrowser()]);
  merchantId = (await createMerchant([], own.description)).merchant_id;
}, 500_000);
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await browser?.close();
  await own?.stop();
  await provider?.stop();
}, 90_000);

async function linkFor(role: string): Promise<string> {
  const person = ['--name', 'Bola Ade', '--email', 'bola@example.com', '--role', role];
  const invited = await operatorOf(own.description).run(['people', 'invite', '--merchant', merchantId, ...person]);
  return (JSON.parse(invited) as { link: string }).link;
}

async function opened(address: string): Promise<Page> {
  const context = await browser.newContext();
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MAX_MS);
  await page.goto(address);
  return page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor();
const console = () => new URL(own.description.console_url ?? '').origin;

it('an invitation is opened, an account connected, and from then on the account signs in', async () => {
  const page = await opened(await linkFor('approver'));
  await heading(page, 'Your account');
  await page.getByRole('button', { name: 'Connect Marina ID' }).click();
  await provider.signIn(page, 'bola');
  await page.getByText('not used yet').first().waitFor();

  const other = await opened(`${console()}/sign-in`);
  await other.getByRole('link', { name: 'Sign in with Marina ID' }).click();
  await provider.signIn(other, 'bola');
  await heading(other, 'Transactions');
  const cookies = await other.context().cookies(console());
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: 'session', httpOnly: true, sameSite: 'Strict' },
  ]);
  await other.goto(`${console()}/account`);
  await other.getByText('The identity provider', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(page, 'Sign in');
  await other.reload();
  await heading(other, 'Sign in');
});

it('who is known to the provider and was not invited stays outside, and reads what to do', async () => {
  const page = await opened(`${console()}/sign-in`);
  await page.getByRole('link', { name: 'Sign in with Marina ID' }).click();
  await provider.signIn(page, 'a-stranger');
  await heading(page, 'Sign in');
  expect(await page.getByRole('alert').innerText()).toContain('Open your invitation first');
  expect(await page.context().cookies(console())).toEqual([]);
});

it('every step is on the record: with what it began, and whose it is', async () => {
  const database = new Postgres({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ action: string; way: string | null }>(
    `SELECT action, details ->> 'way' AS way FROM acts WHERE merchant_id = $1 AND person_id IS NOT NULL ORDER BY number`,
    [merchantId],
  );
  await database.end();
  expect(rows).toEqual([
    { action: 'signed-in', way: 'link' },
    { action: 'identity-connected', way: null },
    { action: 'signed-in', way: 'oidc' },
    { action: 'signed-out-everywhere', way: null },
  ]);
});
