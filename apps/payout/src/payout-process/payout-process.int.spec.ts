import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { SimulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import {
  HELD_DEPOSIT,
  SimulatedDepositOutcome,
  SimulateDepositOutcome,
} from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { SimulatedOutcome, SimulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import {
  DEPOSIT_REFERENCE_FIELD,
  PayoutDestination,
  TransactionStatus,
  TransactionView,
} from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { REQUEST_DEADLINE_MS } from '@stablecoin/messaging/request-context';
import { Network } from '@stablecoin/money/currency';
import { sealedIn } from '@stablecoin/personal-data/sealed-text';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';
import { OwnerKeys } from '../owners/owner-keys';
import { PayoutModule } from '../payout.module';
import { PayoutDatabase } from '../persistence/payout-database';
import { SandboxRail } from '../rails/sandbox-rail';
import { RunningPayout, startPayout } from '../testing/running-service';
import { payoutsInFact } from './accepted-payout';
import { DepositConfirmations } from './deposit-confirmations';
import { PayoutStore } from './payout-store';

const SETTLE_MS = 150;
let service: RunningPayout;
let owner: Client;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  service = await startPayout({ imports: [PayoutModule] }, { SANDBOX_SETTLE_MS: String(SETTLE_MS), ...environment });
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
}

async function stop(): Promise<void> {
  await owner.end();
  await service.stop();
}

const bank = (account_number: string, recipient_name = 'Ada'): PayoutDestination => ({
  kind: 'bank',
  account_number,
  recipient_name,
});
const wallet = (recipient_name: string | null): PayoutDestination => ({
  kind: 'wallet',
  address: '0x52908400',
  recipient_name,
});
/** Of nothing that the ledger knows. */
const FORGED = { merchant_id: randomUUID(), amount: '1000000.00000000', sealed_destination: 'anything' };
const refuses = (code: Refusal['code']): unknown => expect.objectContaining({ code });

async function payOut(destination: PayoutDestination, over: Partial<TransactionView> = {}): Promise<string> {
  const { id, fact } = service.ledger.accept(destination, over);
  await service.ledger.publish(fact);
  return id;
}

const becomes = (id: string, status: TransactionStatus) =>
  eventually(`payout ${status}`, () => service.ledger.statusOf(id) === status);
const bookOf = async (id: string) => (await owner.query('SELECT * FROM payouts WHERE id = $1', [id])).rows[0];
const bookSays = (id: string, expected: { state: string; due: boolean }) =>
  eventually(`the book says ${JSON.stringify(expected)}`, async () => {
    const row = await bookOf(id);
    return row?.state === expected.state && (row.next_step_at !== null) === expected.due;
  });

function tell(
  id: string,
  outcome: SimulatedOutcome,
  commandId?: string,
  transaction = id,
): Promise<CommandReply<TransactionView>> {
  const { merchant_id } = service.ledger.transactions.get(id) as TransactionView;
  const body = { merchant_id, transaction, outcome, shard: service.ledger.shard };
  return service.app.get(CommandBus).execute(Object.assign(new SimulatePayoutOutcome(), commandOf(body, commandId)));
}

function deposit(more: { reference?: string; network?: Network } = {}): Promise<CommandReply<TransactionView>> {
  const ids = { merchant_id: randomUUID(), wallet_id: randomUUID() };
  const body = { ...ids, amount: '5', shard: service.ledger.shard, ...more };
  return service.app.get(CommandBus).execute(Object.assign(new SimulateDeposit(), commandOf(body)));
}

function tellDeposit(id: string, outcome: SimulatedDepositOutcome): Promise<CommandReply<TransactionView>> {
  const { merchant_id } = service.ledger.transactions.get(id) as TransactionView;
  const body = { merchant_id, id, outcome, shard: service.ledger.shard };
  return service.app.get(CommandBus).execute(Object.assign(new SimulateDepositOutcome(), commandOf(body)));
}

describe('the payout process', () => {
  beforeAll(() => start({}));
  afterAll(stop);

  it.each([
    ['a bank account', bank('0123456789'), {}, ['COMPLETED ok'], 'completed'],
    ["a customer's payout", bank('0123456789'), { customer_id: randomUUID() }, ['COMPLETED ok'], 'completed'],
    ['an account ending 0001', bank('0123450001'), {}, ['FAILED ok'], 'failed'],
    ['an account ending 0002', bank('0123450002'), {}, ['COMPLETED ok', 'REVERSED ok'], 'reversed'],
    ['a wallet', wallet(null), { network: 'erc20' }, ['COMPLETED ok'], 'completed'],
    ['a wallet of sandbox:fail', wallet('sandbox:fail'), { network: 'trc20' }, ['FAILED ok'], 'failed'],
    [
      'a wallet of sandbox:return',
      wallet('sandbox:return'),
      { network: 'solana' },
      ['COMPLETED ok', 'REVERSED ok'],
      'reversed',
    ],
  ] as const)('settles %s', async (_case, destination, over, told, state) => {
    const id = await payOut(destination, over);
    await bookSays(id, { state, due: false });
    expect(service.ledger.outcomesOf(id)).toEqual(told);
    expect(service.ledger.transactions.get(id)?.fiat_reference_id).toBe((await bookOf(id)).rail_reference);
  });

  it.each([[null], [randomUUID()]])(
    'fails a live merchant’s payout, of customer %s, without the rail',
    async (customer_id) => {
      const merchant_id = `11fe0000${randomUUID().slice(8)}`;
      const id = await payOut(bank('0123456789'), { merchant_id, customer_id });
      await bookSays(id, { state: 'failed', due: false });
      expect(service.ledger.outcomesOf(id)).toEqual(['FAILED ok']);
      expect((await owner.query('SELECT 1 FROM sandbox_rail WHERE reference = $1', [`payout-${id}`])).rows).toEqual([]);
    },
  );

  it('holds a payout to an account ending 0009 until its outcome is requested', async () => {
    const id = await payOut(bank('0123450009'));
    await bookSays(id, { state: 'submitted', due: false });
    await delay(3 * SETTLE_MS);
    expect(service.ledger.statusOf(id)).toBe('PENDING');
    const command = randomUUID();
    await expect(tell(id, 'complete', command)).resolves.toMatchObject({
      result: { status: 'COMPLETED' },
      replayed: false,
    });
    await expect(tell(id, 'complete', command)).resolves.toMatchObject({
      result: { status: 'COMPLETED' },
      replayed: true,
    });
    await expect(tell(id, 'fail')).rejects.toEqual(refuses('invalid_transition'));
    await expect(tell(id, 'return')).resolves.toMatchObject({ result: { status: 'REVERSED' } });
    await bookSays(id, { state: 'reversed', due: false });
  });

  it('does nothing more by itself once an outcome was requested by hand', async () => {
    const id = await payOut(bank('0123450002'));
    await eventually('it is known', () => bookOf(id));
    await tell(id, 'complete');
    await delay(4 * SETTLE_MS);
    expect(service.ledger.statusOf(id)).toBe('COMPLETED');
    expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok']);
    expect(await bookOf(id)).toMatchObject({ state: 'completed', next_step_at: null, settled_by_hand: true });
  });

  it('can be given an outcome by hand before its fact has arrived', async () => {
    const { id, fact } = service.ledger.accept(bank('0123456789'));
    await tell(id, 'fail');
    await service.ledger.publish(fact);
    await delay(3 * SETTLE_MS);
    expect(service.ledger.outcomesOf(id)).toEqual(['FAILED ok']);
    expect(await bookOf(id)).toMatchObject({ state: 'failed', next_step_at: null });
  });

  it('handles a fact once, however often it is delivered, and also an end that arrives before its beginning', async () => {
    const { id, fact } = service.ledger.accept(bank('0123456789'));
    await service.ledger.publish(fact, { ...fact, position: fact.position + 1_000_000 });
    await bookSays(id, { state: 'completed', due: false });
    expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok']);

    const late = service.ledger.accept(bank('0123456789'));
    await service.ledger.publish(service.ledger.factOf('payout-completed', late.id), late.fact);
    await bookSays(late.id, { state: 'completed', due: false });
    // Long enough for a payout that was begun after all to be settled.
    await delay(3 * SETTLE_MS);
    expect(await bookOf(late.id)).toMatchObject({ state: 'completed', next_step_at: null });
    expect(service.ledger.outcomesOf(late.id)).toEqual([]);
    // The ledger says that it is completed: it is not sent to the rail, which does not know it.
    const sent = await owner.query('SELECT 1 FROM sandbox_rail WHERE reference = $1', [`payout-${late.id}`]);
    expect(sent.rowCount).toBe(0);
  });

  it('is stored once when its acceptance and its end, by fact and by hand, are stored at the same moment', async () => {
    const store = service.app.get(PayoutStore);
    const database = service.app.get(PayoutDatabase);
    for (let round = 0; round < 20; round++) {
      const payouts = payoutsInFact(service.ledger.accept(bank('0123456789')).fact);
      const byHand = () => Promise.all(payouts.map((payout) => store.closeByHand(payout, 'failed')));
      const byFact = () => store.close(database, payouts, 'failed');
      await Promise.all([store.accept(database, payouts), byFact(), byFact(), byHand(), byHand(), byHand()]);
      expect(await bookOf(payouts[0]?.id ?? '')).toMatchObject({ state: 'failed', next_step_at: null });
    }
  });

  describe('a row that was not stored by this service', () => {
    /** As somebody with the service's login writes it: due, in the ledger or not. */
    async function write(id: string, over: { amount?: string; destinationOf?: string; macOf?: string } = {}) {
      const { merchant_id, amount, sealed_destination } = service.ledger.transactions.get(id) ?? FORGED;
      await owner.query(
        `INSERT INTO payouts (id, transaction_id, merchant_id, shard, rail, bank_code, currency, recipient_currency, amount,
           sealed_destination, provider_reference, state, next_step_at, terms_mac)
         VALUES ($1, $2, $3, $4, 'bank', '058', 'USDT', 'USD', $5,
           coalesce((SELECT sealed_destination FROM payouts WHERE id = $7), $6), $8, 'accepted', now(),
           (SELECT terms_mac FROM payouts WHERE id = $9))`,
        [
          ...[id, 'ABCDEFGHIJ', merchant_id, service.ledger.shard, over.amount ?? amount, sealed_destination],
          ...[over.destinationOf, `payout-${id}`, over.macOf],
        ],
      );
    }
    const isAtTheRail = async (id: string) =>
      (await owner.query('SELECT 1 FROM sandbox_rail WHERE reference = $1', [`payout-${id}`])).rowCount === 1;
    const refused = async () => (await instruments.payout_terms_refused_total.get()).values[0]?.value ?? 0;
    const accepted = (over?: Partial<TransactionView>) => service.ledger.accept(bank('0123456789'), over).id;

    it('is sent when the ledger says the same of it, as one of an older version', async () => {
      const id = accepted();
      await write(id);
      await bookSays(id, { state: 'completed', due: false });
      expect(await isAtTheRail(id)).toBe(true);
    });

    it('is not sent when it has ended in the ledger', async () => {
      const id = accepted({ status: 'FAILED' });
      await write(id);
      await bookSays(id, { state: 'submitting', due: false });
      expect(await isAtTheRail(id)).toBe(false);
    });

    it('is not sent when the service stored it as ended, and it was set back to its beginning', async () => {
      const { id, fact } = service.ledger.accept(bank('0123456789'), { status: 'FAILED' });
      await service.ledger.publish({ ...fact, movement: 'payout-failed' });
      await bookSays(id, { state: 'failed', due: false });
      await owner.query(`UPDATE payouts SET state = 'accepted', next_step_at = now() WHERE id = $1`, [id]);
      await bookSays(id, { state: 'submitting', due: false });
      expect(await isAtTheRail(id)).toBe(false);
    });

    it.each([
      ['of a payout that the ledger does not know', () => randomUUID(), {}],
      ['with a larger amount', accepted, { amount: '1000000' }],
      ['to where another payout goes', accepted, { destinationOf: 'other' }],
      ['with the MAC of another payout', accepted, { amount: '1000000', macOf: 'other' }],
      ['that waits for an approval', () => accepted({ waiting_for: 'approval' }), {}],
    ] as const)('is not sent: %s', async (_case, made, over) => {
      const merchant_id = randomUUID();
      const other = await payOut(bank('0000000000'), { merchant_id });
      await becomes(other, 'COMPLETED');
      const id = made === accepted ? accepted({ merchant_id }) : made();
      const before = await refused();
      const copied = Object.fromEntries(
        Object.entries(over).map(([name, value]) => [name, value === 'other' ? other : value]),
      );
      await write(id, copied);
      await eventually('it is refused', async () => (await refused()) > before);
      expect(await isAtTheRail(id)).toBe(false);
      expect(service.ledger.outcomesOf(id)).toEqual([]);
      await owner.query('DELETE FROM payouts WHERE id = $1', [id]);
    });
  });

  it('goes on when the ledger is back', async () => {
    service.ledger.outages = 3;
    const id = await payOut(bank('0123450002'));
    await becomes(id, 'REVERSED');
    expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok', 'REVERSED ok']);
  });

  it('retries within a second while the ledger is away, and with growing pauses after other failures', async () => {
    const tryAgain = jest.spyOn(service.app.get(PayoutStore), 'tryAgain');
    const pausesOf = (id: string) => tryAgain.mock.calls.flatMap(([of, afterMs]) => (of === id ? [afterMs] : []));
    // A pause still being written would undo what the test writes to the same row.
    const pausesWritten = () => Promise.all(tryAgain.mock.results.map(({ value }) => value));
    service.ledger.outages = 4;
    const heldUp = await payOut(bank('0123456789'));
    await becomes(heldUp, 'COMPLETED');
    expect(pausesOf(heldUp)).toEqual([250, 500, 1_000, 1_000]);

    const lookUp = jest.spyOn(service.app.get(SandboxRail), 'lookUp').mockRejectedValue(new Error('it fails'));
    const failing = await payOut(bank('0123456789'));
    await eventually('it has failed', () => pausesOf(failing).length > 0);
    await pausesWritten();
    await owner.query('UPDATE payouts SET attempts = 20, next_step_at = now() WHERE id = $1', [failing]);
    await eventually('it has failed again', () => pausesOf(failing).includes(10_000));
    await pausesWritten();
    lookUp.mockRestore();
    tryAgain.mockRestore();
    await owner.query('UPDATE payouts SET next_step_at = now() WHERE id = $1', [failing]);
    await becomes(failing, 'COMPLETED');
  });

  it('spaces the retries of many that are held up, so that the others go on beside them', async () => {
    const tryAgain = jest.spyOn(service.app.get(PayoutStore), 'tryAgain');
    service.ledger.outages = Infinity;
    const heldUp = Array.from({ length: 400 }, () => service.ledger.accept(bank('0123456789')));
    await service.ledger.publish(...heldUp.map(({ fact }) => fact));
    await eventually('one to wait for its turn', () => tryAgain.mock.calls.some(([, afterMs]) => afterMs > 1_500));
    expect(Math.max(...tryAgain.mock.calls.map(([, afterMs]) => afterMs))).toBeLessThanOrEqual(10_000);
    tryAgain.mockRestore();
    service.ledger.outages = 0;
    await eventually('all to end', () => heldUp.every(({ id }) => service.ledger.statusOf(id) === 'COMPLETED'));
  }, 30_000);

  it('is leased for longer than a step can wait: another worker goes on six seconds after this one died', async () => {
    const books = service.app.get(PayoutStore);
    const take = books.takeDue.bind(books);
    let takenForMs = 0;
    const taking = jest.spyOn(books, 'takeDue').mockImplementation(async (...asked) => {
      const taken = await take(...asked);
      const { rows } = await owner.query(
        'SELECT extract(epoch FROM next_step_at - clock_timestamp())::float8 * 1000 AS ms FROM payouts WHERE id = $1',
        [taken[0]?.id],
      );
      takenForMs = Math.max(takenForMs, rows[0]?.ms ?? 0);
      return taken;
    });
    const id = await payOut(bank('0123456789'));
    await becomes(id, 'COMPLETED');
    taking.mockRestore();
    expect(takenForMs).toBeGreaterThan(REQUEST_DEADLINE_MS);
    expect(takenForMs).toBeLessThan(6_000);
  });

  it('reports the completion to the ledger before a return that came meanwhile', async () => {
    const id = await payOut(bank('0123450002'));
    await bookSays(id, { state: 'submitted', due: true });
    await owner.query(`UPDATE sandbox_rail SET settles_at = now(), returns_at = now() WHERE reference = $1`, [
      `payout-${id}`,
    ]);
    await becomes(id, 'REVERSED');
    expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok', 'REVERSED ok']);
  });

  it('looks up what it does not know the outcome of, and sends it only once', async () => {
    const rail = service.app.get(SandboxRail);
    const submit = rail.submit.bind(rail);
    const sent: string[] = [];
    rail.submit = async (payout) => {
      sent.push(payout.reference);
      await submit(payout);
      throw new Error('the connection to the rail broke');
    };
    const id = await payOut(bank('0123456789'));
    await becomes(id, 'COMPLETED');
    rail.submit = submit;
    expect(sent).toEqual([`payout-${id}`]);
  });

  it('sends again what the rail never took', async () => {
    const rail = service.app.get(SandboxRail);
    const submit = rail.submit.bind(rail);
    rail.submit = async () => {
      rail.submit = submit;
      throw new Error('the rail is away');
    };
    const id = await payOut(bank('0123456789'));
    await becomes(id, 'COMPLETED');
  });

  it('takes over from a worker that died after storing its intent', async () => {
    const id = await payOut(bank('0123450009'));
    await bookSays(id, { state: 'submitted', due: false });
    await owner.query(`DELETE FROM sandbox_rail WHERE reference = $1`, [`payout-${id}`]);
    await owner.query(`UPDATE payouts SET state = 'submitting', next_step_at = now() WHERE id = $1`, [id]);
    await bookSays(id, { state: 'submitted', due: false });
    expect((await owner.query('SELECT 1 FROM sandbox_rail WHERE reference = $1', [`payout-${id}`])).rowCount).toBe(1);
  });

  it('settles many at once, each of them once', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => payOut(bank(`01234567${index + 10}`))));
    await Promise.all(ids.map((id) => becomes(id, 'COMPLETED')));
    expect(ids.flatMap((id) => service.ledger.outcomesOf(id))).toEqual(ids.map(() => 'COMPLETED ok'));
  });

  it('has a deposit credited in the commit that records it', async () => {
    const { result } = await deposit();
    expect(service.ledger.statusOf(result.id)).toBe('COMPLETED');
    await delay(3 * SETTLE_MS);
    const due = () => owner.query('SELECT 1 FROM deposit_confirmations WHERE next_step_at IS NOT NULL');
    await eventually('nothing waits', async () => (await due()).rowCount === 0);
    expect(service.ledger.outcomesOf(result.id)).toEqual([]);
  });

  it('keeps nothing of a deposit whose two facts come in one batch', async () => {
    const confirmations = service.app.get(DepositConfirmations);
    const { sql } = service.app.get(PayoutDatabase);
    const [ended, pending] = [service.ledger.deposit(), service.ledger.deposit()];
    await confirmations.expect(sql, [ended.fact, pending.fact], [ended.fact]);
    const { rows } = await owner.query<{ id: string }>('SELECT id FROM deposit_confirmations WHERE id = ANY ($1)', [
      [ended.id, pending.id],
    ]);
    expect(rows).toEqual([{ id: pending.id }]);
  });
});

