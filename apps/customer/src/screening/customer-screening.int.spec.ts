/** Customers' own names against the lists: when they are registered or renamed, and when a list comes later. */
import { randomUUID } from 'node:crypto';
import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { findScreening } from '@stablecoin/contracts/customer/find-screening';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { listActs } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ScreeningLists } from '@stablecoin/customer-store/screening/screening-lists';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { business, BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { PastCustomers } from './past-customers';
import { ScreeningOfThePast } from './screening-of-the-past';

const OWNER = { first_name: 'Uche', last_name: 'Obi', date_of_birth: '1980-01-31', nationality: 'NG', title: 'CEO' };

let service: RunningCustomer;
let desk: ScreeningDesk;
/** The service's own login. */
let app: Client;
let merchant: string;

beforeEach(async () => {
  service = await RunningCustomer.start();
  desk = service.get(ScreeningDesk);
  merchant = await service.newMerchant('live');
  app = new Client({ connectionString: service.database.url });
  await app.connect();
});
afterEach(async () => {
  await app.end();
  await service.stop();
});

async function load(...names: string[]): Promise<string> {
  const rows = names.map((name, place) => `NK-${place},Person,${name},,\n`);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`id,schema,name,aliases,identifiers\n${rows.join('')}`);
  }
  const supplied = { name: 'un', format: 'opensanctions-csv', maxAgeDays: 7, dated: null, chunks: chunks() } as const;
  return (await service.get(ScreeningLists).load(supplied, BY)).sha256;
}

async function register(fields: object = {}, key_mode: KeyMode = 'live', owner = merchant) {
  return (await service.ask(createIndividualCustomer, commandOf(individual(owner, { key_mode, ...fields })))).result;
}
const found = async (customer_id: string, merchant_id = merchant) =>
  (await service.ask(getCustomer, { merchant_id, customer_id })) as { kyc_status: KycStatus };
const kycOf = async (id: string) => (await found(id)).kyc_status;
const screened = (id: string) => service.ask(findScreening, { merchant_id: merchant, id });
const openCases = () => desk.cases({ state: 'open', limit: 100 });
const approve = (id: string) =>
  new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock)).setKycStatus(
    merchant,
    id,
    'approved',
    BY,
  );
const rename = async (customer_id: string, changes: object) =>
  (await service.ask(updateIndividualCustomer, commandOf({ merchant_id: merchant, customer_id, ...changes }))).result;
/** As the job does, until it has nothing more to do. */
async function screenThePast(): Promise<void> {
  while (await service.get(ScreeningOfThePast).pass());
}
const decideOnly = async (decision: 'released' | 'rejected') => {
  const [opened, ...further] = await openCases();
  expect(further).toEqual([]);
  return desk.decide(opened?.case ?? '', decision, BY);
};

describe('a customer who is registered', () => {
  it('is screened, and the lists are kept with that and with an approval', async () => {
    const sha256 = await load('Somebody Else');
    const { id, kyc_status } = await register();
    expect(kyc_status).toBe('not_started');
    expect(await screened(id)).toEqual({ decision: 'clear', lists: [sha256] });
    await approve(id);
    const [act] = await listActs(service.get(CustomerDatabase), { since: undefined, limit: 1 });
    expect(act).toMatchObject({ action: 'customers set-kyc-status', details: { screened_by: [sha256] } });
  });

  it('with a name that a list has is under review, and approved only after its case is released', async () => {
    const sha256 = await load('obi ADA');
    const { id, kyc_status } = await register();
    expect(kyc_status).toBe('under_review');
    expect(await screened(id)).toEqual({ decision: 'held', lists: [sha256] });
    expect(await openCases()).toMatchObject([
      { movement: 'customer', transaction: id, customer_id: id, opened_by: 'screening', hits: [{ list: 'un' }] },
    ]);
    await expect(approve(id)).rejects.toThrow('A case of the screening stands against this customer');
    const approved = app.query(`UPDATE customers SET kyc_status = 'approved' WHERE id = $1`, [id]);
    await expect(approved).rejects.toThrow('a case of the screening stands against this customer');
    await decideOnly('released');
    expect(await screened(id)).toEqual({ decision: 'released', lists: [sha256] });
    await approve(id);
    // What was decided once counts for the next version of the list.
    await load('Ada Obi', 'Somebody Else');
    await screenThePast();
    expect([await kycOf(id), await openCases()]).toEqual(['approved', []]);
  });

  it('whose case is rejected is rejected, and approved no more under another name', async () => {
    await load('Ada Obi');
    const { id } = await register();
    await decideOnly('rejected');
    expect([await kycOf(id), (await screened(id)).decision]).toEqual(['rejected', 'rejected']);
    const changes = await service.ask(listEvents, { merchant_id: merchant, limit: 10 });
    expect(JSON.stringify(changes)).toContain('"kyc_status":"rejected"');
    await rename(id, { first_name: 'Grace' });
    await expect(approve(id)).rejects.toThrow('A case of the screening stands');
    // A further hit opens a case, and the customer stays rejected.
    await load('Ada Obi', 'Grace Obi');
    await screenThePast();
    expect([await kycOf(id), (await screened(id)).decision, await openCases()]).toMatchObject([
      'rejected',
      'rejected',
      [{}],
    ]);
  });

  it('is found by the middle name too', async () => {
    await load('Ada Ngozi Obi');
    expect((await register({ middle_name: 'Ngozi' })).kyc_status).toBe('under_review');
    expect((await register({ email: 'b@example.com', phone: '+2348000000002' })).kyc_status).toBe('not_started');
  });

  it('is not approved by the sandbox either', async () => {
    await load('Ada Obi');
    const other = await service.newMerchant('test');
    const { kyc_status } = await register({}, 'test', other);
    expect(kyc_status).toBe('under_review');
  });
});

