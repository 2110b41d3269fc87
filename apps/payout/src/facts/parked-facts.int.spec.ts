/**
 * A fact that can't be handled is tried, parked with later facts of the same payout, reported by an alert, and retried
 * when an operator requests it. It fails by a constraint of the table that its bank code breaks; the repair drops the
 * constraint.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { factSubject, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FactConsumer } from '@stablecoin/facts/fact-consumer';
import { FactProcessor } from '@stablecoin/facts/fact-processor';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { AckPolicy, DeliverPolicy, nanos } from 'nats';
import { Client } from 'pg';
import { PayoutModule } from '../payout.module';
import { RunningPayout, startPayout } from '../testing/running-service';
import { LedgerFactsConsumer } from './ledger-facts.consumer';

const ROOT = join(__dirname, '../../../..');
const POISON = '666';
const BANK = { kind: 'bank', account_number: '0123450009', recipient_name: 'Ada' } as const;

let nats: OwnNats;
let service: RunningPayout;
let owner: Client;
/** Where operators' acts are recorded. */
let records: TestDatabase;
let told: jest.SpyInstance<void, Parameters<Logger['error']>>;

beforeAll(async () => {
  nats = await startOwnNats();
  service = await startPayout({ imports: [PayoutModule] }, { NATS_URL: nats.url });
  records = await createTestDatabase('customer');
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
  await records.drop();
  await nats.stop();
});
beforeEach(async () => {
  told = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  await owner.query(`ALTER TABLE payouts ADD CONSTRAINT poison CHECK (bank_code <> '${POISON}') NOT VALID`);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await mend();
  await owner.query('DELETE FROM parked_facts');
});

const mend = () => owner.query('ALTER TABLE payouts DROP CONSTRAINT IF EXISTS poison');
const parked = async () =>
  (await owner.query('SELECT * FROM parked_facts ORDER BY position')).rows as Record<string, unknown>[];
const stateOf = async (id: string) =>
  (await owner.query<{ state: string }>('SELECT state FROM payouts WHERE id = $1', [id])).rows[0]?.state;
const alerts = (name: string) =>
  told.mock.calls.map(([line]) => line as { alert?: string }).filter(({ alert }) => alert === name);
const place = ({ shard, position }: LedgerFact) => `${shard}:${position}`;

/** The facts of a payout from its beginning to its end. */
function payoutWith(bank_code: string) {
  const { id, fact } = service.ledger.accept(BANK, { bank_code });
  return { id, accepted: fact, failed: service.ledger.factOf('payout-failed', id) };
}