describe('thousands of payouts that are held up', () => {
  const HELD_UP = 5_000;
  let release: () => void;

  beforeAll(() => start({}));
  afterAll(stop);
  afterEach(async () => {
    release();
    jest.restoreAllMocks();
    await owner.query('UPDATE payouts SET next_step_at = NULL');
  });

  /** All due since a minute, each having failed before. */
  async function holdUp(): Promise<void> {
    await owner.query(
      `INSERT INTO payouts (id, transaction_id, merchant_id, shard, rail, currency, amount, provider_reference, state,
         attempts, next_step_at)
       SELECT id, left(id::text, 10), id, 1, 'bank', 'NGN', 1, 'held-up-' || id, 'submitted', 3, now() - interval '1 minute'
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)) AS drawn`,
      [HELD_UP],
    );
  }

  /** Has the rail give no word about those that are held up: at once, or only on release. */
  function railSays(word: 'nothing' | 'an error'): void {
    const rail = service.app.get(SandboxRail);
    const lookUp = rail.lookUp.bind(rail);
    const away = () => Promise.reject(new Error('the rail does not say'));
    let hanging: Promise<void> = Promise.resolve();
    if (word === 'nothing') hanging = new Promise((resolve) => (release = resolve));
    else release = () => undefined;
    jest
      .spyOn(rail, 'lookUp')
      .mockImplementation((reference) => (reference.startsWith('held-up-') ? hanging.then(away) : lookUp(reference)));
  }

  it('take no room from a new one, also while every step of theirs hangs', async () => {
    railSays('nothing');
    await holdUp();
    await eventually('the room of those tried again to be full', async () => {
      const { rows } = await owner.query('SELECT count(*)::int AS taken FROM payouts WHERE next_step_at > now()');
      return rows[0]?.taken >= 80;
    });
    const ids = await Promise.all(Array.from({ length: 100 }, (_, index) => payOut(bank(`01234567${index + 10}`))));
    await Promise.all(ids.map((id) => becomes(id, 'COMPLETED')));
  });

  it('are tried again after pauses that grow with their number', async () => {
    const tryAgain = jest.spyOn(service.app.get(PayoutStore), 'tryAgain');
    railSays('an error');
    await holdUp();
    const pauses = () => tryAgain.mock.calls.map(([, afterMs]) => afterMs);
    await eventually('a longer pause than one has', () => pauses().some((afterMs) => afterMs > 15_000), {
      timeoutMs: 20_000,
    });
    const id = await payOut(bank('0123456789'));
    await becomes(id, 'COMPLETED');
    await eventually('all to have been tried', () => pauses().length >= HELD_UP, { timeoutMs: 20_000 });
    expect(Math.max(...pauses())).toBeLessThanOrEqual(30_000);
  }, 60_000);

  it('stand in a lane of their own, which is found without reading the other', async () => {
    railSays('nothing');
    await holdUp();
    // As many in either lane: an index over both would have to be read twice as far.
    await owner.query('BEGIN');
    await owner.query(`UPDATE payouts SET attempts = 0 WHERE next_step_at IS NOT NULL AND right(id::text, 1) < '8'`);
    await owner.query('ANALYZE payouts');
    const plans = await Promise.all(
      (['= 0', '> 0'] as const).map(async (attempts) => {
        const due = `next_step_at IS NOT NULL AND attempts ${attempts} AND next_step_at <= now()`;
        const { rows } = await owner.query(
          `EXPLAIN SELECT id FROM payouts WHERE ${due} ORDER BY next_step_at LIMIT 10`,
        );
        return rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']).join(' ');
      }),
    );
    await owner.query('ROLLBACK');
    expect(plans).toEqual([
      expect.stringContaining('payouts_due_fresh'),
      expect.stringContaining('payouts_due_retried'),
    ]);
  });
});