describe('a business', () => {
  it.each([
    ['its name', { business_name: 'Zuma Works' }],
    ['its trading name', { trading_name: 'Zuma Works' }],
    ["an owner's name", { business_owners: [{ ...OWNER, first_name: 'Zuma', last_name: 'Works' }] }],
  ])('is under review by %s', async (_what, fields) => {
    await load('Zuma Works');
    const body = business(merchant, { key_mode: 'live' });
    const { id, kyc_status } = (await service.ask(createBusinessCustomer, commandOf(body))).result;
    expect(kyc_status).toBe('not_started');
    await approve(id);
    const command = commandOf({ merchant_id: merchant, customer_id: id, ...fields });
    expect((await service.ask(updateBusinessCustomer, command)).result.kyc_status).toBe('under_review');
    expect(await openCases()).toMatchObject([{ transaction: id, opened_by: 'screening' }]);
  });
});

describe('a customer who is renamed', () => {
  it('is screened by the new name, and stays under review when the old one comes back', async () => {
    await load('Grace Obi');
    const { id } = await register();
    await approve(id);
    expect((await rename(id, { first_name: 'Grace' })).kyc_status).toBe('under_review');
    expect((await rename(id, { first_name: 'Ada' })).kyc_status).toBe('under_review');
    await expect(approve(id)).rejects.toThrow('A case of the screening stands');
    await decideOnly('released');
    await approve(id);
    expect(await kycOf(id)).toBe('approved');
  });
});

describe('a list that is loaded later', () => {
  it('puts a customer back to review, tells its merchant, and is kept with that', async () => {
    const { id } = await register();
    await approve(id);
    const sha256 = await load('Ada Obi');
    await screenThePast();
    expect(await kycOf(id)).toBe('under_review');
    expect(await screened(id)).toEqual({ decision: 'held', lists: [sha256] });
    expect(await openCases()).toMatchObject([{ transaction: id, opened_by: 'list' }]);
    const { items } = (await service.ask(listEvents, { merchant_id: merchant, limit: 10 })) as {
      items: { type: string }[];
    };
    expect(items.map(({ type }) => type)).toEqual(['customer.updated', 'customer.updated', 'customer.created']);
  });

  it('is held against the name that the customer has now', async () => {
    const { id } = await register();
    await rename(id, { first_name: 'Grace' });
    await load('Ada Obi');
    await screenThePast();
    expect(await openCases()).toEqual([]);
    await load('Grace Obi');
    await screenThePast();
    expect(await openCases()).toMatchObject([{ transaction: id }]);
  });

  it('leaves a rejected and a closed customer as they are, with a case', async () => {
    const [rejected, closed] = [await register(), await register({ email: 'b@example.com', phone: '+2348000000002' })];
    await app.query(`UPDATE customers SET kyc_status = 'rejected' WHERE id = $1`, [rejected.id]);
    await app.query(`UPDATE customers SET kyc_status = 'approved', status = 'closed' WHERE id = $1`, [closed.id]);
    await load('Ada Obi');
    await screenThePast();
    expect([await kycOf(rejected.id), await kycOf(closed.id)]).toEqual(['rejected', 'approved']);
    expect(await openCases()).toHaveLength(2);
  });
});

describe('customers of before', () => {
  const again = () =>
    app.query(`UPDATE past_screening SET after = '00000000-0000-0000-0000-000000000000', rounds_left = 2`);

  it('are held against the lists that there are, and against later ones', async () => {
    const [one, other] = [
      await register(),
      await register({ first_name: 'Grace', email: 'b@example.com', phone: '+2348000000002' }),
    ];
    await service.sql('DELETE FROM screenings');
    await load('Ada Obi');
    await screenThePast();
    expect(await openCases()).toEqual([]);
    await again();
    while ((await service.get(PastCustomers).pass()) === 0);
    expect(await openCases()).toMatchObject([{ transaction: one.id, opened_by: 'list' }]);
    expect([await kycOf(one.id), await kycOf(other.id)]).toEqual(['under_review', 'not_started']);
    await load('Grace Obi');
    await screenThePast();
    expect(await kycOf(other.id)).toBe('under_review');
  });
});

describe('a service that asks for a screening', () => {
  it('changes none of a customer', async () => {
    await load('Ada Obi');
    const { id } = await register();
    const asked = { merchant_id: merchant, movement: 'payout' as const, id, name: 'Somebody Else' };
    expect(await refusalOf(service.ask(screenMovement, asked))).toBe('not_found');
    expect((await screened(id)).decision).toBe('held');
    expect(await refusalOf(service.ask(findScreening, { merchant_id: randomUUID(), id }))).toBe('not_found');
  });

  it('changes none of another merchant', async () => {
    await load('Ada Obi');
    const id = randomUUID();
    const of = (merchant_id: string, name: string) =>
      service.ask(screenMovement, { merchant_id, movement: 'payout', id, name });
    expect((await of(merchant, 'Ada Obi')).decision).toBe('held');
    expect(await refusalOf(of(await service.newMerchant('live'), 'Somebody Else'))).toBe('not_found');
    expect((await screened(id)).decision).toBe('held');
  });

  it('has nothing else screened than payouts, deposits and customers', async () => {
    const { id } = await register();
    const changed = service.sql(`UPDATE screenings SET movement = 'swap' WHERE id = $1`, [id]);
    await expect(changed).rejects.toThrow('nothing is screened as swap');
  });
});
