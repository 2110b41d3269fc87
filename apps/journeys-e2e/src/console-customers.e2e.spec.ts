/** Customers at the console: for their merchant's members, and for the compliance officers of the operator. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { PNG } from '@stablecoin/testing/person';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant, operatorOf } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual } from './people';

interface Answer<Data> {
  code?: string;
  data: Data;
}
interface Customer {
  id: string;
  kyc_status: string;
}
interface File {
  documents: { id: string; doc_type: string; bytes: number }[];
  kyc_history: { kyc_status: string }[];
  documents_are_shown: boolean;
}

/** Written nowhere but in what is personal. */
const PLANTED = {
  ...{ first_name: 'Plantedname', last_name: 'Plantedsurname', email: `planted-${randomUUID()}@example.com` },
  ...{ phone: '+2348091234567', street: '77 Planted Road' },
};
const REASON = 'case 4711, asked by Planted Person';
const BYTES = Buffer.from(PNG.split(',')[1] ?? '', 'base64');

let own: OwnStack;
let receiver: WebhookReceiver;
let merchantId: string;
let merchant: Client;
let customerId: string;
let documentId: string;
let officer: ConsoleSession;
let admin: ConsoleSession;
const members = new Map<string, ConsoleSession>();
const as = (role: string) => members.get(role) as ConsoleSession;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', KYC_AUTO_APPROVE: 'false' });
  receiver = await WebhookReceiver.start();
  const created = await createMerchant([], own.description);
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  await dataOf(merchant.post('/webhooks', { url: receiver.url('/') }));
  customerId = (await newCustomer(PLANTED)).id;
  for (const role of ['viewer', 'developer', 'payer', 'approver', 'admin'])
    members.set(role, await ConsoleSession.of(role, merchantId, own.description));
  for (const role of ['support', 'operations', 'compliance', 'auditor'])
    members.set(role, await ConsoleSession.of(role, undefined, own.description));
  [officer, admin] = [as('compliance'), as('admin')];
  documentId = (await read<File>(officer, `/cases/${customerId}/file`)).documents[0]?.id ?? '';
}, 500_000);
afterAll(async () => {
  await receiver?.stop();
  await own?.stop();
}, 90_000);

function newCustomer({ street, ...person }: Partial<typeof PLANTED> = {}): Promise<{ id: string }> {
  const registered_address = { street1: street ?? '1 Road', city: 'Lagos', state: 'Lagos', country: 'NG' };
  const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_image: PNG, doc_country: 'NG' }];
  return createIndividual(merchant, { ...person, registered_address, documents });
}
const read = async <Data>(session: ConsoleSession, path: string) =>
  (JSON.parse((await session.get(path)).text) as Answer<Data>).data;
const kycOf = async (id: string) => (await dataOf(merchant.get<Customer>(`/customers/${id}`))).kyc_status;
const decide = (kyc_status: string, id = customerId, session = officer) =>
  session.post<Answer<object>>(`/cases/${id}/decision`, { kyc_status, reason: 'case 4711' });
const openedBy = (session: ConsoleSession, of: 'cases' | 'customers', reason: string) =>
  session.post<Answer<object>>(`/${of}/${customerId}/documents/${documentId}/open`, { reason });
const contentFor = (session: ConsoleSession, of: 'cases' | 'customers') =>
  session.getBytes(`/${of}/${customerId}/documents/${documentId}/content`);
const rowsOf = async <Row extends object>(name: 'backoffice' | 'customer', statement: string): Promise<Row[]> => {
  const database = new Database({ connectionString: own.description.owner_databases[name] });
  await database.connect();
  const { rows } = await database.query<Row>(statement);
  await database.end();
  return rows;
};

