import { Browser } from '../testing/browser';
import { newMerchant, personOf, RunningBackoffice } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
});
afterAll(() => backoffice.stop());

const FORGED = { status: 403, body: { status: 'error', code: 'forged_origin' } };
/** A page of another site, as a browser names it. */
const pageAt = (origin: string | null) => new Browser(backoffice.url, '198.51.100.7', origin);

describe('a request that changes something', () => {
  const origins: [string, () => string | null][] = [
    ['another site', () => 'https://evil.example'],
    ['another port of this machine', () => 'http://127.0.0.1:1'],
    ['the same host by another name', () => backoffice.url.replace('localhost', '127.0.0.1')],
    ['the same host over TLS', () => backoffice.url.replace('http:', 'https:')],
    ['what begins like it', () => `${backoffice.url}.evil.example`],
    ['a page without an origin', () => 'null'],
    ['nowhere', () => null],
  ];

  it.each(origins)('from %s is refused, and changes nothing', async (_, origin) => {
    const merchant = newMerchant();
    const { browser, memberId } = await backoffice.member('admin', merchant);
    const { token } = await backoffice.invitations.inviteAs(personOf('viewer'), merchant);
    const page = browser.stolenBy(pageAt(origin()));
    expect(await page.post('/api/session/link', { token })).toMatchObject(FORGED);
    expect(await page.post('/api/invitations', { ...personOf('viewer') })).toMatchObject(FORGED);
    expect(await page.patch(`/api/members/${memberId}`, { role: 'viewer' })).toMatchObject(FORGED);
    expect(await page.delete(`/api/members/${memberId}`)).toMatchObject(FORGED);
    expect(await page.delete('/api/sessions')).toMatchObject(FORGED);
    expect((await browser.get('/api/session')).status).toBe(200);
    expect(await backoffice.actsOf(memberId)).toEqual(['signed-in']);
    await backoffice.browser().signIn(token);
  });

  it('takes JSON alone: what a form can send is no body', async () => {
    const { browser } = await backoffice.member('admin', newMerchant());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(
        await browser.ask('POST', '/api/invitations', { body: '{}', headers: { 'content-type': type } }),
      ).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('each answer', () => {
  it.each([
    ['a page', '/', 200],
    ['the session', '/api/session', 401],
    ['a path that is none', '/api/none', 404],
    ['a file that is none', '/assets/none.js', 404],
    ['its health', '/health/ready', 200],
  ])('lets nothing in that is not of this console: %s', async (_, path, status) => {
    const shown = await backoffice.browser().get(path);
    expect(shown.status).toBe(status);
    const header = (name: string) => shown.headers.get(name) ?? '';
    expect(header('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(header('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(header('content-security-policy')).not.toContain('unsafe');
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('x-frame-options')).toBe('DENY');
    expect(header('referrer-policy')).toBe('no-referrer');
    expect(header('cross-origin-resource-policy')).toBe('same-origin');
    expect(header('access-control-allow-origin')).toBe('');
    expect(header('strict-transport-security')).toBe('');
    expect(header('cache-control')).toBe(path.startsWith('/api/') ? 'no-store' : path === '/' ? 'no-cache' : '');
  });

  it.each(['/', '/link', '/transactions/1'])('to a person who opens %s is a page', async (path) => {
    const shown = await backoffice.browser().get(path, { accept: 'text/html' });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('to whom opens it is the console', async () => {
    const { text } = await backoffice.browser().get('/', { accept: 'text/html' });
    expect(text).toContain('<div id="console">');
  });

  it.each(['/../package.json', '/%2e%2e/package.json', '/api/../../main.js', '/main.js'])(
    'has no file %s',
    async (path) => {
      expect((await backoffice.browser().get(path)).status).toBe(404);
    },
  );
});

describe('behind TLS', () => {
  const ORIGIN = 'https://console.example.com';
  let behind: RunningBackoffice;
  beforeAll(async () => {
    behind = await RunningBackoffice.start({ CONSOLE_ORIGIN: ORIGIN });
  });
  afterAll(() => behind.stop());

  it('the cookie is of this host alone and goes over TLS alone, links name the origin, and browsers keep to TLS', async () => {
    const { token } = await behind.invitations.inviteAs(personOf('admin'), newMerchant());
    const browser = new Browser(behind.url, '198.51.100.7', ORIGIN);
    const { headers } = await browser.signIn(token);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
    const { body } = await browser.post('/api/invitations', personOf('viewer'));
    expect((body as { link: string }).link).toMatch(/^https:\/\/console\.example\.com\/link#/);
    browser.cookie = browser.cookie?.replace('__Host-', '');
    expect((await browser.get('/api/session')).status).toBe(401);
  });

  it('takes nothing from the address that it listens on', async () => {
    const browser = new Browser(behind.url, '198.51.100.7');
    expect(await browser.post('/api/session/link', { token: 'x' })).toMatchObject(FORGED);
  });
});
