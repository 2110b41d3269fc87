/** Payouts whose recipients are screened before a rail has them. The lists and the decisions are the customer service's. */
import { randomUUID } from 'node:crypto';
import { QueryBus } from '@nestjs/cqrs';
import { FindPayoutWait } from '@stablecoin/contracts/payout/find-payout-wait';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { ScreeningDecision } from '@stablecoin/contracts/customer/screening-view';
import { resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { PayoutModule } from '../payout.module';
import { RunningPayout, startPayout } from '../testing/running-service';
import { PastPayouts } from './past-payouts';
import { PayoutScreening } from './payout-screening';
import { ProcessWorker } from './process-worker';

const LISTS = ['ab'.repeat(32)];
const WALLET: PayoutDestination = {
  ...{ kind: 'wallet', address: '0x52908400098527886E0F7030069857D2E4169EE7', recipient_name: null },
};
const BANK: PayoutDestination = { kind: 'bank', account_number: '0123456789', recipient_name: 'Ada Obi' };

let nats: OwnNats;
let service: RunningPayout;
let owner: Client;
/** The service's own login. */
let app: Client;
let asked: jest.SpyInstance;

beforeAll(async () => {
  nats = await startOwnNats();
  const settings = { NATS_URL: nats.url, SANDBOX_SETTLE_MS: '50', SANDBOX_RAIL_FOR_LIVE: 'true' };
  service = await startPayout({ imports: [PayoutModule] }, settings);
  asked = jest.spyOn(service.app.get(BusClient), 'call');
  owner = new Client({ connectionString: service.database.ownerUrl });
  app = new Client({ connectionString: service.database.url });
  await Promise.all([owner.connect(), app.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), app.end()]);
  await service.stop();
  await nats.stop();
});

const liveMerchant = () => `11fe0000${randomUUID().slice(8)}`;
const decideOn = (id: string, decision: ScreeningDecision) =>
  service.customer.decisions.set(id, { decision, lists: decision === 'unlisted' ? [] : LISTS });
const screeningsOf = (id: string) => service.customer.screened.filter((request) => request.id === id && !request.moved);
const ended = (id: string, status: 'COMPLETED' | 'FAILED') =>
  eventually(`it is ${status}`, () => service.ledger.statusOf(id) === status);
const railHas = async (id: string) =>
  (await owner.query('SELECT outcome, declined FROM sandbox_rail WHERE reference = $1', [payoutReference(id)])).rows[0];
const waitsFor = async (id: string) => {
  const { merchant_id } = service.ledger.transactions.get(id) as TransactionView;
  const request = Object.assign(new FindPayoutWait(), { merchant_id, id });
  const { waiting_for } = await service.app.get(QueryBus).execute(request);
  return waiting_for as string | null;
};
const isHeld = (id: string) => eventually('it waits', async () => (await waitsFor(id)) === 'screening');
const dueNow = async (id: string) => {
  await owner.query('UPDATE payouts SET next_step_at = now() WHERE id = $1', [id]);
  service.app.get(ProcessWorker).wake();
};
/** What was stated to the ledger with how it ended. */
const statedOf = (id: string): unknown =>
  asked.mock.calls
    .filter(([operation, body]) => operation === resolvePayout && body.transaction === id)
    .map(([, , { evidence }]) => JSON.parse(evidence.text).screening)
    .at(-1);

/** A payout that the ledger has accepted, with what its screening comes to. */
async function payOut(
  decision: ScreeningDecision | undefined,
  { destination = BANK, ...over }: Partial<TransactionView> & { destination?: PayoutDestination } = {},
): Promise<string> {
  const { id, fact } = service.ledger.accept(destination, { merchant_id: liveMerchant(), ...over });
  if (decision !== undefined) decideOn(id, decision);
  await service.ledger.publish(fact);
  return id;
}

it('goes on its way when it is clear, and the ledger learns by which lists', async () => {
  const id = await payOut('clear');
  await ended(id, 'COMPLETED');
  expect(screeningsOf(id)).toMatchObject([{ movement: 'payout', name: 'Ada Obi', address: null }]);
  expect(statedOf(id)).toEqual({ decision: 'clear', lists: LISTS });
  expect(await waitsFor(id)).toBeNull();
});

