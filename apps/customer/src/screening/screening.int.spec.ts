/** Lists, hits and cases in the customer service's database: what the other services are answered. */
import { createHash, randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { screenMovement, ScreenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { findScreening } from '@stablecoin/contracts/customer/find-screening';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { listActs, recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ListView, ScreeningLists, SuppliedList } from '@stablecoin/customer-store/screening/screening-lists';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';
import { BY, individual, RunningCustomer, refusalOf } from '../testing/running-service';
import { ScreeningOfThePast } from './screening-of-the-past';

const LISTED = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';
const HEADER = 'id,schema,name,aliases,identifiers\n';
const DAY_MS = 86_400_000;

let service: RunningCustomer;
let desk: ScreeningDesk;
let lists: ScreeningLists;
/** The service's own login. */
let app: Client;
let merchant: string;
let now: jest.SpyInstance | undefined;

beforeEach(async () => {
  service = await RunningCustomer.start();
  [desk, lists] = [service.get(ScreeningDesk), service.get(ScreeningLists)];
  merchant = await service.newMerchant('live');
  app = new Client({ connectionString: service.database.url });
  await app.connect();
});
afterEach(async () => {
  now?.mockRestore();
  await app.end();
  await service.stop();
});

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function load(text: string, over: Partial<SuppliedList> = {}): Promise<ListView> {
  const format = text.startsWith(HEADER) ? 'opensanctions-csv' : 'addresses';
  return lists.load({ name: 'ofac', format, maxAgeDays: 7, dated: null, chunks: chunksOf(text), ...over }, BY);
}

const screen = (party: Pick<ScreenMovement, 'address' | 'name'>, over: Partial<ScreenMovement> = {}) =>
  service.ask<ScreenMovement, ScreeningView>(screenMovement, {
    ...{ merchant_id: merchant, movement: 'payout', id: randomUUID(), ...party, ...over },
  });
const decisionOf = async (id: string, party: Pick<ScreenMovement, 'address' | 'name'>) =>
  (await screen(party, { id })).decision;
const openCases = () => desk.cases({ state: 'open', limit: 100 });
const daysLater = (days: number) => {
  now = jest.spyOn(service.clock, 'now').mockImplementation(() => new Date(Date.now() + days * DAY_MS));
};
/** As the job does, until it has nothing more to do. */
async function screenThePast(): Promise<void> {
  while (await service.get(ScreeningOfThePast).pass());
}

describe('a movement', () => {
  it('is clear where no list has its party, and the lists are kept with that', async () => {
    const { sha256 } = await load(`${LISTED}\n`);
    const id = randomUUID();
    const expected = { decision: 'clear', lists: [sha256] };
    expect(await screen({ address: OTHER }, { id })).toEqual(expected);
    expect(await service.ask(findScreening, { merchant_id: merchant, id })).toEqual(expected);
    expect(await openCases()).toEqual([]);
  });

  it('is held by a hit, in whatever case the address is written, until its case is released', async () => {
    const { sha256 } = await load(`${LISTED}\n`);
    const id = randomUUID();
    expect(await screen({ address: LISTED.toLowerCase() }, { id })).toEqual({ decision: 'held', lists: [sha256] });
    expect(await decisionOf(id, { address: LISTED })).toBe('held');
    const [opened, ...further] = await openCases();
    expect(further).toEqual([]);
    expect(opened).toMatchObject({ transaction: id, opened_by: 'screening', hits: [{ list: 'ofac', entry: LISTED }] });
    await desk.decide(opened?.case ?? '', 'released', BY);
    expect(await decisionOf(id, { address: LISTED })).toBe('released');
    expect(await openCases()).toEqual([]);
    expect((await listActs(service.get(CustomerDatabase), { since: undefined, limit: 1 }))[0]).toMatchObject({
      ...{ action: 'screening decide', ...BY, merchant_id: merchant },
      details: { case: opened?.case, decision: 'released', transaction: id },
    });
  });

  it('is rejected for good once its case is, also where the list has gone or is too old', async () => {
    await load(`${LISTED}\n`);
    const id = randomUUID();
    await screen({ address: LISTED }, { id });
    const [opened] = await openCases();
    await desk.decide(opened?.case ?? '', 'rejected', BY);
    expect(await decisionOf(id, { address: LISTED })).toBe('rejected');
    daysLater(8);
    expect(await decisionOf(id, { address: LISTED })).toBe('rejected');
    now?.mockRestore();
    await load(`${OTHER}\n`);
    expect(await decisionOf(id, { address: LISTED })).toBe('rejected');
    await expect(desk.decide(opened?.case ?? '', 'released', BY)).rejects.toThrow('decided already');
  });

  it('is held by a name or an alias, and not by a part of it', async () => {
    await load(`${HEADER}NK-1,Person,José Álvarez,Pepe Alvarez,\nNK-2,CryptoWallet,${LISTED},,\n`);
    expect(await decisionOf(randomUUID(), { name: 'ALVAREZ, Jose' })).toBe('held');
    expect(await decisionOf(randomUUID(), { name: 'Pepe Álvarez' })).toBe('held');
    expect(await decisionOf(randomUUID(), { name: 'José Álvarez Obi' })).toBe('clear');
    expect(await decisionOf(randomUUID(), { name: 'Ada Obi', address: LISTED })).toBe('held');
    expect((await openCases()).map(({ hits }) => hits?.[0]?.entry).sort()).toEqual(['NK-1', 'NK-1', 'NK-2']);
  });

  it('has one case when it is screened twice at once', async () => {
    await load(`${LISTED}\n`);
    const id = randomUUID();
    const both = await Promise.all([screen({ address: LISTED }, { id }), screen({ address: LISTED }, { id })]);
    expect(both.map(({ decision }) => decision)).toEqual(['held', 'held']);
    expect(await openCases()).toHaveLength(1);
  });

  it('is not found for a merchant that is none, and by another merchant', async () => {
    await load(`${LISTED}\n`);
    expect(await refusalOf(screen({ address: OTHER }, { merchant_id: randomUUID() }))).toBe('not_found');
    const id = randomUUID();
    await screen({ address: OTHER }, { id });
    const other = await service.newMerchant('live');
    expect(await refusalOf(service.ask(findScreening, { merchant_id: other, id }))).toBe('not_found');
  });
});

describe('without a list that knows its party', () => {
  it("a live merchant's movement waits, by what is missing, and goes on once it is loaded", async () => {
    const [toAddress, toName] = [randomUUID(), randomUUID()];
    expect(await screen({ address: OTHER }, { id: toAddress })).toEqual({ decision: 'unlisted', lists: [] });
    await load(`${LISTED}\n`);
    expect(await decisionOf(toAddress, { address: OTHER, name: 'Ada Obi' })).toBe('clear');
    expect(await decisionOf(toName, { name: 'Ada Obi' })).toBe('unlisted');
    await load(`${HEADER}NK-1,Person,Somebody Else,,\n`, { name: 'names' });
    expect(await decisionOf(toName, { name: 'Ada Obi' })).toBe('clear');
  });

  it('a list that is older than its limit stops all, and the next one lets them go', async () => {
    await load(`${LISTED}\n`);
    await load(`${OTHER.replace('5', '6')}\n`, { name: 'own', maxAgeDays: 30 });
    const id = randomUUID();
    daysLater(6.9);
    expect(await decisionOf(id, { address: OTHER })).toBe('clear');
    daysLater(7.1);
    expect(await decisionOf(id, { address: OTHER })).toBe('unlisted');
    await load(`${LISTED}\n`);
    expect(await decisionOf(id, { address: OTHER })).toBe('clear');
  });

  it('its age counts from when it was published', async () => {
    await load(`${LISTED}\n`, { dated: new Date(Date.now() - 6 * DAY_MS) });
    expect((await lists.list())[0]).toMatchObject({ is_stale: false });
    daysLater(2);
    expect(await decisionOf(randomUUID(), { address: OTHER })).toBe('unlisted');
    now?.mockRestore();
    await expect(load(`${LISTED}\n`, { dated: new Date(Date.now() - 8 * DAY_MS) })).rejects.toThrow(
      'older than its limit',
    );
  });

  it('a merchant with test keys waits for none, and is held by what there is', async () => {
    const test = await service.newMerchant('test');
    const isScreened = async (merchant_id: string) => (await service.ask(findOwner, { merchant_id })).is_screened;
    expect([await isScreened(test), await isScreened(merchant)]).toEqual([false, true]);
    expect((await screen({ address: LISTED }, { merchant_id: test })).decision).toBe('clear');
    await load(`${LISTED}\n`);
    expect(await isScreened(test)).toBe(true);
    expect((await screen({ address: LISTED }, { merchant_id: test })).decision).toBe('held');
    expect((await screen({ name: 'Ada Obi' }, { merchant_id: test })).decision).toBe('clear');
    daysLater(8);
    expect((await screen({ address: OTHER }, { merchant_id: test })).decision).toBe('clear');
    expect((await screen({ address: LISTED }, { merchant_id: test })).decision).toBe('held');
  });

  it('nobody waits where the operator does not require one', async () => {
    await app.end();
    await service.stop();
    service = await RunningCustomer.start({ SCREENING_REQUIRED_FOR_LIVE: 'false' });
    merchant = await service.newMerchant('live');
    [desk, lists] = [service.get(ScreeningDesk), service.get(ScreeningLists)];
    app = new Client({ connectionString: service.database.url });
    await app.connect();
    const id = randomUUID();
    expect(await screen({ address: LISTED }, { id })).toEqual({ decision: 'clear', lists: [] });
    await load(`${LISTED}\n`);
    expect((await screen({ address: LISTED })).decision).toBe('held');
    await screenThePast();
    expect((await openCases()).map(({ transaction }) => transaction)).toContain(id);
  });
});

describe('a list', () => {
  it('takes the place of the one before in one moment, or not at all', async () => {
    const first = await load(`${LISTED}\n`);
    await expect(load(`${OTHER}\nno address\n`)).rejects.toThrow('line 2: is no address');
    expect((await lists.list()).map(({ sha256 }) => sha256)).toEqual([first.sha256]);
    expect(await decisionOf(randomUUID(), { address: OTHER })).toBe('clear');
    const second = await load(`${OTHER}\n`);
    expect((await lists.list()).map(({ sha256 }) => sha256)).toEqual([second.sha256]);
    expect(await decisionOf(randomUUID(), { address: LISTED })).toBe('clear');
    expect(await decisionOf(randomUUID(), { address: OTHER })).toBe('held');
    expect((await listActs(service.get(CustomerDatabase), { since: undefined, limit: 1 }))[0]).toMatchObject({
      ...{ action: 'screening load', ...BY },
      details: { name: 'ofac', sha256: second.sha256, addresses: 1, names: 0, max_age_days: 7 },
    });
  });

  it('is loaded whole, whatever its size, and its entries go with it', async () => {
    const addresses = Array.from({ length: 5_001 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
    expect(await load(addresses.join('\n'))).toMatchObject({ addresses: 5_001, names: 0, rescan_left: 0 });
    const stored = async () => Number((await service.sql('SELECT count(*) FROM screening_entries'))[0]?.['count']);
    expect(await stored()).toBe(5_001);
    expect(await decisionOf(randomUUID(), { address: addresses[5_000] ?? '' })).toBe('held');
    await load(`${LISTED}\n`);
    await eventually('the former entries are gone', async () => (await stored()) === 1);
  });

  it('is screened by no longer once it is retired', async () => {
    await load(`${LISTED}\n`);
    await lists.retire('ofac', BY);
    expect(await lists.list()).toEqual([]);
    expect(await decisionOf(randomUUID(), { address: LISTED })).toBe('unlisted');
    await expect(lists.retire('ofac', BY)).rejects.toThrow('There is no list ofac');
  });

  it('is held against the past: a hit opens a case, once, for whatever version of the list', async () => {
    await load(`${LISTED}\n`);
    const [id, other] = [randomUUID(), randomUUID()];
    await screen({ address: OTHER }, { id, movement: 'deposit' });
    await screen({ address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }, { id: other });
    await load(`${LISTED}\n${OTHER}\n`);
    await screenThePast();
    const cases = await openCases();
    expect(cases).toMatchObject([
      { transaction: id, movement: 'deposit', opened_by: 'list', hits: [{ entry: OTHER }] },
    ]);
    // What has moved stays as it was.
    expect(await service.ask(findScreening, { merchant_id: merchant, id })).toMatchObject({ decision: 'clear' });
    await load(`${OTHER}\n`);
    await screenThePast();
    expect(await openCases()).toEqual(cases);
    await desk.decide(cases[0]?.case ?? '', 'released', BY);
    await load(`${OTHER}\n# once more\n`);
    await screenThePast();
    expect(await openCases()).toEqual([]);
    expect((await lists.list())[0]).toMatchObject({ rescan_left: 0 });
  });

  it('is held against the past to its end, however little is done at once', async () => {
    // The job would do all of it in one pass.
    await service.get(ScreeningOfThePast).beforeApplicationShutdown();
    await load(`${LISTED}\n`);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of ids) await screen({ address: OTHER }, { id, movement: 'deposit' });
    await load(`${OTHER}\n`);
    while ((await desk.rescan(1)).more);
    expect((await openCases()).map(({ transaction }) => transaction).sort()).toEqual(ids.sort());
  });

  it('is named by the hash of the file that was supplied', async () => {
    const text = `# of the regulator\n${LISTED}\n`;
    expect((await load(text)).sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('that comes before the money has moved holds it', async () => {
    await load(`${LISTED}\n`);
    const id = randomUUID();
    expect(await decisionOf(id, { address: OTHER })).toBe('clear');
    await load(`${OTHER}\n`);
    await screenThePast();
    expect(await decisionOf(id, { address: OTHER })).toBe('held');
    expect(await openCases()).toHaveLength(1);
  });
});

describe('what moved before it was screened', () => {
  it('waits for nothing, and is held against every list that comes', async () => {
    const [before, after] = [randomUUID(), randomUUID()];
    const moved = { moved: true, movement: 'deposit' } as const;
    expect(await screen({ address: LISTED }, { id: before, ...moved })).toEqual({ decision: 'clear', lists: [] });
    await load(`${LISTED}\n`);
    expect((await screen({ address: LISTED }, { id: after, ...moved })).decision).toBe('clear');
    await screenThePast();
    const opened = (await openCases()).map(({ transaction, opened_by }) => [transaction, opened_by]);
    expect(opened.sort()).toEqual(
      [
        [before, 'list'],
        [after, 'list'],
      ].sort(),
    );
  });

  it('stays as it was decided, where it was screened after all', async () => {
    await load(`${LISTED}\n`);
    const id = randomUUID();
    await screen({ address: LISTED }, { id });
    await desk.decide((await openCases())[0]?.case ?? '', 'released', BY);
    await screen({ address: LISTED }, { id });
    expect((await screen({ address: LISTED }, { id, moved: true })).decision).toBe('released');
    expect(await openCases()).toEqual([]);
  });
});

describe('what is kept', () => {
  it('says nothing of the party but to who has its key', async () => {
    await load(`${HEADER}NK-77,Person,Ada Planted Obi,,\n`);
    await screen({ name: 'Ada Planted Obi' });
    const rows = await service.sql('SELECT s.*, c.* FROM screenings s JOIN screening_cases c ON screening_id = s.id');
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/planted|NK-77/i);
    const [opened] = await openCases();
    expect(await desk.showCase(opened?.case ?? '', BY)).toMatchObject({
      party: { name: 'Ada Planted Obi' },
      hits: [{ list: 'ofac', entry: 'NK-77', text: 'Ada Planted Obi' }],
    });
    expect((await listActs(service.get(CustomerDatabase), { since: undefined, limit: 1 }))[0]).toMatchObject({
      ...{ action: 'screening show', ...BY },
    });
  });

  it('says nothing of a customer who was erased, also when the data key is there again', async () => {
    const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant)));
    await load(`${LISTED}\n`);
    await screen({ address: LISTED }, { customer_id: result.id });
    const [opened] = await openCases();
    expect(await desk.showCase(opened?.case ?? '', BY)).toMatchObject({ party: { address: LISTED } });
    await service.sql('UPDATE customers SET erased_at = now() WHERE id = $1', [result.id]);
    expect(await desk.showCase(opened?.case ?? '', BY)).toMatchObject({ party: null, hits: null });
    // What moves for it now is sealed for the merchant, and so stays readable once the key is destroyed again.
    await screen({ address: LISTED }, { customer_id: result.id });
    expect((await openCases()).map(({ hits }) => hits !== null).sort()).toEqual([false, true]);
  });

  it("is not changed by the service's own login, which decides nothing alone", async () => {
    const { list } = await load(`${LISTED}\n`);
    await screen({ address: LISTED });
    const [opened] = await openCases();
    const byOperator = expect.stringMatching(
      /act of the operators' log|stay as they were loaded|begins by being/,
    ) as string;
    const refused = async (text: string) =>
      expect(
        await app.query(text).then(
          () => 'done',
          (error: Error) => error.message,
        ),
      ).toEqual(byOperator);
    await refused(`UPDATE screening_cases SET state = 'released', decided_at = now(), act_number = 1`);
    await refused(`UPDATE screening_lists SET max_age_days = 3650`);
    await refused(`UPDATE screening_lists SET state = 'former'`);
    await refused(`UPDATE screening_lists SET state = 'former', act_number = act_number + 1`);
    await refused(`DELETE FROM screening_entries`);
    await refused(
      `INSERT INTO screening_entries (key, list_id, entry, text) VALUES (decode('00', 'hex'), '${list}', 'x', 'x')`,
    );
    await refused(
      `INSERT INTO screening_cases (id, screening_id, sealed_hits, opened_by, opened_at, state, decided_at, act_number)
       SELECT gen_random_uuid(), screening_id, sealed_hits, opened_by, now(), 'released', now(), 1 FROM screening_cases`,
    );
    await expect(app.query('DELETE FROM screening_cases')).rejects.toThrow('permission denied');
    await expect(app.query('DELETE FROM screenings')).rejects.toThrow('permission denied');
    // An act of another case decides nothing.
    const act = { action: 'screening decide', details: { case: randomUUID(), decision: 'released' } };
    await recordActBefore(service.get(CustomerDatabase), act, BY);
    await refused(
      `UPDATE screening_cases SET state = 'released', decided_at = now(), act_number = (SELECT max(number) FROM operator_acts)`,
    );
    await desk.decide(opened?.case ?? '', 'rejected', BY);
    await refused(`UPDATE screening_cases SET state = 'open', decided_at = NULL, act_number = NULL`);
    await refused(`UPDATE screening_cases SET state = 'released'`);
  });
});
