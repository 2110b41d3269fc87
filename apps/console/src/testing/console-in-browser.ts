/** The console in a real browser, before a back office that answers from memory: what the specifications of screens share. */
import { accessibilityFaults, startBrowser, watch } from '@stablecoin/testing/browser';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Session } from '../api/client';
import { type Answers, StubBackOffice } from './stub-back-office';
import { SESSION } from './stub-content';

const FIRST_LOAD_MAX = 200 * 1024;
const NEXT_SCREEN_MAX = 60 * 1024;
/** What a screen that never comes costs: on a machine that is busy, one that comes has taken more than ten seconds. */
const STEP_MAX_MS = 30_000;
/** A folder for pictures of every screen, for people to look at. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const WIDTHS = [1280, 390];
const THEMES = ['light', 'dark'] as const;

export interface Screen {
  name: string;
  path: string;
  heading: string;
  prepare?: () => void;
  /** What a person does before it is looked at. */
  act?: (page: Page) => Promise<void>;
}

export class ConsoleInBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly stub: StubBackOffice,
    private readonly browser: Browser,
  ) {}

  static async start(ofScreen: Answers = {}): Promise<ConsoleInBrowser> {
    const stub = await StubBackOffice.start(ofScreen);
    try {
      if (PICTURES !== undefined && !existsSync(PICTURES)) mkdirSync(PICTURES, { recursive: true });
      return new ConsoleInBrowser(stub, await startBrowser());
    } catch (error) {
      await stub.stop();
      throw error;
    }
  }

  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.newPage({ timezoneId: 'Africa/Lagos', locale: 'en-GB', ...options });
    await page.goto(`${this.stub.origin}${path}`);
    return page;
  }

  /** That next time a request is answered so. */
  refuse(asked: string, status: number, message = 'It was refused.'): void {
    this.stub.state.refusals.set(asked, { status, code: 'refused', message });
  }

  signedInAs(role: Session['role'], over: Partial<Session> = {}): void {
    this.stub.state.session = { ...SESSION, role, ...over };
  }

  /** In light and in dark: no accessibility fault, and nothing wider than the window. */
  async expectSound({ name, path, heading, prepare, act }: Screen, width: number): Promise<void> {
    prepare?.();
    const page = await this.open(path, { viewport: { width, height: width === 390 ? 844 : 900 } });
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await act?.(page);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const picture = `${name}-${colorScheme}-${width}.png`;
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${picture}`, fullPage: true });
      expect(await accessibilityFaults(page, colorScheme)).toEqual([]);
    }
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
  }

  /**
   * What is sent for the first screen and for each step from there, compressed, is within the console's bounds, and nothing is
   * complained of.
   */
  async expectLight(
    path: string,
    begins: (page: Page) => Promise<void>,
    steps: readonly ((page: Page) => Promise<void>)[],
  ): Promise<void> {
    const page = await this.newPage();
    const { complaints } = watch(page);
    const total = () => this.stub.state.sent.map(gzippedSize).reduce((sum, size) => sum + size, 0);
    await page.goto(`${this.stub.origin}${path}`, { waitUntil: 'networkidle' });
    await begins(page);
    let before = total();
    expect(before).toBeLessThanOrEqual(FIRST_LOAD_MAX);
    for (const step of steps) {
      await step(page);
      await page.waitForLoadState('networkidle');
      expect(total() - before).toBeLessThanOrEqual(NEXT_SCREEN_MAX);
      before = total();
    }
    expect(complaints).toEqual([]);
  }

  /** Between two tests. What a page asks for and the stub does not know would pass for a thing that is not there. */
  async reset(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
    const { unexpected } = this.stub.state;
    this.stub.reset();
    expect(unexpected).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stub.stop();
  }

  private async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext(options);
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MAX_MS);
    return page;
  }
}

/**
 * Starts the console for the specifications of a file, and declares those that hold for each of its screens.
 *
 * @param ofScreen what the back office answers beside what all screens ask
 */
export function consoleInBrowser(screens: readonly Screen[], ofScreen: Answers = {}): () => ConsoleInBrowser {
  let started: ConsoleInBrowser | undefined;
  const running = () => {
    if (started === undefined) throw new Error('the console did not start');
    return started;
  };
  beforeAll(async () => {
    started = await ConsoleInBrowser.start(ofScreen);
  }, 400_000);
  afterEach(() => started?.reset());
  afterAll(() => started?.stop());
  for (const screen of screens)
    describe(screen.name, () => {
      it.each(WIDTHS)('has no accessibility fault in light or dark, and fits, at %i px', (width) =>
        running().expectSound(screen, width),
      );
    });
  return running;
}

const gzippedSize = (file: string) => gzipSync(readFileSync(file)).length;

/** A device that answers for its person. */
export async function withDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...abilities, automaticPresenceSimulation: true },
  });
}

export async function withPasskey(page: Page): Promise<void> {
  await withDevice(page);
  await page.getByRole('link', { name: 'Your account' }).first().click();
  await page.getByLabel('Name of this device').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('It was added.').waitFor();
}
