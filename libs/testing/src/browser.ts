import { readFileSync } from 'node:fs';
import { obtainChromium } from './chromium';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/** Real Chromium for the pages that people read. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await obtainChromium();
  // As root, in a container of CI, Chromium has no sandbox of its own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** axe's rules that judge colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What keeps somebody from reading or using the page as it is shown now: one line for each fault. Of a page in the dark only colours are
 * judged, in a third less time: nothing else differs from the page in the light, which is to be looked at as well.
 */
export async function accessibilityFaults(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(AXE);
  const runOnly = colorScheme === 'light' ? {} : { runOnly: { type: 'rule', values: COLOUR_RULES } };
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      interface Violation {
        id: string;
        nodes: { html: string; any: { message: string }[] }[];
      }
      const { violations } = await axe.run(options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
      );
    },
    // What is in order is thousands of elements: telling them takes most of the time.
    { resultTypes: ['violations'], preload: false, ...runOnly },
  );
}

/**
 * Visits all of them side by side, each in the next tab that is free.
 *
 * @returns what is wrong with each that could not be visited: one hides no other
 */
export async function inTabs<Tab, Place>(
  tabs: readonly Tab[],
  places: readonly Place[],
  nameOf: (place: Place) => string,
  visit: (tab: Tab, place: Place) => Promise<void>,
): Promise<string[]> {
  const left = places.values();
  const faults: string[] = [];
  const alongside = async (tab: Tab) => {
    for (const place of left)
      await visit(tab, place).catch((error: unknown) => faults.push(`${nameOf(place)}: ${String(error)}`));
  };
  await Promise.all(tabs.map(alongside));
  return faults;
}

/** What a page asked for, and what it complained of. */
export interface Watched {
  urls: string[];
  complaints: string[];
  transferred(): Promise<number>;
}

export function watch(page: Page): Watched {
  const urls: string[] = [];
  const complaints: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfinished', (request) => {
    const size = transferredBytes(request);
    // A page that closes meanwhile never tells the size: that fails the sum, and no test that doesn't ask for it.
    size.catch(() => undefined);
    sizes.push(size);
  });
  const transferred = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { urls, complaints, transferred };
}

async function transferredBytes(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return responseBodySize + responseHeadersSize;
}

/** A tab that shares nothing with others. */
export async function newTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  return page;
}
