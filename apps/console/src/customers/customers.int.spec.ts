import { eventually } from '@stablecoin/testing/eventually';
import type { Schema } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';
import { BARE, CUSTOMER, FILE } from '../testing/customer-content';
import { CUSTOMER_ID } from '../testing/stub-content';

let customers: readonly Schema<'ShownCustomer'>[] = [];
let file: Schema<'CustomerFile'> = FILE;
beforeEach(() => {
  customers = [
    CUSTOMER,
    { ...BARE, id: '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f82', status: 'closed', kyc_status: 'approved' },
  ];
  file = FILE;
});
const asked: Record<string, unknown>[] = [];
const pagination = { total: 2, page: 1, limit: 50, totalPages: 1 };
const answers: Answers = {
  'GET /api/customers': ({ url }) => {
    const status = url.searchParams.get('status');
    const data = customers.filter((customer) => status === null || customer.status === status);
    return { ...enveloped(data), pagination };
  },
  'GET /api/customers/:id': ({ parts: [id] }) => enveloped(customers.find((customer) => customer.id === id)),
  'GET /api/customers/:id/file': () => enveloped(file),
  // No picture.
  'GET /api/customers/:id/documents/:document/content': () => ({}),
  'POST /api/customers/:id/documents/:document/open': ({ body, parts: [, document_id] }) => {
    asked.push(body);
    return enveloped({ document_id, parts: 1 });
  },
};

const PATH = `/customers/${CUSTOMER_ID}`;
const screens: Screen[] = [
  {
    name: 'customers',
    path: '/customers',
    heading: 'Customers',
    act: (page) => page.getByText('Nneka Obi').first().waitFor(),
  },
  { name: 'customers-none', path: '/customers', heading: 'Customers', prepare: () => (customers = []) },
  {
    name: 'customer',
    path: PATH,
    heading: 'Nneka Obi',
    act: (page) => page.getByText('Valid ids, Front', { exact: true }).waitFor(),
  },
  {
    ...{ name: 'customer-bare', path: PATH, heading: 'Customer' },
    prepare: () => {
      customers = [BARE];
      console().signedInAs('viewer');
    },
    act: (page) => page.getByText('not shown to your role').waitFor(),
  },
  {
    ...{ name: 'customer-reason', path: PATH, heading: 'Nneka Obi' },
    act: async (page) => {
      await page.getByRole('button', { name: 'Open Valid ids, Front' }).click();
      await page.getByRole('heading', { name: 'Open Valid ids, Front?' }).waitFor();
    },
  },
];
const console = consoleInBrowser(screens, answers);

it('filters are the address, and a customer is reached from the list', async () => {
  const page = await console().open('/customers');
  await page.getByLabel('Status').selectOption('closed');
  await page.waitForURL('**/customers?status=closed');
  await page.getByText('0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f82').waitFor();
  await page.getByText('Nneka Obi').waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('');
  await page.getByRole('link', { name: 'Nneka Obi' }).click();
  await page.waitForURL(`**${PATH}`);
  await page.getByText('nneka.obi@example.com').waitFor();
  expect(await page.getByRole('link', { name: 'Wallets' }).last().getAttribute('href')).toContain(CUSTOMER_ID);
});

it('what is searched for is asked whole', async () => {
  const page = await console().open('/customers');
  await page.getByLabel('Whole e-mail, phone or id').fill('nneka.obi@example.com');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/customers?search=nneka.obi%40example.com');
  const isAsked = () => console().stub.state.asked.some((one) => one.includes('search=nneka.obi%40example.com'));
  await eventually('it is asked', isAsked);
});

it('an admin opens a document for a reason, and sees or saves it', async () => {
  const page = await console().open(PATH);
  await page.getByRole('button', { name: 'Open Valid ids, Front' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
  await page.getByRole('button', { name: 'Open the document' }).click();
  const saved = page.getByRole('link', { name: 'Save Valid ids, Front' });
  await saved.waitFor();
  expect(asked.at(-1)).toEqual({ reason: 'case 7' });
  expect(await saved.getAttribute('href')).toBe(
    `/api/customers/${CUSTOMER_ID}/documents/${FILE.documents[0]?.id}/content`,
  );
});

it('what can’t be shown is saved or opened again, and is then asked for again', async () => {
  const page = await console().open(PATH);
  const shown = () => console().stub.state.asked.filter((one) => one.endsWith('/content')).length;
  for (const times of [1, 2]) {
    await page.getByRole('button', { name: 'Open Valid ids, Front' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
    await page.getByRole('button', { name: 'Open the document' }).click();
    await eventually('it is asked for', () => shown() === times);
    await page.getByText('It can’t be shown here').waitFor();
    expect(await page.getByRole('link', { name: 'Save Valid ids, Front' }).isVisible()).toBe(true);
  }
});

it('without the login for it no document is opened here, and it says where', async () => {
  file = { ...FILE, documents_are_shown: false };
  const page = await console().open(PATH);
  await page.getByText('Contents are not shown here').waitFor();
  expect(await page.getByRole('button', { name: /^Open / }).count()).toBe(0);
});

it.each(['viewer', 'developer', 'payer', 'approver'] as const)('a %s opens no document', async (role) => {
  console().signedInAs(role);
  const page = await console().open(PATH);
  await page.getByText('Valid ids, Front', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Open / }).count()).toBe(0);
});

it('a business is shown, of which the service names no person', async () => {
  const noPerson = { first_name: null, middle_name: null, last_name: null, birth_date: null };
  const business_info = { business_name: 'Obi Trading', business_type: null, business_website: null };
  const personal_info = noPerson as unknown as Schema<'ShownCustomer'>['personal_info'];
  customers = [{ ...CUSTOMER, customer_type: 'business', business_info, personal_info }];
  const page = await console().open(PATH);
  await page.getByRole('heading', { name: 'Obi Trading' }).waitFor();
  await page.getByText('nneka.obi@example.com').waitFor();
});

it('each next screen is light', () =>
  console().expectLight('/members', (page) => page.getByRole('heading', { name: 'Members' }).waitFor(), [
    async (page) => {
      await page.getByRole('link', { name: 'Customers' }).first().click();
      await page.getByText('Nneka Obi').last().waitFor();
    },
    async (page) => {
      await page.getByRole('link', { name: 'Nneka Obi' }).click();
      await page.getByText('Valid ids, Front', { exact: true }).waitFor();
    },
  ]));
