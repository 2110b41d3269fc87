import type { Schema } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { CUSTOMER, FILE } from '../testing/customer-content';
import { type Answers, enveloped } from '../testing/stub-back-office';
import { CUSTOMER_ID, MERCHANT_ID } from '../testing/stub-content';

const CASE: Schema<'Case'> = {
  ...{ customer_id: CUSTOMER_ID, merchant_id: MERCHANT_ID, customer_type: 'individual', status: 'active' },
  ...{ kyc_status: 'under_review', created_at: '2026-01-20T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' },
  erased_at: null,
};
const PATH = `/cases/${CUSTOMER_ID}`;

let one: Schema<'Case'> = CASE;
let decided: Record<string, unknown>[] = [];
beforeEach(() => {
  [one, decided] = [CASE, []];
  console().signedInAs('compliance', { side: 'operator', merchant: null });
});

const answers: Answers = {
  'GET /api/cases': () => {
    const data = one.kyc_status === 'under_review' ? [one] : [];
    return { ...enveloped(data), pagination: { total: data.length, page: 1, limit: 50, totalPages: 1 } };
  },
  'GET /api/cases/:id': ({ parts: [id] }) => enveloped(id === CUSTOMER_ID ? one : undefined),
  'GET /api/cases/:id/file': () => enveloped(FILE),
  'POST /api/cases/:id/identity': ({ body }) => {
    decided.push(body);
    return enveloped(CUSTOMER);
  },
  'POST /api/cases/:id/decision': ({ body }) => {
    decided.push(body);
    one = { ...one, kyc_status: body['kyc_status'] as Schema<'KycStatus'> };
    return enveloped({});
  },
  'POST /api/cases/:id/erasure': ({ body }) => {
    decided.push(body);
    one = { ...one, erased_at: '2026-01-31T10:00:00.000Z' };
    return enveloped({});
  },
};

const screens: Screen[] = [
  { name: 'cases', path: '/cases', heading: 'Cases', act: (page) => page.getByText(MERCHANT_ID).waitFor() },
  { name: 'cases-none', path: '/cases', heading: 'Cases', prepare: () => (one = { ...CASE, kyc_status: 'approved' }) },
  {
    name: 'case',
    path: PATH,
    heading: 'Case',
    act: (page) => page.getByText('Valid ids, Front', { exact: true }).waitFor(),
  },
  {
    ...{ name: 'case-erasure', path: PATH, heading: 'Case', prepare: () => (one = { ...CASE, status: 'closed' }) },
    act: async (page) => {
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByLabel('The customer’s id, to be sure').waitFor();
    },
  },
  {
    ...{ name: 'case-support', path: PATH, heading: 'Case' },
    prepare: () => console().signedInAs('support', { side: 'operator', merchant: null }),
  },
];
const console = consoleInBrowser(screens, answers);

it('an identity is shown for a reason', async () => {
  const page = await console().open('/cases');
  await page.getByRole('link', { name: CUSTOMER_ID }).click();
  await page.getByText('is read on the record').waitFor();
  expect(await page.getByText('nneka.obi@example.com').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the identity…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByText('nneka.obi@example.com').waitFor();
  expect(decided).toEqual([{ reason: 'case 7' }]);
});

it('a decision has its reason, and shows', async () => {
  const page = await console().open(PATH);
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByRole('button', { name: 'Approve the customer' }).click();
  await page.getByRole('heading', { name: 'Case Approved' }).waitFor();
  expect(decided).toEqual([{ kyc_status: 'approved', reason: 'case 7' }]);
});

it('nothing is erased before the id is typed', async () => {
  one = { ...CASE, status: 'closed' };
  const page = await console().open(PATH);
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByLabel('The customer’s id, to be sure').fill('another');
  await page.getByRole('button', { name: 'Erase for good' }).click();
  expect(decided).toEqual([]);
  await page.getByLabel('The customer’s id, to be sure').fill(CUSTOMER_ID);
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('unreadable for good.').waitFor();
  expect(decided).toEqual([{ reason: 'case 7', confirmed_customer_id: CUSTOMER_ID }]);
});

it('an open customer is not erased, and it says when it can be', async () => {
  const page = await console().open(PATH);
  await page.getByText('once its merchant has closed it').waitFor();
  expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(0);
});

it('what is refused says why', async () => {
  console().refuse(`POST /api/cases/${CUSTOMER_ID}/decision`, 400);
  const page = await console().open(PATH);
  await page.getByRole('button', { name: 'Reject…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByRole('button', { name: 'Reject the customer' }).click();
  await page.getByText('It was refused.').waitFor();
});

it('of two acts that were refused the error is of the last one', async () => {
  one = { ...CASE, status: 'closed' };
  console().refuse(`POST /api/cases/${CUSTOMER_ID}/decision`, 400, 'The first was refused.');
  console().refuse(`POST /api/cases/${CUSTOMER_ID}/erasure`, 400, 'The second was refused.');
  const page = await console().open(PATH);
  await page.getByRole('button', { name: 'Reject…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByRole('button', { name: 'Reject the customer' }).click();
  await page.getByText('The first was refused.').waitFor();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByLabel('The customer’s id, to be sure').fill(CUSTOMER_ID);
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('The second was refused.').waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['The second was refused.']);
});

it('support asks for nothing personal and decides nothing', async () => {
  console().signedInAs('support', { side: 'operator', merchant: null });
  const page = await console().open(PATH);
  await page.getByText(MERCHANT_ID).waitFor();
  expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
  expect(console().stub.state.asked).not.toContain(`GET /api/cases/${CUSTOMER_ID}/file`);
});

it('other people of the operator have no such screen', async () => {
  console().signedInAs('operations', { side: 'operator', merchant: null });
  const page = await console().open('/cases');
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  expect(console().stub.state.asked.some((path) => path.startsWith('GET /api/cases'))).toBe(false);
});

it('each next screen is light', () =>
  console().expectLight('/account', (page) => page.getByRole('heading', { name: 'Your account' }).waitFor(), [
    async (page) => {
      await page.getByRole('link', { name: 'Cases' }).first().click();
      await page.getByText(MERCHANT_ID).waitFor();
    },
    async (page) => {
      await page.getByRole('link', { name: CUSTOMER_ID }).click();
      await page.getByText('Valid ids, Front', { exact: true }).waitFor();
    },
  ]));
