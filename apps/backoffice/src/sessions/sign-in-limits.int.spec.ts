import { newMerchant, personOf, RunningBackoffice } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

it('who tries links is told to wait, and neither who is signed in at the same address nor who comes from another one', async () => {
  const { browser: signedIn } = await backoffice.member('viewer', newMerchant());
  const { token } = await backoffice.invitations.inviteAs(personOf('viewer'), newMerchant());
  const guessing = backoffice.browser();
  const guess = () => guessing.post('/api/session/link', { token: 'a'.repeat(43) });
  const shown = await Promise.all(Array.from({ length: 200 }, guess));
  const refused = shown.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(10);
  expect(shown.filter(({ status }) => status === 401)).toHaveLength(200 - refused.length);
  expect(refused[0]?.body).toMatchObject({ code: 'rate_limited' });
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect((await signedIn.get('/api/session')).status).toBe(200);
  expect((await backoffice.browser('203.0.113.9').signIn(token)).status).toBe(200);
});

it('a network of IPv6 is one address', async () => {
  const guess = (_: unknown, number: number) =>
    backoffice.browser(`2001:db8:1:1::${number + 1}`).post('/api/session/link', { token: 'b'.repeat(43) });
  const shown = await Promise.all(Array.from({ length: 200 }, guess));
  expect(shown.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
});
