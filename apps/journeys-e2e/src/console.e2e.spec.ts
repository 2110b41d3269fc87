/** "Try it" and the samples of every operation, in a real browser, on a stack that was just started. */
import { eventually } from '@stablecoin/testing/eventually';
import type { Browser, Page } from 'playwright-core';
import { newTab, startBrowser } from '@stablecoin/testing/browser';
import { type Operation, OPERATIONS } from './documented-answers';
import { createMerchant } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { SAMPLE_RUNNERS, type SampleRunner } from './sample-runners';

let own: OwnStack;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  own = await startOwnStack({ CHECKPOINT_INTERVAL_MS: '500', LIABILITIES_INTERVAL_MS: '500' });
  ({ origin } = new URL(own.description.base_url));
  browser = await startBrowser();
}, 500_000);
afterAll(async () => {
  await browser?.close();
  await own?.stop();
}, 90_000);

/** Until its script has taken the page over: what is typed before that, the tab does not keep. */
const untilAlive = (page: Page) =>
  // Not by waitForFunction, which looks again from within the page, where its policy forbids what is evaluated.
  eventually('the page is alive', () => page.evaluate<boolean>("'__vue_app__' in document.querySelector('#app')"), {
    timeoutMs: 30_000,
  });

/** One page of the reference after another, with the key of this merchant in its tab. */
class Reader {
  private readonly pages = new Map<string, string>();

  private constructor(
    readonly page: Page,
    private readonly apiKey: string,
  ) {}

  static async with(apiKey: string): Promise<Reader> {
    const context = await browser.newContext();
    const reader = new Reader(await newTab(context, `${origin}/docs/reference/assets`), apiKey);
    await untilAlive(reader.page);
    const links = reader.page.locator('.VPSidebar a[href*="/reference/"]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    for (const href of hrefs) {
      const { pathname, hash } = new URL(href);
      if (hash !== '') reader.pages.set(hash.slice(1), pathname);
    }
    await reader.page.locator('#api-key').fill(apiKey);
    return reader;
  }

  /** The tab's ids: what a sample deletes, the tab does not see. */
  async forgetIds(): Promise<void> {
    await this.page.evaluate("sessionStorage.removeItem('stablecoin-documentation-ids')");
  }

  /** The console of an operation, opened. */
  async console({ operationId }: Operation) {
    const path = this.pages.get(operationId) ?? operationId;
    if (new URL(this.page.url()).pathname !== path) {
      await this.page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
      await untilAlive(this.page);
    }
    expect(await this.page.locator('#api-key').inputValue()).toBe(this.apiKey);
    const console = this.page.locator(`[data-operation=${operationId}]`);
    const details = console.locator('.console');
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
    return console;
  }

  /** The first click: what the console then says. */
  async outcomeOf(operation: Operation): Promise<string> {
    const console = await this.console(operation);
    await console.locator('.send').click();
    await console.locator('.send:enabled').waitFor({ timeout: 30_000 });
    return console.locator('.outcome').innerText();
  }
}

const succeeded = ({ successStatus }: Operation) => new RegExp(`(^|\\n)${successStatus} [A-Z]`);

/** They need a payout that waits, by a policy, and another key than the one that created it. */
const OF_ANOTHER_KEY = ['approvePayout', 'rejectPayout'];
const cases = OPERATIONS.filter(({ operationId }) => !OF_ANOTHER_KEY.includes(operationId)).map(
  (operation) => [operation.operationId, operation] as const,
);

describe('the first click on “Try it” succeeds', () => {
  let reader: Reader;

  describe('in the order of the pages', () => {
    beforeAll(async () => {
      reader = await Reader.with(own.description.api_key);
    }, 60_000);

    it.each(cases)('%s', async (_name, operation) => {
      expect(await reader.outcomeOf(operation)).toMatch(succeeded(operation));
    });
  });

  describe('in the opposite order, of another merchant', () => {
    beforeAll(async () => {
      const { api_key } = await createMerchant([], own.description);
      reader = await Reader.with(api_key);
    }, 60_000);

    // The others have opened its wallet by then.
    it.each(cases.filter(([name]) => name !== 'openWallet').reverse())('%s', async (_name, operation) => {
      expect(await reader.outcomeOf(operation)).toMatch(succeeded(operation));
    });
  });
});

describe('the first click on the approval of a payout', () => {
  it.each(OF_ANOTHER_KEY)('says what to fill in where none waits: %s', async (name) => {
    const { api_key } = await createMerchant([], own.description);
    const reader = await Reader.with(api_key);
    const operation = OPERATIONS.find(({ operationId }) => operationId === name) as Operation;
    expect(await reader.outcomeOf(operation)).toContain('Fill in transaction_id');
  });
});

describe('the console of a live key', () => {
  it('makes nothing to fill in an id, and says what to fill in', async () => {
    const { api_key } = await createMerchant(['--live'], own.description);
    const reader = await Reader.with(api_key);
    const operation = OPERATIONS.find(({ operationId }) => operationId === 'getCustomer') as Operation;
    const sent: string[] = [];
    reader.page.on('request', (request) => sent.push(request.method()));
    expect(await reader.outcomeOf(operation)).toContain('Fill in customerId');
    expect(new Set(sent.filter((method) => method !== 'GET'))).toEqual(new Set());
  });
});

describe.each(SAMPLE_RUNNERS)('the samples run as they are copied: %s', (language, install) => {
  let reader: Reader;
  let runner: SampleRunner;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const { api_key } = await createMerchant([], own.description);
    reader = await Reader.with(api_key);
    runner = await install();
    env = { ...process.env, STABLECOIN_API_KEY: api_key };
  }, 300_000);
  afterAll(() => runner.remove());

  it.each(cases)('%s', async (_name, operation) => {
    const console = await reader.console(operation);
    await console.locator(`.languages input[value=${language}]`).check();
    if ((await console.locator('.fill-in').count()) > 0) {
      await reader.forgetIds();
      await console.locator('.fill-in').click();
      await console.locator('.send:enabled').waitFor({ timeout: 30_000 });
    }
    const choice = console.locator('.console select[id$=-example]');
    const examples = await choice.locator('option').count();
    for (let index = 0; index < Math.max(1, examples); index += 1) {
      if (examples > 1) await choice.selectOption({ index });
      const sample = await console.locator('.samples pre').innerText();
      expect(sample).toContain(own.description.base_url);
      // A proof is there after the next checkpoint: curl prints the refusal, an SDK fails with it.
      await eventually('the sample succeeds', async () => {
        const printed = await runner.run(sample, env);
        expect(printed).not.toContain('"status":"error"');
        return true;
      });
    }
  });
});
