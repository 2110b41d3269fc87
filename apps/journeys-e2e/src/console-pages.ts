/** The console in a real browser, as people have it: what the journeys through its screens share. */
import { accessibilityFaults, startBrowser } from '@stablecoin/testing/browser';
import { eventually } from '@stablecoin/testing/eventually';
import type { TestStack } from '@stablecoin/testing/stack';
import { existsSync, mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operatorOf } from './merchants';

export const STEP_MAX_MS = 15_000;
/** A folder for pictures of every screen, for people to look at. */
const PICTURES = process.env['CONSOLE_PICTURES'];

export interface View {
  width: 1280 | 390;
  colorScheme: 'light' | 'dark';
}

/** How a screen is looked at: in light and dark, on a desk and on a phone. */
export const VIEWS: readonly View[] = ([1280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** One browser, and the sessions of people in it, each with cookies of its own. */
export class ConsolePages {
  private readonly contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<ConsolePages> {
    if (PICTURES !== undefined && !existsSync(PICTURES)) mkdirSync(PICTURES, { recursive: true });
    return new ConsolePages(await startBrowser());
  }

  async open(address: string): Promise<Page> {
    const context = await this.browser.newContext({ timezoneId: 'Africa/Lagos', locale: 'en-GB' });
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MAX_MS);
    await page.goto(address);
    return page;
  }

  /** Between two tests. */
  async closeAll(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  stop(): Promise<void> {
    return this.browser.close();
  }
}

/** @param merchantId undefined for one of the operator's people */
export async function invitationFor(role: string, merchantId: string | undefined, stack: TestStack): Promise<string> {
  const of = merchantId === undefined ? [] : ['--merchant', merchantId];
  const person = ['--name', 'Bola Ade', '--email', `${role}@example.com`, '--role', role];
  const invited = await operatorOf(stack).run(['people', 'invite', ...of, ...person]);
  return (JSON.parse(invited) as { link: string }).link;
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
export const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** A device that answers for its person as long as the person is seen. */
export async function withDevice(page: Page): Promise<{ isSeen: (isUserVerified: boolean) => Promise<unknown> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const isSeen = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { isSeen };
}

/** On the account, where a person who has none is after the link. */
export async function addPasskey(page: Page, name = 'Laptop'): Promise<void> {
  await heading(page, 'Your account');
  await page.getByLabel('Name of this device').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('It was added.').waitFor();
}

/** No accessibility fault, and nothing wider than the window; with a picture where they are asked for. */
export async function isReadable(page: Page, name: string, views: readonly View[] = VIEWS): Promise<void> {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await page.emulateMedia({ colorScheme });
    if (PICTURES !== undefined)
      await page.screenshot({ path: `${PICTURES}/real-${name}-${colorScheme}-${width}.png`, fullPage: true });
    const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    const faults = await accessibilityFaults(page, colorScheme);
    expect({ name, width, colorScheme, faults, beyond: Math.max(0, beyond) }).toEqual({
      ...{ name, width, colorScheme, faults: [], beyond: 0 },
    });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** On the screen of a transaction, by a key that the person has from elsewhere, as soon as a checkpoint covers the transaction. */
export async function provesIt(page: Page, publicKey: string): Promise<void> {
  await page.getByLabel('Public key of the ledger').fill(publicKey);
  await eventually('a checkpoint covers it', async () => {
    await page.getByRole('button', { name: 'Check the proof' }).click();
    return page
      .getByText('is signed with your key')
      .waitFor({ timeout: 2_000 })
      .then(() => true);
  });
  await page.getByText('Amount, currency and status are those shown').waitFor();
}
