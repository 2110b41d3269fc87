/** What the service's own login can't make of lists and of the past: neither of them is passed by. */
import { randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { screenMovement, ScreenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ScreeningLists } from '@stablecoin/customer-store/screening/screening-lists';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { BY, individual, RunningCustomer } from '../testing/running-service';
import { ScreeningOfThePast } from './screening-of-the-past';

const LISTED = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';
const STAY = 'the entries of a list stay as they were loaded';
const BY_AN_ACT = "by an act of the operators' log";
const DENIED = 'permission denied for table screenings';

let service: RunningCustomer;
let desk: ScreeningDesk;
let lists: ScreeningLists;
let app: Client;
let merchant: string;
beforeEach(async () => {
  service = await RunningCustomer.start();
  [desk, lists] = [service.get(ScreeningDesk), service.get(ScreeningLists)];
  // The job would do all of it in one pass.
  await service.get(ScreeningOfThePast).beforeApplicationShutdown();
  merchant = await service.newMerchant('live');
  app = new Client({ connectionString: service.database.url });
  await app.connect();
});
afterEach(async () => {
  await app.end();
  await service.stop();
});

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const load = (chunks: AsyncIterable<Uint8Array>, dated: Date | null = null) =>
  lists.load({ name: 'ofac', format: 'addresses', maxAgeDays: 7, dated, chunks }, BY);
const screen = (over: Partial<ScreenMovement> = {}) =>
  service.ask(screenMovement, {
    ...{ merchant_id: merchant, movement: 'payout' as const, id: randomUUID(), address: LISTED, ...over },
  });
async function casesOfThePast(): Promise<number> {
  while ((await desk.rescan(1)).more);
  return (await desk.cases({ state: undefined, limit: 100 })).length;
}
const tried = (sql: string, values: unknown[] = []) =>
  app.query(sql, values).then(
    () => 'done',
    (error: Error) => error.message,
  );
/** One that no list had when it was screened. */
async function past(over: Partial<ScreenMovement> = {}): Promise<string> {
  await load(chunksOf(`${OTHER}\n`));
  const id = randomUUID();
  await screen({ id, ...over });
  return id;
}
const listIt = () => load(chunksOf(`${OTHER}\n${LISTED}\n`));

describe('the past is held against a new list', () => {
  it.each([
    ['counts as held against it', `UPDATE screening_lists SET rescanned_to = rescan_to WHERE state = 'current'`],
    [
      'does so with a MAC of his own',
      `UPDATE screening_lists SET rescan_proof = rescan_to || '.forged' WHERE state = 'current'`,
    ],
  ])('also where it %s', async (_what, statement) => {
    await past();
    await listIt();
    expect(await tried(statement)).toBe('done');
    expect(await casesOfThePast()).toBe(1);
    expect(await tried(statement)).toBe('done');
    expect(await casesOfThePast()).toBe(1);
    expect((await lists.list())[0]).toMatchObject({ rescan_left: 0 });
  });

  it('by the MAC of that list and that place alone', async () => {
    await past();
    await screen({ address: OTHER });
    await listIt();
    await desk.rescan(1);
    await load(chunksOf(`${LISTED}\n# once more\n`));
    await app.query(
      `UPDATE screening_lists SET rescan_proof = (SELECT rescan_proof FROM screening_lists WHERE rescan_proof IS NOT NULL LIMIT 1)
       WHERE state = 'current'`,
    );
    expect((await lists.list())[0]).toMatchObject({ rescan_left: 1 });
    expect((await desk.rescan(1)).more).toBe(true);
    expect((await lists.list())[0]).toMatchObject({ rescan_left: 1 });
    expect(await casesOfThePast()).toBe(2);
  });

  it('as far as it was when the list became current', async () => {
    await past();
    await listIt();
    expect(await tried(`UPDATE screening_lists SET rescan_to = 0 WHERE state = 'current'`)).toContain(BY_AN_ACT);
  });
});

describe('a screening of the past', () => {
  it.each(['number = -number', 'id = gen_random_uuid()', `movement = 'deposit'`, 'merchant_id = gen_random_uuid()'])(
    'stays what it is: %s',
    async (change) => {
      const id = await past();
      expect(await tried(`UPDATE screenings SET ${change} WHERE id = $1`, [id])).toBe(DENIED);
    },
  );

  it('is not begun at another place of the order', async () => {
    const values = `gen_random_uuid(), -1, 'payout', '${merchant}', '', 'clear', '[]', now()`;
    const columns = 'id, number, movement, merchant_id, sealed_party, decision, lists, screened_at';
    expect(await tried(`INSERT INTO screenings (${columns}) VALUES (${values})`)).toBe(DENIED);
  });

  it("stays its customer's until he is erased, and is the merchant's then", async () => {
    const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant)));
    const id = await past({ customer_id: result.id });
    const stays = 'a screening stays of the customer of whom it is, until he is erased';
    expect(await tried('UPDATE screenings SET customer_id = gen_random_uuid() WHERE id = $1', [id])).toBe(stays);
    expect(await tried('UPDATE screenings SET customer_id = NULL WHERE id = $1', [id])).toBe(stays);
    await service.sql('UPDATE customers SET erased_at = now() WHERE id = $1', [result.id]);
    expect(await screen({ id, customer_id: result.id })).toMatchObject({ decision: 'clear' });
    await listIt();
    expect(await casesOfThePast()).toBe(1);
  });
});

