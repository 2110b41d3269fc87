/** The pages at /docs in a real browser: what a merchant's engineer reads, tries and copies. */
import { testStack } from '@stablecoin/testing/stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityFaults, inTabs, newTab, startBrowser, watch } from '@stablecoin/testing/browser';

const FIRST_VIEW_BYTES_MAX = 300_000;
const PAGES_MIN = 24;
/** Of tabs in which pages are visited side by side. */
const TABS = 3;
const WIDTHS = [
  ['a desktop', 1280],
  ['a phone', 390],
] as const;

const { origin } = new URL(testStack().base_url);
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await startBrowser();
}, 400_000);
afterAll(() => browser?.close());
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
});
afterEach(() => context.close());

/** A tab that shows the first page, and further ones of the same reader. */
async function tabsOf(reader: BrowserContext): Promise<[Page, ...Page[]]> {
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => reader.newPage()));
  return [await newTab(reader, `${origin}/docs/`), ...others];
}

/** Each page in one of the tabs. @returns what keeps a page from being visited */
async function visitAll(
  tabs: readonly [Page, ...Page[]],
  visit: (page: Page, path: string) => Promise<void>,
): Promise<string[]> {
  return inTabs(tabs, await paths(tabs[0]), String, async (page, path) => {
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    await visit(page, path);
  });
}

/** The path of every page, from the list that each page shows. */
const paths = (page: Page): Promise<string[]> =>
  page
    .locator('.VPSidebar a')
    .evaluateAll((links) => [
      ...new Set(links.map((link) => new URL((link as unknown as { href: string }).href).pathname)),
    ]);

describe('the pages', () => {
  it('load little, from this host only, without a complaint of the browser', async () => {
    const page = await context.newPage();
    const watched = watch(page);
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    expect(page.url()).toBe(`${origin}/docs/`);
    expect(await page.locator('h1').innerText()).toContain('Stablecoin Account Service');
    expect(await watched.transferred()).toBeLessThan(FIRST_VIEW_BYTES_MAX);
    const others = (await tabsOf(context)).map((tab) => ({ tab, ...watch(tab) }));
    expect(await visitAll([page, ...others.map(({ tab }) => tab)], () => Promise.resolve())).toEqual([]);
    const all = [watched, ...others];
    expect(all.flatMap(({ complaints }) => complaints)).toEqual([]);
    const urls = all.flatMap(({ urls: of }) => of);
    expect(urls.filter((url) => !url.startsWith(`${origin}/docs`) && url !== `${origin}/`)).toEqual([]);
  }, 120_000);

  it('lead to each other: no link of a page leads nowhere', async () => {
    const tabs = await tabsOf(context);
    const known = new Map<string, Set<string>>();
    const links = new Set<string>();
    const unvisited = await visitAll(tabs, async (tab, path) => {
      const ids = await tab.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
      known.set(path, new Set(ids));
      const hrefs = await tab
        .locator('a[href]')
        .evaluateAll((elements) => elements.map((element) => (element as unknown as { href: string }).href));
      for (const href of hrefs) links.add(href);
    });
    expect(unvisited).toEqual([]);
    const inner = [...links].map((href) => new URL(href)).filter((url) => url.origin === origin);
    const leadsNowhere = ({ pathname, hash }: URL) =>
      pathname.startsWith('/docs') &&
      !(known.get(pathname) && (hash === '' || known.get(pathname)?.has(hash.slice(1))));
    expect(inner.filter(leadsNowhere).map(String)).toEqual([]);
    expect(known.size).toBeGreaterThanOrEqual(PAGES_MIN);
  }, 120_000);

  // A tab for each: while a page turns dark, its colours are neither.
  it.each(['light', 'dark'] as const)(
    'have no fault of accessibility on a desktop and a phone in the %s, and no phone scrolls sideways',
    async (colorScheme) => {
      const reader = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
      const faults: string[] = [];
      const unvisited = await visitAll(await tabsOf(reader), async (page, path) => {
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        for (const [name, width] of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const found = await accessibilityFaults(page, colorScheme);
          const sideways = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          const all = [...found, ...(sideways ? ['it scrolls sideways'] : [])];
          faults.push(...all.map((fault) => `${path}, ${name}: ${fault}`));
        }
      });
      await reader.close();
      expect([...unvisited, ...faults]).toEqual([]);
    },
    600_000,
  );

  it('are dark where the reader asks for it, and stay so', async () => {
    const page = await newTab(context, `${origin}/docs/`);
    const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
    expect(await isDark()).toBe(false);
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click();
    expect(await isDark()).toBe(true);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await isDark()).toBe(true);
  });

  it.each([
    ['idempotency', '/docs/guides/retries'],
    ['createBankPayout', '/docs/reference/payouts#createBankPayout'],
    ['rotate', '/docs/reference/webhooks#rotateWebhookSecret'],
  ])('are found by searching for %s', async (words, path) => {
    const page = await newTab(context, `${origin}/docs/`);
    await page.locator('.DocSearch-Button').click();
    await page.locator('.VPLocalSearchBox input').fill(words);
    await page.locator(`.VPLocalSearchBox a[href^="${path}"]`).first().click();
    await page.waitForURL(`${origin}${path}**`);
  });
});