/** As npm run facts does. */
function facts(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const databases = { PAYOUT_DATABASE_URL: service.database.url, CUSTOMER_DATABASE_URL: records.url };
  const env = { ...process.env, ...databases, OPERATOR_NAME: 'Ada Obi', FACTS_WAIT_MS: '8000' };
  return new Promise((done) => {
    const command = ['dist/apps/operator/src/main.js', 'facts', ...args];
    const child = execFile(process.execPath, command, { cwd: ROOT, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function parkOne() {
  const poison = payoutWith(POISON);
  const good = payoutWith('058');
  await service.ledger.publish(poison.accepted, good.accepted, poison.failed, good.failed);
  await eventually('two are parked', async () => (await parked()).length === 2);
  return { poison, good };
}

describe('a fact that can not be handled', () => {
  it('is parked after five attempts with an alert; facts of the same payout wait behind it, others go on', async () => {
    const poison = payoutWith(POISON);
    const others = Array.from({ length: 20 }, () => payoutWith('058'));
    await service.ledger.publish(
      poison.accepted,
      poison.failed,
      ...others.flatMap((each) => [each.accepted, each.failed]),
    );
    await eventually('the others are through', async () => {
      const text = "SELECT 1 FROM payouts WHERE id = ANY ($1) AND state = 'failed'";
      return (await owner.query(text, [others.map(({ id }) => id)])).rowCount === others.length;
    });
    await eventually('two are parked', async () => (await parked()).length === 2);
    expect(await stateOf(poison.id)).toBeUndefined();
    const common = { consumer: 'payout', shard: service.ledger.shard, concerns: poison.id };
    const [first, second] = await parked();
    expect(first).toMatchObject({ ...common, position: String(poison.accepted.position), attempts: 5 });
    expect(first?.['reason']).toMatch(/violates check constraint "poison"/);
    expect(second).toMatchObject({ ...common, position: String(poison.failed.position), attempts: 0, reason: null });
    // Sealed as it came: neither ids nor amounts can be read in the database.
    expect((first?.['sealed_fact'] as Buffer).includes(poison.id)).toBe(false);
    const { shard, position } = poison.accepted;
    expect(alerts('fact_parked')).toEqual([
      expect.objectContaining({ consumer: 'payout', shard, position, movement: 'payout-accepted', attempts: 5 }),
    ]);
  });

  it('is listed with the reason, and what it holds back with its position', async () => {
    const { poison } = await parkOne();
    const { stdout } = await facts('list', 'payout', '--json');
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ service: 'payout', position: place(poison.accepted), held_behind: null, attempts: 5 }),
      expect.objectContaining({ position: place(poison.failed), held_behind: place(poison.accepted), reason: null }),
    ]);
    expect((await facts('list', 'payout')).stdout).toContain(`held back behind ${place(poison.accepted)}`);
  });

  it('is handled when it is tried again after mending, then what waited behind it, in order and once', async () => {
    const { poison } = await parkOne();
    await mend();
    const { code, stdout } = await facts('retry', 'payout', place(poison.accepted), '--json');
    const handled = [place(poison.accepted), place(poison.failed)];
    expect({ code, report: JSON.parse(stdout) as unknown }).toEqual({ code: 0, report: { handled, parked: [] } });
    expect(await stateOf(poison.id)).toBe('failed');
    // A fact that is delivered again is recognised: by the inbox while its row is there, by the payout itself
    // afterwards.
    await again(poison.accepted, poison.failed);
    expect({ parked: await parked(), state: await stateOf(poison.id) }).toEqual({ parked: [], state: 'failed' });
  });

  it('stays parked with all behind it when it fails again', async () => {
    const { poison } = await parkOne();
    const { code, stdout } = await facts('retry', 'payout', '--all');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('0 handled\n2 parked') as unknown });
    expect(await parked()).toMatchObject([{ attempts: 6, retry_requested_at: null }, { attempts: 0 }]);
    expect(alerts('fact_parked')).toHaveLength(2);
    // A later fact joins the queue.
    const late = service.ledger.factOf('payout-reversed', poison.id);
    await service.ledger.publish(late);
    await eventually('it is held back too', async () => (await parked()).length === 3);
  });

  it('lets a fact pass that comes before it in the log and arrives late', async () => {
    const { poison } = await parkOne();
    await mend();
    const earlier = { ...poison.accepted, position: poison.accepted.position - 1_000_000 };
    await service.ledger.publish(earlier);
    await eventually('it is handled', async () => (await stateOf(poison.id)) !== undefined);
    expect(await parked()).toHaveLength(2);
  });

  it('is parked once, though the process died before it acknowledged the fact', async () => {
    await mend();
    await owner.query('DELETE FROM parked_facts');
    const handler = service.app.get(LedgerFactsConsumer);
    const failing = Object.assign(Object.create(handler) as LedgerFactsConsumer, {
      durable: 'dies',
      handle: () => Promise.reject(new Error('of itself')),
    });
    const desk = new FactProcessor(failing, service.codec);
    const park = desk.park.bind(desk);
    let died = 0;
    desk.park = async (fact, failure) => {
      await park(fact, failure);
      died += 1;
      if (died === 1) throw new Error('the process died here');
    };
    const fact = service.ledger.accept(BANK).fact;
    await service.ledger.publish(fact);
    const manager = await service.connection.jetstreamManager();
    await manager.consumers.add('LEDGER', {
      durable_name: 'dies',
      filter_subject: factSubject(fact.shard, fact.movement),
      deliver_policy: DeliverPolicy.Last,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(5_000),
      max_ack_pending: 1_000,
    });
    const consumer = new FactConsumer(await LedgerStream.open(service.connection, service.codec), desk);
    consumer.start();
    await eventually('the broker knows', async () => {
      const info = await manager.consumers.info('LEDGER', 'dies');
      return died > 0 && info.num_ack_pending === 0 && info.num_pending === 0;
    });
    await consumer.stop();
    expect((await parked()).filter(({ consumer: of }) => of === 'dies')).toHaveLength(1);
    expect(alerts('fact_parked')).toHaveLength(1);
  });
});

