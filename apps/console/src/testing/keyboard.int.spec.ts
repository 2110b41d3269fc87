/** A person at the keyboard alone: each thing is reached, and after what a dialog or an act has closed the focus is where one goes on. */
import type { Page } from 'playwright-core';
import type { Schema } from '../api/client';
import { consoleInBrowser } from './console-in-browser';
import { offeredPayout } from './order-content';
import { enveloped } from './stub-back-office';
import { WAITING } from './stub-content';

const KEY_ID = '0190c6f0-7f5b-7c1e-9d2a-0000000000a1';
const KEY = {
  ...{ id: KEY_ID, name: 'Shop', mode: 'test', scopes: ['read'], allowed_addresses: [], last_used_at: null },
  ...{ created_at: '2026-01-20T09:30:00.000Z', expires_at: null, revoked_at: null as string | null },
};
let revoked: string | null = null;
const RUN: Schema<'AuditRun'> = {
  ...{ number: 1, state: 'asked', asked_by: { member_id: 'm', name: null, is_you: true }, asked_at: KEY.created_at },
  ...{ cancelled_at: null, began_at: null, alive_at: null, running_seconds: null, progress: null, ended_at: null },
  failure: null,
};
let runs: (typeof RUN)[] = [];

const running = consoleInBrowser([], {
  'POST /api/payouts/banks/options': ({ body }) => offeredPayout(body),
  'GET /api/keys': () => enveloped({ keys: [{ ...KEY, revoked_at: revoked }], scopes: ['read'] }),
  'POST /api/keys/:id/revoke': ({ parts: [id] }) => {
    revoked = '2026-01-31T10:00:00.000Z';
    return enveloped({ id, revoked_at: revoked });
  },
  'GET /api/audit/runs': () => enveloped({ runner: { is_there: true, alive_at: KEY.created_at }, runs }),
  'POST /api/audit/runs': () => {
    runs = [RUN];
    return enveloped({ number: 1 });
  },
  'POST /api/audit/runs/:number/cancellation': () => {
    runs = [{ ...RUN, state: 'cancelled', cancelled_at: KEY.created_at, ended_at: KEY.created_at }];
    return null;
  },
});
beforeEach(() => {
  [revoked, runs] = [null, []];
});

