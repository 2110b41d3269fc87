/** What people have done, in a real browser. */
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';

type Act = Schema<'Act'>;

const ADA = { member_id: '0190c6f0-0000-7c1e-9d2a-000000000011', name: 'Ada Obi', is_you: true };
const BOLA = { member_id: '0190c6f0-0000-7c1e-9d2a-000000000012', name: 'Bola Ade', is_you: false };
const act = (number: number, over: Partial<Act>): Act => ({
  ...{ number, acted_at: '2026-01-31T09:30:00.000Z', action: 'signed-in', by: ADA, member: null },
  ...{ details: { way: 'passkey' }, reason: null },
  ...over,
});
const ACTS: readonly Act[] = [
  act(9, {
    action: 'payout-rejected',
    by: BOLA,
    details: { transaction_id: 'W4ITINGP4Y' },
    reason: 'Not our supplier',
  }),
  act(8, { action: 'role-changed', member: BOLA, details: { from: 'viewer', to: 'approver' } }),
  act(7, { action: 'member-invited', by: null, member: ADA, details: { role: 'admin' } }),
  act(6, {}),
];
const PAGE = 3;

let acts: readonly Act[];
const ANSWERS: Answers = {
  'GET /api/acts': ({ url: { searchParams: asked } }) => {
    const [before, member] = [Number(asked.get('before') ?? Infinity), asked.get('member_id')];
    const found = acts.filter(({ number, by }) => number < before && (member === null || by?.member_id === member));
    const kept = asked.get('kind') === 'customers' ? [] : found;
    const shown = kept.slice(0, PAGE);
    return enveloped({ earlier: kept.length > PAGE ? (shown.at(-1)?.number ?? null) : null, acts: shown });
  },
};
const ofTwo = () => {
  acts = ACTS;
};
const SCREENS: readonly Screen[] = [
  {
    name: 'activity',
    path: '/activity',
    heading: 'Activity',
    prepare: ofTwo,
    act: (page) => page.getByText('Rejected a payout').waitFor(),
  },
  {
    ...{
      name: 'activity-none',
      path: '/activity?kind=customers',
      heading: 'Nothing of that kind was done',
      prepare: ofTwo,
    },
  },
];
const app: () => ConsoleInBrowser = consoleInBrowser(SCREENS, ANSWERS);
beforeEach(ofTwo);

it('shows what was done, to whom, and why, and what the operator did', async () => {
  const page = await app().open('/activity');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Rejected a payout').getByText('Not our supplier').waitFor();
  await row('Rejected a payout').getByText('W4ITINGP4Y').waitFor();
  await row('Changed a role').getByText('Bola Ade').waitFor();
  await row('Changed a role').getByText('Approver').waitFor();
  await row('Invited a person').getByText('Your operator').waitFor();
});

it('goes back page by page, to the newest, and to what one person or one kind is about', async () => {
  const page = await app().open('/activity');
  await page.getByRole('link', { name: 'Earlier' }).click();
  await page.getByText('Signed in', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?before=7');
  await page.getByRole('link', { name: 'Newest' }).click();
  await page.getByRole('link', { name: 'Bola Ade' }).click();
  await page.getByText('Only by Bola Ade').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'By everyone' }).click();
  await page.getByText('Changed a role').waitFor();
  await page.getByLabel('What').selectOption('customers');
  await page.getByRole('link', { name: 'Show everything' }).click();
  await page.getByText('Changed a role').waitFor();
});

it('is within its bound', () =>
  app().expectLight('/members', (page) => page.getByRole('heading', { name: 'Members' }).waitFor(), [
    (page) => page.getByRole('link', { name: 'Activity' }).click(),
  ]));

it('names people by their id to who may not see names', async () => {
  acts = ACTS.map((each) => ({ ...each, by: each.by && { ...each.by, name: null, is_you: false }, reason: null }));
  app().signedInAs('auditor', { side: 'operator', merchant: null });
  const page = await app().open('/activity');
  await page.getByRole('link', { name: BOLA.member_id }).first().waitFor();
});
