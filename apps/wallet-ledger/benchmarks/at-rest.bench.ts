/**
 * What shards, instances and databases cost while nothing is asked of them, and what the stream of facts takes: inputs of the model
 * of the far end (`bench -- far-end`). On a database and a broker of its own, one after another, medians.
 *
 * - `look`: what an instance asks of each database four times a second, with 10 shards and 4 instances; with 1,000 rows, of which
 *   990 have moved; and with 1,000 shards and 100 instances. Its time, and of that Node's processor time.
 * - `renewal`, `heartbeat`: the commits of a held shard and of an instance, each second; one at a time, and 50 at once.
 * - `relay`: what a relay asks of the broker every two seconds; `api` is one of these requests, of which 64 are under way.
 * - `facts`: facts that the broker stores in a second, of which 500 are under way, as a relay sends them.
 */
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import { median, sustained, timed } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { factSubject, LEDGER_STREAM, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { connect, NatsConnection } from 'nats';
import { acquireLease, Lease, renewLease } from '../src/event-log/lease';
import { announce, readMembership } from '../src/shards/membership';

const WARM_UP = 30;
const TURNS = 300;
const AT_ONCE = 50;
const SECONDS = 3;
const API_IN_FLIGHT = 64;
const FACTS_IN_FLIGHT = 500;
const LOOKS = [
  { name: 'look_10_shards', rows: 10, placed: 10, instances: 4 },
  { name: 'look_1000_rows_10_shards', rows: 1_000, placed: 10, instances: 30 },
  { name: 'look_1000_shards', rows: 1_000, placed: 1_000, instances: 100 },
];

async function main(): Promise<void> {
  const pool = { applicationName: 'benchmark', poolSize: AT_ONCE };
  const database = new LedgerDatabase({ url: given('LEDGER_DATABASE_URL'), ...pool });
  const owner = new LedgerDatabase({ url: given('BENCHMARK_OWNER_URL'), ...pool, poolSize: 1 });
  const { host, username, password } = new URL(given('BENCHMARK_NATS_URL'));
  const connection = await connect({ servers: host, user: username, pass: password });
  const figures: Figures = {};
  try {
    for (const look of LOOKS) Object.assign(figures, await lookFigures(database, owner, look));
    Object.assign(figures, await commitFigures(database), await brokerFigures(connection));
    report(figures, process.argv.includes('--json'));
  } finally {
    await Promise.all([database.$disconnect(), owner.$disconnect(), connection.close()]);
  }
}

async function lookFigures(
  database: LedgerDatabase,
  owner: LedgerDatabase,
  { name, rows, placed, instances }: (typeof LOOKS)[number],
): Promise<Figures> {
  progress(name);
  await owner.$executeRaw`DELETE FROM ledger_shards`;
  await owner.$executeRaw`DELETE FROM ledger_instances`;
  await owner.$executeRaw`
    INSERT INTO ledger_shards (shard, head_hash, moved_to)
    SELECT shard, ${GENESIS_HASH}, CASE WHEN shard >= ${placed} THEN 'b' END FROM generate_series(0, ${rows - 1}::int) AS shard`;
  await owner.$executeRaw`
    INSERT INTO ledger_instances (instance, joined_at, seen_at)
    SELECT 'host/1/' || gen_random_uuid(), now(), now() + interval '1 hour' FROM generate_series(1, ${instances}::int)`;
  await owner.$executeRaw`ANALYZE ledger_shards, ledger_instances`;
  const { ms, nodeMs } = await turns(() => readMembership(database, rows, 'an instance'));
  return { [`${name}_ms`]: ms, [`${name}_node_ms`]: nodeMs };
}

/** Of the 1,000 shards that the looks have left. */
async function commitFigures(database: LedgerDatabase): Promise<Figures> {
  progress('renewals and heartbeats');
  const leases = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, shard) => acquireLease(database, shard, 'an instance')),
  );
  const held = leases.filter((lease): lease is Lease => lease !== undefined);
  const [first] = held;
  if (!first) throw new Error('no lease was taken');
  const renewal = await turns(() => renewLease(database, first));
  const renewals = await sustained({
    ...{ inFlight: AT_ONCE, seconds: SECONDS },
    work: (number) => renewLease(database, held[number % held.length] ?? first),
  });
  const instance = `host/1/${randomUUID()}`;
  const heartbeat = await turns(() => announce(database, instance));
  return {
    ...{ renewal_ms: renewal.ms, renewal_node_ms: renewal.nodeMs, renewals_per_second: renewals.perSecond },
    ...{ heartbeat_ms: heartbeat.ms, heartbeat_node_ms: heartbeat.nodeMs },
  };
}

async function brokerFigures(connection: NatsConnection): Promise<Figures> {
  progress('what relays ask of the broker, and facts');
  const stream = await LedgerStream.open(connection, new SealedCodec(Buffer.alloc(32, 4)));
  await stream.ensure();
  await stream.publish([factAt(1)]);
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const check = await turns(async () => {
    await stream.ensure();
    await stream.lastPosition(0);
  }, TURNS / 3);
  const query = { last_by_subj: factSubject(0, 'payout-accepted') };
  const api = await sustained({
    ...{ inFlight: API_IN_FLIGHT, seconds: SECONDS },
    work: () => manager.streams.getMessage(LEDGER_STREAM, query),
  });
  const facts = await sustained({
    ...{ inFlight: FACTS_IN_FLIGHT, seconds: SECONDS },
    work: (number) => stream.publish([factAt(number + 2)]),
  });
  return {
    ...{ relay_check_ms: check.ms, relay_check_node_ms: check.nodeMs },
    ...{ api_requests_per_second: api.perSecond, facts_per_second: facts.perSecond },
    fact_bytes: JSON.stringify(factAt(1)).length,
  };
}

/** As large as that of a payout. */
const factAt = (position: number) =>
  ({
    ...{ shard: 0, position, movement: 'payout-accepted', recorded_at: '2026-12-01T10:00:00.000Z' },
    ...{ merchant_id: randomUUID(), customer_id: randomUUID() },
    transactions: [{ id: randomUUID(), transaction_id: 'x'.repeat(20), sealed_destination: 'y'.repeat(350) }],
  }) as unknown as LedgerFact;

/** One after another: the median of their times, and Node's processor time of each. */
async function turns(work: () => Promise<unknown>, count = TURNS): Promise<{ ms: number; nodeMs: number }> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await work();
  const before = process.cpuUsage();
  const taken: number[] = [];
  for (let turn = 0; turn < count; turn += 1) taken.push(await timed(work));
  const { user, system } = process.cpuUsage(before);
  return { ms: median(taken), nodeMs: (user + system) / 1_000 / count };
}

void main();