describe("a merchant's members", () => {
  it('who may see it are shown who a customer is, as its keys are', async () => {
    const [shown, asked] = [
      await read(admin, `/customers/${customerId}`),
      await merchant.get(`/customers/${customerId}`),
    ];
    expect(shown).toEqual(asked.body.data);
    expect(JSON.stringify(shown)).toContain(PLANTED.last_name);
  });

  it('are told of documents and the course of the review', async () => {
    expect(await read(as('viewer'), `/customers/${customerId}/file`)).toMatchObject({
      documents: [{ id: documentId, doc_type: 'valid_ids', bytes: BYTES.length, doc_country: null }],
      kyc_history: [{ kyc_status: 'under_review' }],
    });
  });

  it('an admin reads a document on the record, by the passkey and for a reason', async () => {
    expect(await openedBy(admin, 'customers', REASON)).toMatchObject({ status: 409, body: { code: 'no_passkey_yet' } });
    const device = await admin.addPasskey();
    expect(await openedBy(admin, 'customers', REASON)).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    });
    expect((await contentFor(admin, 'customers')).status).toBe(404);
    await admin.stepUp(device);
    expect(await openedBy(admin, 'customers', '')).toMatchObject({ status: 400 });
    expect(await openedBy(admin, 'customers', REASON)).toMatchObject({ status: 200 });
    const { status, bytes, headers } = await contentFor(admin, 'customers');
    expect([status, bytes.equals(BYTES)]).toEqual([200, true]);
    const said = (name: string) => headers.get(name);
    expect([said('content-type'), said('x-content-type-options'), said('cache-control')]).toEqual([
      ...['image/png', 'nosniff', 'no-store'],
    ]);
    expect(said('content-disposition')).toMatch(/^attachment; filename="document-[0-9a-f]{8}\.png"$/);
    expect(said('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
    const accesses = await operatorOf(own.description).run([
      'documents',
      'accesses',
      '--customer',
      customerId,
      '--json',
    ]);
    expect(JSON.parse(accesses)).toMatchObject([
      { officer: expect.stringMatching(/^person /) as string, document_id: documentId },
    ]);
    expect(accesses).not.toContain('Planted');
    const [act] = await rowsOf<{ details: { sealed_reason: string } }>(
      'backoffice',
      `SELECT details FROM acts WHERE action = 'document-read'`,
    );
    expect(act?.details).toMatchObject({ customer_id: customerId, document_id: documentId });
    expect(JSON.stringify(act)).not.toContain('Planted');
  });

  it('no one else reads it: not another role, not another person after it was opened', async () => {
    for (const role of ['viewer', 'developer', 'payer', 'approver']) {
      expect(await openedBy(as(role), 'customers', REASON)).toMatchObject({
        status: 403,
        body: { code: 'not_allowed' },
      });
      expect((await contentFor(as(role), 'customers')).status).toBe(403);
    }
    const second = await ConsoleSession.of('admin', merchantId, own.description);
    expect((await contentFor(second, 'customers')).status).toBe(404);
  });

  it("another merchant's customer is not found, with the bytes of one that does not exist", async () => {
    const another = await createMerchant([], own.description);
    const theirs = await ConsoleSession.of('admin', another.merchant_id, own.description);
    await theirs.stepUp(await theirs.addPasskey());
    const withoutRequest = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
    for (const path of ['', '/file', `/documents/${documentId}/content`]) {
      const [foreign, unknown] = [customerId, randomUUID()].map((id) => theirs.get(`/customers/${id}${path}`));
      expect((await foreign)?.status).toBe(404);
      expect(withoutRequest((await foreign)?.text ?? '')).toBe(withoutRequest((await unknown)?.text ?? ''));
    }
    expect(await openedBy(theirs, 'customers', REASON)).toMatchObject({ status: 404 });
    expect((await theirs.get(`/cases/${customerId}`)).status).toBe(403);
  });
});