describe('a list that is being loaded', () => {
  async function* around(what: () => Promise<void>): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${LISTED}\n`);
    for (let n = 0; n < 2_100; n += 1) yield Buffer.from(`0x${n.toString(16).padStart(40, '1')}\n`);
    await what();
    yield Buffer.from(`${OTHER}\n`);
  }
  const meanwhile = async (statement: string): Promise<string> => {
    let said = '';
    await load(
      around(async () => {
        said = await tried(statement);
      }),
    );
    expect((await screen()).decision).toBe('held');
    return said;
  };

  it('keeps its entries', async () => {
    expect(await meanwhile(`DELETE FROM screening_entries WHERE text ILIKE '%098b716b%'`)).toBe(STAY);
  });

  it.each([
    `max_age_days = 3650`,
    `dated = '2030-01-01'`,
    `begun_at = now() - interval '2 days'`,
    'rescanned_to = 1000000',
  ])('stays as it was begun: %s', async (change) => {
    expect(await meanwhile(`UPDATE screening_lists SET ${change} WHERE state = 'loading'`)).toContain(BY_AN_ACT);
  });

  it.each([
    ['is gone', `DELETE FROM screening_entries WHERE text ILIKE '%098b716b%'`],
    ['was added', `INSERT INTO screening_entries SELECT '\\x00', list_id, 'x', 'x' FROM screening_entries LIMIT 1`],
  ])('is not taken where an entry %s', async (_what, statement) => {
    await service.sql('ALTER TABLE screening_entries DISABLE TRIGGER screening_entries_stay');
    const loaded = load(around(async () => void (await service.sql(statement))));
    await expect(loaded).rejects.toThrow('Its entries were changed while it was loaded');
    expect(await lists.list()).toEqual([]);
  });

  it('becomes current with the date and the limit that the act says, and no others', async () => {
    const before = await load(chunksOf(`${OTHER}\n`));
    await service.sql('ALTER TABLE screening_lists DISABLE TRIGGER screening_lists_follow_the_log');
    await service.sql(`UPDATE screening_lists SET state = 'loading', max_age_days = 3650`);
    await service.sql('ALTER TABLE screening_lists ENABLE TRIGGER screening_lists_follow_the_log');
    const current = `UPDATE screening_lists SET state = 'current', sha256 = '${before.sha256}'`;
    expect(await tried(current)).toContain(BY_AN_ACT);
  });

  it('is not dated in the future', async () => {
    const dated = new Date(Date.now() + 3_600_000);
    await expect(load(chunksOf(`${OTHER}\n`), dated)).rejects.toThrow('It is dated in the future');
  });
});

describe('what a command was answered', () => {
  const answered = (result: string) =>
    service.sql(
      `INSERT INTO command_results (command_id, merchant_id, input_hash, result) VALUES (gen_random_uuid(), $1, 'hash', $2)`,
      [merchant, result],
    );
  const changed = (result: string) => tried('UPDATE command_results SET result = $1', [result]);

  it('stays', async () => {
    await answered('{"id":"one"}');
    expect(await changed('{"id":"another"}')).toBe('what a command was answered stays, or is sealed');
  });

  it('is replaced by its sealed form alone, where it was stored with a URL', async () => {
    await answered('{"id":"one","url":"https://one"}');
    expect(await changed('{"id":"one","url":"https://another"}')).toContain('stays, or is sealed');
    expect(await changed('{"sealed_answer":"v1.sealed"}')).toBe('done');
  });
});