describe('the API key', () => {
  const field = '#api-key';
  const stored = (page: Page, store: string) => page.evaluate(`JSON.stringify(${store})`);

  it('stays in its tab: over a reload, on other pages, and in no other tab', async () => {
    const page = await newTab(context, `${origin}/docs/reference/wallets`);
    await page.locator(field).fill('sk_test_of_one_tab');
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.locator(field).inputValue()).toBe('sk_test_of_one_tab');
    await page.goto(`${origin}/docs/reference/payouts`, { waitUntil: 'networkidle' });
    expect(await page.locator(field).inputValue()).toBe('sk_test_of_one_tab');
    expect(await stored(page, 'localStorage')).not.toContain('sk_test_of_one_tab');
    expect(await context.cookies()).toEqual([]);
    const other = await newTab(context, `${origin}/docs/reference/wallets`);
    expect(await other.locator(field).inputValue()).toBe('');
    expect(await stored(other, 'sessionStorage')).not.toContain('sk_test_of_one_tab');
  });

  it('is asked for before anything is sent, and sent to the API only', async () => {
    const page = await newTab(context, `${origin}/docs/reference/assets`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if ('x-api-key' in request.headers()) sent.push(request.url());
    });
    const tryIt = page.locator('[data-operation=listAssetCodes]');
    await tryIt.locator('.console > summary').click();
    await tryIt.locator('.send').click();
    expect(await tryIt.locator('.says').innerText()).toContain('Enter your API key');
    expect(sent).toEqual([]);
    await page.locator('.api-key button').click();
    await tryIt.locator('.send').click();
    await tryIt.locator('.status').waitFor();
    expect(sent).toEqual([`${origin}/api/asset-codes`]);
  });
});

describe('how they are served', () => {
  const POLICY = /^default-src 'none'; script-src 'self' ('sha256-[\w+/=]+' ?)+; style-src 'self'; /;

  it('pages are looked at anew, what has a hash in its name never', async () => {
    const page = await get('/docs/');
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-security-policy')).toMatch(POLICY);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const again = await get('/docs/', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const hashed = [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(hashed.length).toBeGreaterThan(2);
    for (const path of hashed) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable']);
    }
  });

  it.each(['/docs/', '/docs/reference/customers', '/openapi.json'])(
    '%s is compressed as the client takes it',
    async (path) => {
      const encodings = ['br', 'gzip', 'gzip;q=0, br;q=0', 'identity'];
      const answers = await Promise.all(encodings.map((encoding) => get(path, { 'accept-encoding': encoding })));
      expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null, null]);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(texts).size).toBe(1);
      expect(answers.map(({ headers }) => headers.get('vary'))).toEqual(encodings.map(() => 'accept-encoding'));
    },
  );

  it('what is not there is a page for a person, and the envelope for a program', async () => {
    const page = await newTab(context, `${origin}/docs/guides/nothing`);
    expect(await page.locator('.NotFound').innerText()).toContain('404');
    const envelope = await get('/docs/guides/nothing');
    expect([envelope.status, await envelope.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    expect((await get('/docs/..%2fpackage.json')).status).toBe(404);
  });
});
