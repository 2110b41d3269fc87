/** Payouts that no rail may have until the ledger lets them go. */
import { payoutContentHash } from '@stablecoin/event-chain/payout-content';
import { PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { PayoutModule } from '../payout.module';
import { RunningPayout, startPayout } from '../testing/running-service';

const BANK: PayoutDestination = { kind: 'bank', account_number: '0123456789', recipient_name: 'Ada' };
/** Another spec's service on the same broker would take this one's facts: consumers have one name. */
let nats: OwnNats;
let service: RunningPayout;
let owner: Client;

beforeAll(async () => {
  nats = await startOwnNats();
  service = await startPayout({ imports: [PayoutModule] }, { NATS_URL: nats.url, SANDBOX_SETTLE_MS: '50' });
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
  await nats.stop();
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const rows = async (table: 'payouts' | 'waiting_payouts' | 'sandbox_rail', column: string, value: string) =>
  (await owner.query(`SELECT * FROM ${table} WHERE ${column} = $1`, [value])).rows;
const waitOf = async (id: string) => (await rows('waiting_payouts', 'id', id))[0];
const isWaiting = (id: string) => eventually('it is known as one that waits', () => waitOf(id));
const ended = (id: string, status: 'COMPLETED' | 'FAILED') =>
  eventually(`it is ${status}`, () => service.ledger.statusOf(id) === status);

/** A payout that waits until then. */
function waiting(until: string, over: Partial<TransactionView> = {}) {
  const { id, fact } = service.ledger.accept(BANK, over, 'payout-waiting');
  const [transaction] = fact.transactions;
  if (!transaction) throw new Error('no transaction');
  const told = { ...fact, transactions: [{ ...transaction, waiting: { for: 'approval' as const, until } }] };
  return { id, fact: told };
}

it('reach no rail while they wait, however long, and the ledger is asked when their time comes', async () => {
  const { id, fact } = waiting(inMs(200));
  await service.ledger.publish(fact);
  await eventually('the ledger was asked', () => service.ledger.outcomesOf(id).length > 0);
  expect(service.ledger.outcomesOf(id)).toEqual(['asked invalid_transition']);
  expect(await rows('payouts', 'id', id)).toEqual([]);
  expect(service.ledger.statusOf(id)).toBe('PENDING');
  await owner.query('DELETE FROM waiting_payouts WHERE id = $1', [id]);
});

it('are sent once the ledger lets them go, and known as waiting no more', async () => {
  const { id, fact } = waiting(inMs(100));
  service.ledger.endOfWait.set(id, 'released');
  await service.ledger.publish(fact);
  await ended(id, 'COMPLETED');
  expect(service.ledger.outcomesOf(id)).toEqual(['asked ok', 'COMPLETED ok']);
  expect(await waitOf(id)).toBeUndefined();
});

it('are ended by the ledger where they were not approved in time', async () => {
  const { id, fact } = waiting(inMs(100));
  service.ledger.endOfWait.set(id, 'expired');
  await service.ledger.publish(fact);
  await ended(id, 'FAILED');
  await eventually('it is known as waiting no more', async () => (await waitOf(id)) === undefined);
  expect(service.ledger.outcomesOf(id)).toEqual(['asked ok']);
});

it('are ended once, though the answer was lost', async () => {
  const { id, fact } = waiting(inMs(100));
  service.ledger.endOfWait.set(id, 'released');
  service.ledger.lostAnswers = 1;
  await service.ledger.publish(fact);
  await eventually('the ledger has decided', () => service.ledger.outcomesOf(id).length > 0);
  // The fact is lost with the answer here: the ledger's relay would bring it.
  await service.ledger.publish(service.ledger.factOf('payout-released', id));
  await ended(id, 'COMPLETED');
  expect(service.ledger.outcomesOf(id)).toEqual(['asked ok', 'COMPLETED ok']);
});

it('are not waited for where what came of them is known already, in whatever order facts come', async () => {
  const { id, fact } = waiting(inMs(60_000));
  const released = service.ledger.factOf('payout-released', id);
  await service.ledger.publish(released);
  await ended(id, 'COMPLETED');
  const known = waiting(inMs(60_000));
  await service.ledger.publish(fact, known.fact);
  await isWaiting(known.id);
  expect(await waitOf(id)).toBeUndefined();
});

describe('a payout that was approved', () => {
  const released = (id: string, approval_hash: string) => {
    const fact = service.ledger.factOf('payout-released', id);
    return { ...fact, transactions: fact.transactions.map((each) => ({ ...each, approval_hash })) };
  };
  const hashOf = (id: string) => {
    const { asset_code, ...view } = service.ledger.transactions.get(id) as TransactionView;
    return payoutContentHash({ ...view, currency: asset_code });
  };

  it('is sent when it is what was approved', async () => {
    const { id } = waiting(inMs(60_000));
    await service.ledger.publish(released(id, hashOf(id)));
    await ended(id, 'COMPLETED');
  });

  it('is not sent when its row is another by then', async () => {
    const { id } = waiting(inMs(60_000));
    const hash = hashOf(id);
    const view = service.ledger.transactions.get(id) as TransactionView;
    service.ledger.transactions.set(id, { ...view, amount: '10000.00000000' });
    await service.ledger.publish(released(id, hash));
    const row = await eventually('it was tried', async () => {
      const [found] = await rows('payouts', 'id', id);
      return found?.attempts > 0 && found;
    });
    expect(row).toMatchObject({ state: 'submitting', rail_reference: null });
    expect(await rows('sandbox_rail', 'reference', row.provider_reference)).toEqual([]);
    expect(service.ledger.statusOf(id)).toBe('PENDING');
  });
});