describe('deposits that need confirmations', () => {
  beforeAll(() => start({ SANDBOX_CONFIRM_MS: '200' }));
  afterAll(stop);

  it('are pending, then confirmed once, also when the ledger was away', async () => {
    const { result } = await deposit();
    expect(service.ledger.statusOf(result.id)).toBe('PENDING');
    service.ledger.outages = 2;
    await becomes(result.id, 'COMPLETED');
    expect(service.ledger.outcomesOf(result.id)).toEqual(['confirmed ok']);
  });

  it.each([
    ['', { crypto_transaction_id: `0x${'ab'.repeat(32)}` }],
    [
      ', as a ledger of the version before says it',
      { crypto_transaction_id: undefined, reference: `0x${'ab'.repeat(32)}` },
    ],
  ])('are not confirmed by the sandbox where they came over a chain%s', async (_, named) => {
    const { id, fact } = service.ledger.deposit();
    const transactions = fact.transactions.map((each) => ({ ...each, network: 'polygon' as const, ...named }));
    await service.ledger.publish({ ...fact, transactions });
    const { result } = await deposit();
    await becomes(result.id, 'COMPLETED');
    expect([service.ledger.statusOf(id), service.ledger.outcomesOf(id)]).toEqual(['PENDING', []]);
  });

  it('that are completed already do no harm', async () => {
    const { result } = await deposit();
    const view = service.ledger.transactions.get(result.id) as TransactionView;
    service.ledger.transactions.set(result.id, { ...view, status: 'COMPLETED' });
    await eventually('it was asked for', () =>
      service.ledger.outcomesOf(result.id).includes('confirmed invalid_transition'),
    );
    await delay(600);
    expect(service.ledger.outcomesOf(result.id)).toEqual(['confirmed invalid_transition']);
  });
});