const TABS_MAX = 60;
/** The name of what has the focus, as it is shown or labelled. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'nothing';
    const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : [];
    return (element.getAttribute('aria-label') ?? label?.innerText ?? (element as HTMLElement).innerText).trim();
  });

/** By the key that a person presses for it, as often as it takes. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by ${TABS_MAX} tabs`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

it('a payout is rejected: the dialog gives the focus back, also where it was refused, and then the heading has it', async () => {
  const path = 'POST /api/payouts/W4ITINGP4Y/reject';
  const page = await running().open('/approvals');
  await page.getByRole('heading', { name: 'to Chidi Okafor' }).waitFor();
  await press(page, 'Reject…');
  expect(await focused(page)).toBe('Reason');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('Reject…');
  running().refuse(path, 409);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Not ours');
  await page.keyboard.press('Enter');
  await page.getByText('It was refused.').waitFor();
  expect(await focused(page)).toBe('Reject…');
  running().stub.state.refusals.clear();
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Reason').inputValue()).toBe('Not ours');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for an approval').waitFor();
  expect(await focused(page)).toBe('Approvals');
});

it('a payout is filled in and reviewed: the review has the focus, and then the amount again', async () => {
  const page = await running().open('/pay');
  await page.getByLabel('Amount in USDC').waitFor();
  for (const [name, text] of [
    ['Amount in USDC', '100'],
    ['Recipient', 'Chidi Okafor'],
    ['Account number', '0123456789'],
    ['Bank code', '011'],
  ] as const) {
    await tabTo(page, name);
    await page.keyboard.type(text);
  }
  running().refuse('POST /api/payouts/banks/options', 422);
  await press(page, 'Show what would be sent');
  await page.getByText('It was refused.').waitFor();
  expect(await focused(page)).toBe('Show what would be sent');
  running().stub.state.refusals.clear();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Pay Chidi Okafor' }).waitFor();
  expect(await focused(page)).toBe('Pay Chidi Okafor');
  await press(page, 'Change it');
  await page.getByLabel('Amount in USDC').waitFor();
  expect(await focused(page)).toBe('Amount in USDC');
});

it('a key is revoked by the same button twice, which keeps the focus where it is refused; then the heading has it', async () => {
  const page = await running().open('/keys');
  await page.getByText('May read').waitFor();
  running().refuse(`POST /api/keys/${KEY_ID}/revoke`, 409);
  await press(page, 'Revoke');
  expect(await focused(page)).toBe('Revoke for good?');
  await page.keyboard.press('Enter');
  await page.getByText('It was refused.').waitFor();
  expect(await focused(page)).toBe('Revoke');
  running().stub.state.refusals.clear();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('One key has ended').waitFor();
  expect(await focused(page)).toBe('API keys');
});

it('a verification is asked for and cancelled: what was pressed keeps the focus, and then its heading has it', async () => {
  running().signedInAs('auditor', { side: 'operator', merchant: null });
  const page = await running().open('/verification');
  await page.getByText('Nothing was verified here yet').waitFor();
  running().refuse('POST /api/audit/runs', 409);
  await press(page, 'Verify now');
  await page.getByText('It was refused.').waitFor();
  expect(await focused(page)).toBe('Verify now');
  running().stub.state.refusals.clear();
  await page.keyboard.press('Enter');
  await page.getByText('It waits for the runner.').waitFor();
  expect(await focused(page)).toBe('Verify now');
  running().refuse('POST /api/audit/runs/1/cancellation', 409);
  await press(page, 'Cancel');
  await page.getByText('It was refused.').waitFor();
  expect(await focused(page)).toBe('Cancel');
  running().stub.state.refusals.clear();
  await page.keyboard.press('Enter');
  await page.getByText('It waits for the runner.').waitFor({ state: 'detached' });
  expect(await focused(page)).toContain('Verification 1');
});

describe('a payout that a colleague decides', () => {
  const PAYOUTS = Array.from({ length: 6 }, (_, number) => ({ ...WAITING, transaction_id: `W4ITINGP${number}Y` }));
  const cards = (page: Page) => page.getByRole('article');
  const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
  async function openedFarDown(): Promise<Page> {
    running().stub.state.waiting = PAYOUTS;
    const page = await running().open('/approvals');
    await cards(page)
      .nth(PAYOUTS.length - 1)
      .waitFor();
    await page.evaluate(() => window.scrollTo(0, 600));
    expect(await scrolled(page)).toBe(600);
    return page;
  }
  async function decidedElsewhere(page: Page): Promise<void> {
    running().stub.state.waiting = PAYOUTS.slice(0, -1);
    running().stub.tell('W4ITINGP5Y');
    await cards(page)
      .nth(PAYOUTS.length - 1)
      .waitFor({ state: 'detached' });
  }

  it('moves nothing where the focus was nowhere', async () => {
    const page = await openedFarDown();
    await decidedElsewhere(page);
    expect([await focused(page), await scrolled(page)]).toEqual(['nothing', 600]);
  });

  it('moves nothing where the focus had left it before', async () => {
    const page = await openedFarDown();
    await cards(page)
      .last()
      .getByRole('link')
      .evaluate((link: HTMLElement) => {
        link.focus({ preventScroll: true });
        link.blur();
      });
    await decidedElsewhere(page);
    expect([await focused(page), await scrolled(page)]).toEqual(['nothing', 600]);
  });

  it('gives the focus that it had to the heading', async () => {
    const page = await openedFarDown();
    await cards(page).last().getByRole('link').focus();
    await decidedElsewhere(page);
    expect(await focused(page)).toBe('Approvals');
  });
});
