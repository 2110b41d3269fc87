/**
 * Each screen of the console as each role, on the whole stack: what it shows of what is there, to whom nothing personal, and that a
 * screen that is not for a role asks for nothing. Every screen is looked at in four views once, by the role that sees most of it; for
 * further roles in one.
 */
import { inTabs, watch } from '@stablecoin/testing/browser';
import type { Page, Response } from 'playwright-core';
import { ConsoleContent, type Personal, PLANTED } from './console-content';
import {
  addPasskey,
  ConsolePages,
  goTo,
  heading,
  invitationFor,
  isReadable,
  provesIt,
  VIEWS,
  withDevice,
} from './console-pages';
import { consoleRoutes } from './console-routes';
import {
  type ConsoleScreen,
  HAS_PASSKEY,
  MEMBER_ROLES,
  OUTSIDE,
  pathOf,
  NO_SCREENS,
  type Role,
  ROLES,
  SCREENS,
  screensOf,
  SEES_PERSONAL,
} from './console-screen-table';

/** Of tabs in which a role's screens are looked at side by side. */
const TABS = 3;
/** Of the frame around each screen: who is signed in, and that something has changed. */
const OF_THE_FRAME = ['/api/session', '/api/sign-in-ways', '/api/live'];

let content: ConsoleContent;
let pages: ConsolePages;

beforeAll(async () => {
  pages = await ConsolePages.start();
  content = await ConsoleContent.start();
}, 500_000);
afterEach(() => pages.closeAll());
afterAll(async () => {
  await pages?.stop();
  await content?.stop();
}, 90_000);

/** What a tab was answered, and what of it is no good. */
interface Tab {
  page: Page;
  origin: string;
  /** Paths below /api, since they were last taken. */
  taken: () => string[];
  /** Of the page, to the browser's console. */
  complaints: string[];
  /** Resolves when what it was answered has been read: a page that is left has its answers no more. */
  answered: () => Promise<void>;
  faults: () => Promise<string[]>;
}

const isOfMember = (role: Role) => (MEMBER_ROLES as readonly Role[]).includes(role);

async function tabOf(page: Page, role: Role): Promise<Tab> {
  const asked: string[] = [];
  const failed: string[] = [];
  const answers = new Set<Promise<void>>();
  const { complaints } = watch(page);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  const isPersonal = async (response: Response, path: string) => {
    // What is live has no end: its events are read with the page.
    if ((await response.headerValue('content-type'))?.startsWith('text/event-stream')) return;
    failed.push(...personalIn(await response.text()).map((name) => `${path} has the ${name}`));
  };
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    if (response.status() >= 400) failed.push(`${response.status()} ${path}`);
    if (SEES_PERSONAL.includes(role) || !path.startsWith('/api/')) return;
    const on = page.url();
    const read = isPersonal(response, path).catch((error: unknown) => {
      // What came in the moment in which the page was left has no text any more.
      if (page.url() === on) failed.push(`${path}: ${String(error)}`);
    });
    answers.add(read);
    void read.then(() => answers.delete(read));
  });
  const { origin } = new URL(page.url());
  const answered = async () => void (await Promise.all(answers));
  const faults = async () => {
    await answered();
    return [...complaints, ...failed];
  };
  return { page, origin, taken: () => asked.splice(0), complaints, answered, faults };
}

const personalIn = (text: string): Personal[] => {
  const shown = text.toLowerCase();
  return (Object.keys(PLANTED) as Personal[]).filter((name) => shown.includes(PLANTED[name].toLowerCase()));
};

async function signIn(role: Role): Promise<Tab[]> {
  const merchantId = isOfMember(role) ? content.merchantId : undefined;
  const first = await pages.open('about:blank');
  await withDevice(first);
  await first.goto(await invitationFor(role, merchantId, content.own.description));
  await heading(first, 'Your account');
  if (HAS_PASSKEY.includes(role)) await addPasskey(first);
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => first.context().newPage()));
  await Promise.all(others.map((page) => page.goto(first.url())));
  return Promise.all([first, ...others].map((page) => tabOf(page, role)));
}

const nameOf = ({ name }: ConsoleScreen) => name;
const seen = new Set<string>();

