/**
 * The process of the floor's events: one for each fact, and their deliveries to one endpoint: due ones are taken many at a
 * time, signed, posted over kept connections, and their outcomes stored together.
 */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from './bus';
import { committed } from './copied-rows';
import { openDatabase, quoted, serves, startFloorProcess, timeOrderedId, valuesOf } from './process';

const SCHEMA = `
  CREATE TABLE events (
    id uuid PRIMARY KEY, number bigserial, merchant_id uuid NOT NULL, type text NOT NULL, resource_id uuid NOT NULL,
    sequence bigint NOT NULL, data text NOT NULL, created_at timestamptz(3) NOT NULL, UNIQUE (resource_id, sequence)
  );
  CREATE INDEX ON events (merchant_id, created_at, number);
  CREATE INDEX ON events (merchant_id, type, created_at, number);
  CREATE TABLE inbox (
    consumer text, position bigint, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, position)
  );
  CREATE TABLE webhook_endpoints (id uuid PRIMARY KEY, url text NOT NULL, secret text NOT NULL);
  CREATE TABLE event_deliveries (
    id uuid PRIMARY KEY, event_id uuid NOT NULL, endpoint_id uuid NOT NULL, status text NOT NULL, attempts int NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3), response_status int, UNIQUE (event_id, endpoint_id)
  );
  CREATE INDEX ON event_deliveries (next_attempt_at) WHERE status = 'pending';`;
const CONSUMER = 'customer';
const TAKEN_MAX = 100;
const SLEEP_MS = 50;

interface Due {
  id: string;
  event_id: string;
  type: string;
  data: string;
  created_at: Date;
  url: string;
  secret: string;
}

async function main(): Promise<void> {
  const { bus, writes } = await startFloorProcess(SCHEMA);
  const outgoing = await openDatabase();
  const agent = new Agent({ keepAlive: true, maxSockets: TAKEN_MAX });

  const record = async (facts: readonly Fact[]) => {
    const events = facts.flatMap(({ kind, position, transactions }) =>
      transactions.map((data) => [
        ...[timeOrderedId(), String(data['merchant_id']), kind, String(data['id']), position],
        ...[JSON.stringify(data), new Date().toISOString()],
      ]),
    );
    await committed(
      writes,
      [
        { into: 'inbox (consumer, position)', rows: facts.map(({ position }) => [CONSUMER, position]) },
        { into: 'events (id, merchant_id, type, resource_id, sequence, data, created_at)', rows: events },
      ],
      [],
    );
  };

  const post = ({ url, event_id, secret, type, data, created_at }: Due): Promise<number> => {
    const body = JSON.stringify({ id: event_id, type, created_at, data: JSON.parse(data) as unknown });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${event_id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...{ 'webhook-id': event_id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body);
    });
  };

  const deliver = async (): Promise<number> => {
    const { rows: due } = await outgoing.query<Due>({
      name: 'due',
      text: `SELECT delivery.id, event_id, type, data, events.created_at, url, secret FROM event_deliveries AS delivery
             JOIN events ON events.id = event_id JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
             WHERE status = 'pending' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${TAKEN_MAX}`,
    });
    if (due.length === 0) return 0;
    const statuses = await Promise.all(due.map(post));
    const delivered = valuesOf(due.map(({ id }, index) => [`${quoted(id)}::uuid`, String(statuses[index])]));
    await outgoing.query(
      `UPDATE event_deliveries SET status = 'delivered', attempts = attempts + 1, next_attempt_at = NULL,
         response_status = outcome.status FROM (VALUES ${delivered}) AS outcome (id, status) WHERE event_deliveries.id = outcome.id`,
    );
    return due.length;
  };

  await bus.consume(CONSUMER, record);
  serves();
  for (;;) if ((await deliver()) === 0) await delay(SLEEP_MS);
}

void main();