it('is screened by the address that it goes to', async () => {
  const id = await payOut('clear', { destination: WALLET, network: 'erc20', bank_code: null });
  await eventually('it was screened', () => screeningsOf(id).length > 0);
  expect(screeningsOf(id)[0]).toMatchObject({ address: WALLET.kind === 'wallet' ? WALLET.address : '', name: null });
});

it.each(['held', 'unlisted'] as const)(
  'waits with its money held while it is %s, and no rail has it',
  async (decision) => {
    const id = await payOut(decision);
    await isHeld(id);
    expect(await railHas(id)).toBeUndefined();
    expect(service.ledger.outcomesOf(id)).toEqual([]);
    expect(service.ledger.statusOf(id)).toBe('PENDING');
    decideOn(id, decision === 'held' ? 'released' : 'clear');
    await ended(id, 'COMPLETED');
    await eventually('it waits no more', async () => (await waitsFor(id)) === null);
  },
);

it('fails once compliance has rejected it: the ledger gives its money back, and no rail will ever have it', async () => {
  const id = await payOut('held');
  await isHeld(id);
  decideOn(id, 'rejected');
  await ended(id, 'FAILED');
  expect(service.ledger.outcomesOf(id)).toEqual(['FAILED ok']);
  expect(statedOf(id)).toEqual({ decision: 'rejected', lists: LISTS });
  expect(await railHas(id)).toBeUndefined();
});

it.each([
  ['held', undefined],
  ['unlisted', undefined],
  ['clear', { decision: 'clear', lists: LISTS }],
  ['released', { decision: 'released', lists: LISTS }],
  ['rejected', { decision: 'rejected', lists: LISTS }],
] as const)('states to the ledger what was decided, and no wait: of one that is %s', async (decision, stated) => {
  const id = randomUUID();
  decideOn(id, decision);
  const payout = { id, merchant_id: liveMerchant(), customer_id: null };
  expect(await service.app.get(PayoutScreening).statementOf(payout)).toEqual(stated);
});

it('is not screened for a merchant with test keys that no list concerns', async () => {
  const id = await payOut('held', { merchant_id: randomUUID() });
  await ended(id, 'COMPLETED');
  expect(screeningsOf(id)).toEqual([]);
  expect(statedOf(id)).toBeUndefined();
});

it('is not sent by whatever is written to its row as the service: it is screened again', async () => {
  const id = await payOut('held');
  await isHeld(id);
  for (const change of [
    'waiting_for = NULL',
    "state = 'submitting'",
    "state = 'submitted'",
    "state = 'accepted', attempts = 0",
  ]) {
    const before = screeningsOf(id).length;
    await app.query(`UPDATE payouts SET ${change}, next_step_at = now() WHERE id = $1`, [id]);
    await dueNow(id);
    await eventually('it was screened again', () => screeningsOf(id).length > before);
    await isHeld(id);
    expect(await railHas(id)).toBeUndefined();
  }
  expect(service.ledger.outcomesOf(id)).toEqual([]);
});

it('is told of where it was paid before there was a screening, once, and once more after the upgrade', async () => {
  const ids = await Promise.all([payOut('clear'), payOut('clear', { merchant_id: randomUUID() }), payOut('held')]);
  const [paid, ofTestKeys, held] = ids;
  await Promise.all([ended(paid, 'COMPLETED'), ended(ofTestKeys, 'COMPLETED'), isHeld(held)]);
  const begin = (rounds: number, until: string) =>
    owner.query(
      `UPDATE past_screening SET after = '00000000-0000-0000-0000-000000000000', rounds_left = $1,
      moved_before = now() + $2::interval`,
      [rounds, until],
    );
  const toldOf = async () => {
    const told = service.customer.screened.length;
    while ((await service.app.get(PastPayouts).pass()) === 0);
    return service.customer.screened.slice(told).filter(({ moved, id }) => moved && ids.includes(id));
  };
  await begin(2, '1 hour');
  expect(await toldOf()).toMatchObject([{ id: paid, movement: 'payout', name: 'Ada Obi' }]);
  expect(await toldOf()).toEqual([]);
  await begin(1, '0');
  expect(await toldOf()).toMatchObject([{ id: paid }]);
  await begin(1, '-1 hour');
  expect(await toldOf()).toEqual([]);
});
