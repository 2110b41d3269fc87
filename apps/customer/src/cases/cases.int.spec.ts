/** What the operator's people decide about customers at the console, and documents that people read there. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { decideKyc } from '@stablecoin/contracts/customer/decide-kyc';
import { eraseCustomer } from '@stablecoin/contracts/customer/erase-customer';
import { getCase } from '@stablecoin/contracts/customer/get-case';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { getCustomerFile } from '@stablecoin/contracts/customer/get-customer-file';
import { listCases } from '@stablecoin/contracts/customer/list-cases';
import { openDocument } from '@stablecoin/contracts/customer/open-document';
import { readDocumentPart } from '@stablecoin/contracts/customer/read-document-part';
import { openIdentity } from '@stablecoin/contracts/customer/open-identity';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { listActs, verifyActs } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { commandOf } from '@stablecoin/testing/command-of';
import { asRole } from '@stablecoin/testing/postgres';
import { customerWithDocument, individual, refusalOf, RunningCustomer } from '../testing/running-service';

const OFFICER = { person_id: randomUUID(), member_id: randomUUID() };
const OTHER = { person_id: randomUUID(), member_id: randomUUID() };
const ACTOR = `person ${OFFICER.person_id}, member ${OFFICER.member_id}`;
const PDF = Buffer.concat([Buffer.from('%PDF-1.7 the deed'), randomBytes(500 * 1024)]);

let service: RunningCustomer;
let erasures: string;
beforeAll(async () => {
  erasures = join(mkdtempSync(join(tmpdir(), 'erasures-')), 'erasures.jsonl');
  service = await RunningCustomer.start(({ ownerUrl }) => ({
    ...{ ERASURES_FILE: erasures, KYC_AUTO_APPROVE: 'false' },
    CUSTOMER_COMPLIANCE_DATABASE_URL: asRole(ownerUrl, 'customer_compliance'),
  }));
});
afterAll(() => service.stop());

const underReview = async () => {
  const { merchant_id, customer_id, document_id } = await customerWithDocument(service, PDF);
  return { merchant_id, customer_id, document_id };
};
type Named = Awaited<ReturnType<typeof underReview>>;
const named = ({ merchant_id, customer_id }: Pick<Named, 'merchant_id' | 'customer_id'>) => ({
  merchant_id,
  customer_id,
});
const asked = ({ merchant_id, customer_id }: Named, terms: object) =>
  commandOf({ merchant_id, customer_id, ...OFFICER, reason: 'case 7', ...terms });
const decide = async (customer: Named, kyc_status: string, terms: object = {}) =>
  service.ask(decideKyc, asked(customer, { kyc_status, ...terms }));
const lastAct = async () => (await listActs(service.get(CustomerDatabase), { since: undefined, limit: 1 }))[0];
const eventsOf = ({ customer_id }: Named) =>
  service.sql<{ type: string; data: string }>(
    'SELECT type, data FROM events WHERE resource_id = $1 ORDER BY sequence',
    [customer_id],
  );

it('reviews that wait are listed over all merchants, oldest first, with nothing personal', async () => {
  const [one, other] = [await underReview(), await underReview()];
  const { items, total } = await service.ask(listCases, { limit: 100 });
  const ids = items.map(({ customer_id }) => customer_id);
  expect(total).toBe(items.length);
  expect(ids.indexOf(one.customer_id)).toBeLessThan(ids.indexOf(other.customer_id));
  expect(ids).toContain(one.customer_id);
  const { email } = await service.ask(getCustomer, named(one));
  const shown = JSON.stringify([items, await service.ask(getCase, { customer_id: one.customer_id })]);
  for (const personal of [email, 'Ada', 'Marina']) expect(shown).not.toContain(personal);
  await decide(one, 'approved');
  expect((await service.ask(listCases, { limit: 100 })).total).toBe(total - 1);
  expect(await refusalOf(service.ask(getCase, { customer_id: randomUUID() }))).toBe('not_found');
});

it('a decision is the customer’s status, an event of the merchant’s, and on the record with person and reason', async () => {
  const customer = await underReview();
  await decide(customer, 'approved');
  expect(await service.ask(getCustomer, named(customer))).toMatchObject({ kyc_status: 'approved' });
  const events = await eventsOf(customer);
  expect(events.at(-1)).toMatchObject({
    type: 'customer.updated',
    data: expect.stringContaining('"approved"') as string,
  });
  expect(await lastAct()).toMatchObject({
    ...{ action: 'customers set-kyc-status', actor: ACTOR, reason: 'case 7', customer_id: customer.customer_id },
    details: { kyc_status: 'approved', kyc_status_before: 'under_review' },
  });
  await decide(customer, 'rejected');
  const { kyc_history } = await service.ask(getCustomerFile, named(customer));
  expect(kyc_history.map(({ kyc_status }) => kyc_status)).toEqual(['under_review', 'approved', 'rejected']);
  expect((await verifyActs(service.get(CustomerDatabase))).fault).toBeNull();
});

it('a decision that comes again is taken once', async () => {
  const customer = await underReview();
  const command = asked(customer, { kyc_status: 'approved' });
  expect((await service.ask(decideKyc, command)).replayed).toBe(false);
  const before = await lastAct();
  expect((await service.ask(decideKyc, command)).replayed).toBe(true);
  expect(await lastAct()).toEqual(before);
});

it('whom the screening has hit is not approved', async () => {
  const customer = await underReview();
  await service.sql(
    `INSERT INTO screening_cases (id, screening_id, sealed_hits, opened_by, opened_at)
     VALUES (gen_random_uuid(), $1, 'hits', 'list', now())`,
    [customer.customer_id],
  );
  expect(await refusalOf(decide(customer, 'approved'))).toBe('kyc_status: held');
  await decide(customer, 'rejected');
});

it('a reason names no person, and a customer is its merchant’s', async () => {
  const [customer, other] = [await underReview(), await underReview()];
  for (const reason of ['ask ada@example.com', 'call +234 803 123 4567', ''])
    expect(await refusalOf(decide(customer, 'approved', { reason }))).toMatch(/^reason: /);
  expect(await refusalOf(decide({ ...customer, merchant_id: other.merchant_id }, 'approved'))).toBe('not_found');
});

it('an identity is read after it is on the record', async () => {
  const customer = await underReview();
  const result = await service.ask(getCustomer, named(customer));
  expect(await service.ask(openIdentity, asked(customer, {}))).toEqual({ result });
  expect(await lastAct()).toMatchObject({
    ...{ action: 'customers show --personal-data', actor: ACTOR, reason: 'case 7', customer_id: customer.customer_id },
  });
  const before = await lastAct();
  const unknown = { ...customer, customer_id: randomUUID() };
  expect(await refusalOf(service.ask(openIdentity, asked(unknown, {})))).toBe('not_found');
  expect(await lastAct()).toEqual(before);
});

it('a closed customer is erased, in the file first, and no other', async () => {
  const customer = await underReview();
  const erase = async () => service.ask(eraseCustomer, asked(customer, {}));
  expect(await refusalOf(erase())).toBe('customer: not_closed');
  await service.ask(closeCustomer, commandOf({ merchant_id: customer.merchant_id, customer_id: customer.customer_id }));
  await erase();
  expect(readFileSync(erasures, 'utf8')).toContain(customer.customer_id);
  expect(await lastAct()).toMatchObject({ action: 'customers erase', actor: ACTOR, reason: 'case 7' });
  expect(await refusalOf(service.ask(getCustomer, named(customer)))).toBe('not_found');
  expect(await service.ask(getCase, { customer_id: customer.customer_id })).toMatchObject({
    erased_at: expect.any(String) as string,
  });
  expect(await refusalOf(service.ask(getCustomerFile, named(customer)))).toBe('not_found');
});

describe('a document', () => {
  const part = async (customer: Named, number: number, person = OFFICER) =>
    service.ask(readDocumentPart, { ...customer, ...person, part: number });
  const open = async (customer: Named) =>
    service.ask(openDocument, asked(customer, { document_id: customer.document_id }));

  it('is told of by what it is: its kind and size', async () => {
    const customer = await underReview();
    expect(await service.ask(getCustomerFile, named(customer))).toMatchObject({
      documents_are_shown: true,
      documents: [{ id: customer.document_id, doc_type: 'valid_ids', sub_type: 'front', bytes: PDF.length, url: null }],
    });
  });

  it('is given out to who has opened it, part by part, and to no one else', async () => {
    const customer = await underReview();
    expect(await refusalOf(part(customer, 0))).toBe('not_found');
    expect(await open(customer)).toEqual({ result: { document_id: customer.document_id, parts: 2 } });
    const [first, second] = [await part(customer, 0), await part(customer, 1)];
    expect(first).toMatchObject({ parts: 2, media_type: 'application/pdf' });
    expect(Buffer.concat([first, second].map(({ bytes }) => Buffer.from(bytes, 'base64'))).equals(PDF)).toBe(true);
    expect(await refusalOf(part(customer, 2))).toBe('not_found');
    expect(await refusalOf(part(customer, 0, OTHER))).toBe('not_found');
  });

  it('stands on both records with the person and the reason', async () => {
    const customer = await underReview();
    await open(customer);
    const { customer_id, document_id } = customer;
    const accesses = await service.sql('SELECT * FROM document_accesses WHERE customer_id = $1', [customer_id]);
    expect(accesses).toMatchObject([{ officer: ACTOR, reason: 'case 7', action: 'export', document_id }]);
    expect(await lastAct()).toMatchObject({ action: 'documents export', actor: ACTOR, customer_id, reason: 'case 7' });
  });

  it('is of the customer that is named, and of its merchant', async () => {
    const [customer, other] = [await underReview(), await underReview()];
    expect(await refusalOf(open({ ...customer, document_id: other.document_id }))).toBe('not_found');
    await open(other);
    expect(await refusalOf(part({ ...other, merchant_id: customer.merchant_id }, 0))).toBe('not_found');
    expect(await refusalOf(part({ ...customer, document_id: other.document_id }, 0))).toBe('not_found');
  });

  it('is shown by no service that was given no login for it', async () => {
    const without = await RunningCustomer.start();
    const customer = await customerWithDocument(without, PDF);
    expect(await without.ask(getCustomerFile, named(customer))).toMatchObject({ documents_are_shown: false });
    const command = commandOf({ ...customer, ...OFFICER, reason: 'case 7' });
    expect(await refusalOf(without.ask(openDocument, command))).toBe('not_found');
    await without.stop();
  });
});

it('a customer with no document has no history but its beginning', async () => {
  const merchant_id = await service.newMerchant();
  const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));
  const file = await service.ask(getCustomerFile, { merchant_id, customer_id: result.id });
  expect(file).toMatchObject({ documents: [], kyc_history: [{ kyc_status: 'not_started' }] });
});