describe.each(['0', '100'])('deposits that are held, where others are confirmed after %s ms', (confirmMs) => {
  beforeAll(() => start({ SANDBOX_CONFIRM_MS: confirmMs }));
  afterAll(stop);

  const waiting = async (id: string) =>
    (await owner.query('SELECT 1 FROM deposit_confirmations WHERE id = $1 AND next_step_at IS NOT NULL', [id]))
      .rowCount;

  it('have the sandbox’s own word in clear, and any other reference sealed for the wallet’s owner', async () => {
    const { result: held } = await deposit({ reference: HELD_DEPOSIT });
    expect(held.reason).toBe(HELD_DEPOSIT);
    const { result: other } = await deposit({ reference: 'rent of Ada' });
    expect(other.reason).toMatch(/^sealed:v1\./);
    const { seal } = await service.app.get(OwnerKeys).keyOf(other.merchant_id, null);
    expect(seal.open(DEPOSIT_REFERENCE_FIELD, sealedIn(other.reason ?? '') ?? '')).toBe('rent of Ada');
    expect((await deposit()).result.reason).toBeNull();
  });

  it('with a network name its transaction with their reference, which a chain shows to everyone', async () => {
    const { result } = await deposit({ reference: '0xabc', network: 'polygon' });
    expect(result.reason).toBe('0xabc');
  });

  it('are confirmed by nothing but their outcome', async () => {
    const { result: held } = await deposit({ reference: HELD_DEPOSIT });
    // Its fact has been handled once that of a later deposit has.
    const later = service.ledger.deposit();
    await service.ledger.publish(later.fact);
    await eventually('the later one waits or is confirmed', async () =>
      Boolean((await waiting(later.id)) || service.ledger.outcomesOf(later.id).length > 0),
    );
    expect([service.ledger.statusOf(held.id), await waiting(held.id)]).toEqual(['PENDING', 0]);
    expect((await tellDeposit(held.id, 'complete')).result.status).toBe('COMPLETED');
    expect((await tellDeposit(held.id, 'reverse')).result.status).toBe('REVERSED');
    expect(service.ledger.outcomesOf(held.id)).toEqual(['confirmed ok', 'reversed ok']);
  });
});

describe('deposits that fail while they wait for their confirmations', () => {
  beforeAll(() => start({ SANDBOX_CONFIRM_MS: '60000' }));
  afterAll(stop);

  it('wait for them no longer', async () => {
    const { result } = await deposit();
    const due = () =>
      owner.query<{ due: boolean }>('SELECT next_step_at IS NOT NULL AS due FROM deposit_confirmations WHERE id = $1', [
        result.id,
      ]);
    await eventually('it waits', async () => (await due()).rows[0]?.due === true);
    expect((await tellDeposit(result.id, 'fail')).result.status).toBe('FAILED');
    await eventually('it waits no longer', async () => (await due()).rows[0]?.due === false);
    expect(service.ledger.outcomesOf(result.id)).toEqual(['failed ok']);
  });
});

describe('deposits that were recorded while confirmations took time', () => {
  it('are confirmed where they take none any more', async () => {
    await start({ SANDBOX_CONFIRM_MS: '0' });
    const unconfirmed = service.ledger.deposit();
    await service.ledger.publish(unconfirmed.fact);
    await becomes(unconfirmed.id, 'COMPLETED');
    expect(service.ledger.outcomesOf(unconfirmed.id)).toEqual(['confirmed ok']);
    await stop();
  });
});
