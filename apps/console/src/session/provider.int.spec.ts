/** Signing in with an identity provider, and connecting an account there: what a person sees of it. */
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';

const AT = '2026-01-30T09:00:00.000Z';

let identity: Schema<'Identity'> | null = null;
/** Where the provider sends the browser back to. */
let back = '/account';

const signedOut = () => (running().stub.state.session = null);
const SCREENS: readonly Screen[] = [
  { name: 'sign-in-provider', path: '/sign-in?provider=not_connected', heading: 'Sign in', prepare: signedOut },
  { name: 'account-provider', path: '/account', heading: 'Marina ID', prepare: () => (identity = null) },
  {
    ...{ name: 'account-connected', path: '/account?provider=of_another', heading: 'Marina ID' },
    prepare: () => (identity = { created_at: AT, last_used_at: AT }),
  },
];

const running = consoleInBrowser(SCREENS, {
  'GET /api/sign-in-ways': () => ({ passkey: true, oidc: { name: 'Marina ID' } }),
  'GET /api/identity': () => ({ identity }),
  'POST /api/identity/connection': () => ({ url: back }),
  'DELETE /api/identity': () => (identity = null),
});
const open = (...asked: Parameters<ConsoleInBrowser['open']>) => running().open(...asked);

beforeEach(() => {
  identity = null;
  back = '/account';
});

it('the sign-in page leads to the provider by its name, beside passkeys', async () => {
  signedOut();
  const page = await open('/sign-in');
  const button = page.getByRole('link', { name: 'Sign in with Marina ID' });
  expect(await button.getAttribute('href')).toBe('/api/session/oidc');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it.each([
  ['away', 'does not answer'],
  ['failed', 'did not work'],
  ['not_connected', 'connected to no member here'],
  ['session_over', 'signed out before'],
])('a person who comes back without a session reads why: %s', async (reason, words) => {
  signedOut();
  const page = await open(`/sign-in?provider=${reason}`);
  expect(await page.getByRole('alert').innerText()).toContain(words);
});

it.each(['constructor', '<b>call 555</b>', 'of'])('words of somebody else are not shown: %s', async (reason) => {
  signedOut();
  const page = await open(`/sign-in?provider=${encodeURIComponent(reason)}`);
  await page.getByRole('link', { name: 'Sign in with Marina ID' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('an account is connected at the provider, and disconnected here', async () => {
  const page = await open('/account');
  await page.getByRole('button', { name: 'Connect Marina ID' }).click();
  identity = { created_at: AT, last_used_at: null };
  await page.getByText('not used yet').first().waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect Marina ID?' }).click();
  await page.getByText('Connect your account at Marina ID').waitFor();
  expect(running().stub.state.asked).toContain('DELETE /api/identity');
});

it('of two acts that were refused the error is of the last one', async () => {
  identity = { created_at: AT, last_used_at: AT };
  running().refuse('POST /api/identity/connection', 400, 'The first was refused.');
  running().refuse('DELETE /api/identity', 400, 'The second was refused.');
  const page = await open('/account');
  await page.getByRole('button', { name: 'Connect another account' }).click();
  await page.getByText('The first was refused.').waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Disconnect Marina ID?' }).click();
  await page.getByText('The second was refused.').waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['The second was refused.']);
});

it('the account says how its session began', async () => {
  running().signedInAs('admin', { signed_in_by: 'oidc' });
  const page = await open('/account');
  await page.getByText('The identity provider', { exact: true }).waitFor();
});