describe('compliance', () => {
  it('needs the passkey for what is personal and for what it decides', async () => {
    const bodies: [string, object][] = [
      ['identity', { reason: 'case 4711' }],
      ['decision', { kyc_status: 'approved', reason: 'case 4711' }],
      ['erasure', { confirmed_customer_id: customerId, reason: 'case 4711' }],
      [`documents/${documentId}/open`, { reason: 'case 4711' }],
    ];
    for (const [path, body] of bodies)
      expect(await officer.post<Answer<object>>(`/cases/${customerId}/${path}`, body)).toMatchObject({
        ...{ status: 409, body: { code: 'no_passkey_yet' } },
      });
    await officer.stepUp(await officer.addPasskey());
    for (const [path, body] of bodies)
      expect(
        await officer.post<Answer<object>>(`/cases/${customerId}/${path}`, { ...body, reason: 'ask ada@example.com' }),
      ).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('has all reviews that wait, and reads an identity and a document on the record', async () => {
    const cases = await read<{ customer_id: string; merchant_id: string }[]>(officer, '/cases');
    expect(cases).toMatchObject([{ customer_id: customerId, merchant_id: merchantId }]);
    const { body } = await officer.post<Answer<Record<string, unknown>>>(`/cases/${customerId}/identity`, {
      reason: 'case 4711',
    });
    expect(body.data).toEqual((await merchant.get(`/customers/${customerId}`)).body.data);
    expect((await contentFor(officer, 'cases')).status).toBe(404);
    expect(await openedBy(officer, 'cases', 'case 4711')).toMatchObject({ status: 200 });
    expect((await contentFor(officer, 'cases')).bytes.equals(BYTES)).toBe(true);
  });

  it('decides, as the command does: the status changes and the merchant’s webhooks hear of it', async () => {
    expect(await kycOf(customerId)).toBe('under_review');
    expect(await decide('approved')).toMatchObject({ status: 200 });
    expect(await kycOf(customerId)).toBe('approved');
    await eventually('the merchant hears of it', () =>
      receiver.received.some(({ text }) => {
        const { type, data } = JSON.parse(text) as { type: string; data: { kyc_status?: string } };
        return type === 'customer.updated' && data.kyc_status === 'approved';
      }),
    );
    expect(await read(officer, '/cases')).toEqual([]);
    const history = (await read<File>(admin, `/customers/${customerId}/file`)).kyc_history;
    expect(history.map(({ kyc_status }) => kyc_status)).toEqual(['under_review', 'approved']);
  });

  it('erases a customer that is closed, and whose id was typed', async () => {
    const { id } = await newCustomer();
    const erase = (confirmed_customer_id: string) =>
      officer.post<Answer<object>>(`/cases/${id}/erasure`, { confirmed_customer_id, reason: 'case 4712' });
    expect(await erase(id)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    await dataOf(merchant.post(`/customers/${id}/close`, {}));
    expect(await erase(customerId)).toMatchObject({ status: 400 });
    expect(await erase(id)).toMatchObject({ status: 200 });
    expect((await merchant.get(`/customers/${id}`)).status).toBe(404);
    expect(await read(officer, `/cases/${id}`)).toMatchObject({ erased_at: expect.any(String) as string });
    expect((await officer.get(`/cases/${id}/file`)).status).toBe(404);
  });

  it('each act is on both records, and the chain holds', async () => {
    const actions = ['identity-read', 'document-read', 'kyc-decided', 'customer-erased'];
    const acts = await rowsOf<{ action: string; person_id: string }>(
      'backoffice',
      'SELECT action, person_id FROM acts WHERE merchant_id IS NULL ORDER BY number',
    );
    const [first] = acts.filter(({ action }) => actions.includes(action));
    for (const action of actions) expect(acts.map((act) => act.action)).toContain(action);
    const log = JSON.parse(await operatorOf(own.description).run(['log', '--json'])) as {
      action: string;
      actor: string;
    }[];
    const mine = log.filter(({ actor }) => actor.startsWith(`person ${first?.person_id}`)).map(({ action }) => action);
    for (const action of [
      'customers show --personal-data',
      'documents export',
      'customers set-kyc-status',
      'customers erase',
    ])
      expect(mine).toContain(action);
    expect(JSON.parse(await operatorOf(own.description).run(['log', '--verify', '--json']))).toMatchObject({
      fault: null,
    });
  });
});

describe('what is personal', () => {
  const paths = () => [
    ...['', '/file', `/documents/${documentId}/content`].map((path) => `/customers/${customerId}${path}`),
    ...['', '/file', `/documents/${documentId}/content`].map((path) => `/cases/${customerId}${path}`),
    ...['/customers', `/customers?search=${PLANTED.email}`, '/cases', '/transactions.csv'],
  ];

  it.each(['viewer', 'developer', 'support', 'operations', 'auditor'])('is in no answer to a %s', async (role) => {
    for (const path of paths()) {
      const { text } = await as(role).get(path);
      for (const planted of Object.values(PLANTED)) expect([path, text.includes(planted)]).toEqual([path, false]);
    }
  });

  it('support sees where a review stands, and can change nothing', async () => {
    const support = as('support');
    expect(await read(support, `/cases/${customerId}`)).toMatchObject({
      kyc_status: 'approved',
      merchant_id: merchantId,
    });
    expect((await support.get(`/cases/${customerId}/file`)).status).toBe(403);
    await support.stepUp(await support.addPasskey());
    expect(await decide('rejected', customerId, support)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  it.each(['operations', 'auditor', 'viewer', 'admin'])('a %s has no cases', async (role) => {
    for (const path of ['/cases', `/cases/${customerId}`, `/cases/${customerId}/file`])
      expect((await as(role).get(path)).status).toBe(403);
    expect(await decide('rejected', customerId, as(role))).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
  });

  it('is in no log of a service, nor on a record', async () => {
    const logs = ['backoffice', 'customer'].map((name) => join(own.description.data_dir, 'logs', `${name}.log`));
    const acts = await rowsOf('customer', 'SELECT act FROM operator_acts');
    const texts = [...logs.map((file) => readFileSync(file, 'utf8')), JSON.stringify(acts)];
    for (const planted of [...Object.values(PLANTED), 'Planted Person'])
      expect(texts.some((text) => text.includes(planted))).toBe(false);
  });
});