async function look({ page, origin, answered }: Tab, screen: ConsoleScreen, role: Role): Promise<void> {
  const { name, act, shows, personal = [] } = screen;
  await page.goto(`${origin}${pathOf(content, screen)}`);
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: screen.heading }).waitFor();
  await act?.(page);
  for (const text of shows(content, role)) await main.getByText(text).first().waitFor();
  await page.locator('.spinner').first().waitFor({ state: 'detached' });
  const told = SEES_PERSONAL.includes(role) ? personal : [];
  for (const of of told) await main.getByText(PLANTED[of]).first().waitFor();
  if (!SEES_PERSONAL.includes(role)) expect([name, personalIn(await page.content())]).toEqual([name, []]);
  const isFirst = !seen.has(name);
  seen.add(name);
  await isReadable(page, isFirst ? name : `${name}-${role}`, isFirst ? VIEWS : VIEWS.slice(0, 1));
  await answered();
}

/** Of screens that are not for the role: the address is typed, and nothing is asked for. */
async function isRefused({ page, origin, taken, complaints, answered }: Tab, screen: ConsoleScreen): Promise<void> {
  taken();
  const before = complaints.length;
  await page.goto(`${origin}${pathOf(content, screen)}`);
  await page.getByRole('heading', { level: 1, name: 'Your role does not include this' }).waitFor();
  // That is the one thing that the page complains of, to who reads the browser's console.
  expect(complaints.splice(before)).toEqual([expect.stringContaining('Your role may not do that.')]);
  const { route } = screen;
  expect({ route, asked: taken().filter((path) => !OF_THE_FRAME.includes(path)) }).toEqual({ route, asked: [] });
  await answered();
}

it('the table has a line for each route of the console', () => {
  const routes = consoleRoutes();
  expect(new Set(routes)).toEqual(new Set([...SCREENS.map(({ route }) => route), ...NO_SCREENS, ...OUTSIDE]));
});

it('each thing that is personal is on a screen', () => {
  expect([...new Set(SCREENS.flatMap(({ personal = [] }) => personal))].sort()).toEqual(Object.keys(PLANTED).sort());
});

describe.each(ROLES)('%s', (role) => {
  it('has these screens in the navigation, sees each with what is there, and no other one', async () => {
    const tabs = await signIn(role);
    const links = tabs[0]?.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const named = screensOf(role).flatMap(({ label }) => label ?? []);
    expect([...((await links?.allInnerTexts()) ?? [])].sort()).toEqual([...named].sort());
    const others = SCREENS.filter(({ roles }) => !roles.includes(role));
    const faults = [
      ...(await inTabs(tabs, screensOf(role), nameOf, (tab, screen) => look(tab, screen, role))),
      ...(await inTabs(tabs, others, nameOf, isRefused)),
    ];
    const ofTabs = await Promise.all(tabs.map((tab) => tab.faults()));
    expect([...faults, ...ofTabs.flat()]).toEqual([]);
  }, 240_000);
});

it('a payer pays, another person approves by a passkey, and the payer sees it arrive, proves it and finds it in the CSV', async () => {
  const [page, approver] = await Promise.all(['payer', 'approver'].map(enters));
  if (page === undefined || approver === undefined) throw new Error('two people sign in');
  await goTo(approver, 'Approvals');
  await goTo(page, 'Pay');
  await page.getByRole('combobox', { name: 'From' }).selectOption({ label: 'USD · 2,300.00' });
  await page.getByLabel('Amount in USD').fill('222');
  await page.getByLabel('Recipient', { exact: true }).fill('Efe Ali');
  await page.getByLabel('Account number').fill('0123456789');
  await page.getByLabel('Bank code').fill('011');
  await page.getByRole('button', { name: 'Show what would be sent' }).click();
  await page.getByRole('button', { name: 'Pay with a passkey' }).click();
  await page.getByText('Waits for approval').first().waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.evaluate('globalThis.isSamePage = true');

  const card = approver.getByRole('article', { name: '222.00 USD to Efe Ali' });
  await card.getByRole('button', { name: 'Approve with a passkey' }).click();
  await card.waitFor({ state: 'detached' });
  await heading(page, 'Payout arrived');
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);

  await provesIt(page, await content.publicKey());

  await goTo(page, 'Transactions');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
  expect(csv.split('\r\n').filter((line) => line.startsWith(`${id},`))).toEqual([
    expect.stringMatching(/222\.0+.*COMPLETED|COMPLETED.*222\.0+/),
  ]);
}, 120_000);

/** With a passkey, on a device of the own. */
async function enters(role: string): Promise<Page> {
  const page = await pages.open('about:blank');
  await withDevice(page);
  await page.goto(await invitationFor(role, content.merchantId, content.own.description));
  await addPasskey(page);
  return page;
}
