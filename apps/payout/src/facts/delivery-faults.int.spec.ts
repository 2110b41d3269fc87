/**
 * Real broker, real database, and all faults between them at once: facts that arrive shuffled and several times as new
 * messages, a database that blocks for longer than the broker waits, a consumer that is deleted, a stream that is lost
 * and filled again. Each payout is sent to its rail once, and ends as the ledger says.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { factSubject, LEDGER_STREAM, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { Drawing } from '@stablecoin/testing/drawing';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { PayoutModule } from '../payout.module';
import { SandboxRail } from '../rails/sandbox-rail';
import { RunningPayout, startPayout } from '../testing/running-service';

const SEED = Number(process.env['DELIVERY_SEED'] ?? randomInt(100_000));
const PAYOUTS = 60;
/** Longer than the broker waits for an acknowledgement, and than the database lets a statement wait. */
const HELD_UP_MS = 6_000;
const BANK = { kind: 'bank', account_number: '0123450009', recipient_name: 'Ada' } as const;

let nats: OwnNats;
let service: RunningPayout;
let owner: Client;

beforeAll(async () => {
  nats = await startOwnNats();
  service = await startPayout({ imports: [PayoutModule] }, { NATS_URL: nats.url });
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
  await nats.stop();
});

/** Without a message id, so that the broker does not recognise copies: as after its deduplication window. */
async function publishAsNew(facts: readonly LedgerFact[]): Promise<void> {
  const jetstream = service.connection.jetstream();
  for (const fact of facts) {
    const subject = factSubject(fact.shard, fact.movement);
    await jetstream.publish(subject, service.codec.encode(subject, fact));
  }
}

async function holdUp(): Promise<void> {
  await owner.query('BEGIN; LOCK TABLE payouts IN ACCESS EXCLUSIVE MODE');
  await delay(HELD_UP_MS);
  await owner.query('ROLLBACK');
}

it(`facts survive their delivery, seed ${SEED}`, async () => {
  const draw = new Drawing(SEED);
  const sent = jest.spyOn(service.app.get(SandboxRail), 'submit');
  const payouts = Array.from({ length: PAYOUTS }, () => service.ledger.accept(BANK, { bank_code: '058' }));
  const ends = payouts
    .filter(() => draw.next() < 0.5)
    .map(({ id }) => ({ id, fact: service.ledger.factOf('payout-failed', id) }));
  const history = [...payouts.map(({ fact }) => fact), ...ends.map(({ fact }) => fact)];
  const manager = await service.connection.jetstreamManager();

  const heldUp = holdUp();
  await publishAsNew(draw.shuffled([...history, ...history]));
  await heldUp;
  await manager.consumers.delete(LEDGER_STREAM, 'payout');
  await publishAsNew(draw.shuffled(history));
  await manager.streams.delete(LEDGER_STREAM);
  await (await LedgerStream.open(service.connection, service.codec)).ensure();
  await publishAsNew(history);

  await eventually(
    'everything to be taken',
    async () => {
      const info = await manager.consumers.info(LEDGER_STREAM, 'payout');
      return info.num_pending === 0 && info.num_ack_pending === 0;
    },
    { timeoutMs: 60_000 },
  );
  const failed = new Set(ends.map(({ id }) => id));
  const expected = payouts.map(({ id }) => ({ id, state: failed.has(id) ? 'failed' : 'submitted' }));
  const inOrder = (rows: { id: string; state: string }[]) => rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  await eventually('the rail to have taken what has not ended', async () => {
    const { rowCount } = await owner.query("SELECT 1 FROM payouts WHERE state = 'submitted'");
    return rowCount === payouts.length - ends.length;
  });
  const { rows } = await owner.query<{ id: string; state: string }>('SELECT id::text, state FROM payouts');
  expect(inOrder(rows)).toEqual(inOrder(expected));
  expect((await owner.query('SELECT * FROM parked_facts')).rows).toEqual([]);
  const references = sent.mock.calls.map(([{ reference }]) => reference);
  expect(references.length).toBe(new Set(references).size);
}, 120_000);