describe('the command', () => {
  it('puts a retry on the record before it is made, and nothing that it refuses', async () => {
    const acts = async () => {
      const client = new Client({ connectionString: records.url });
      await client.connect();
      try {
        const { rows } = await client.query<{ act: string }>('SELECT act FROM operator_acts ORDER BY number DESC');
        return rows.map(({ act }) => JSON.parse(act) as Record<string, unknown>);
      } finally {
        await client.end();
      }
    };
    const { poison } = await parkOne();
    const before = await acts();
    await facts('retry', 'payout', '1:999999999');
    expect(await acts()).toEqual(before);
    await facts('retry', 'payout', place(poison.accepted), '--reason', 'case 7');
    expect((await acts())[0]).toMatchObject({
      action: 'facts retry',
      actor: 'Ada Obi',
      reason: 'case 7',
      details: { service: 'payout', facts: 1, positions: [place(poison.accepted)] },
    });
  });

  it.each([
    [['retry', 'payout'], 'Which facts?'],
    [['retry', 'payout', 'twelve'], 'is not a position'],
    [['retry', 'payout', '1:999999999'], 'Nothing is parked in payout at 1:999999999'],
    [['list', 'gateway'], 'There is no service "gateway"'],
    [['show'], 'list or retry'],
  ])('refuses %j', async (args, why) => {
    const { code, stderr } = await facts(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) as unknown });
  });

  it('names the one to be tried instead of one that is held back', async () => {
    const { poison } = await parkOne();
    const { code, stderr } = await facts('retry', 'payout', String(poison.failed.position));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`held back behind ${place(poison.accepted)}`) as unknown,
    });
  });
});

it('a message that is not sealed by the ledger is logged and does not hold up the next facts', async () => {
  const subject = factSubject(service.ledger.shard, 'payout-accepted');
  await service.connection.jetstream().publish(subject, Buffer.from('{"shard":0}'));
  await service.connection.jetstream().publish(subject, service.codec.encode(subject, { movement: 'payout-accepted' }));
  const next = payoutWith('058');
  await service.ledger.publish(next.accepted);
  await eventually('the next one is handled', () => stateOf(next.id));
  expect(alerts('fact_unreadable')).toEqual([
    expect.objectContaining({ subject, reason: expect.stringContaining('not a sealed message') as unknown }),
    expect.objectContaining({ subject, reason: expect.stringContaining('without a place') as unknown }),
  ]);
});

/** Redelivery when the broker no longer recognises what it had: as new messages. */
async function again(...published: LedgerFact[]): Promise<void> {
  for (const fact of published) {
    const subject = factSubject(fact.shard, fact.movement);
    await service.connection.jetstream().publish(subject, service.codec.encode(subject, fact));
  }
  const manager = await service.connection.jetstreamManager();
  await eventually('they are taken', async () => {
    const info = await manager.consumers.info('LEDGER', 'payout');
    return info.num_pending === 0 && info.num_ack_pending === 0;
  });
}
