/**
 * What one operation costs, beside the least that does the same and beside what a team would write instead, in one run:
 *
 * | way     | is                                                                                                   |
 * |---------|------------------------------------------------------------------------------------------------------|
 * | service | the stack as it is started by default                                                                |
 * | floor   | the same hops and the same rows, written in batches, and nothing else (floor/)                       |
 * | plain   | one process, a transaction per request with row locks, a timer that settles (plain/)                 |
 *
 * All are warmed up with thousands of each operation. In a round every operation is done by each way in turn, by 32 callers
 * for some seconds; processor time is that of all processes and databases of the way, Postgres' and the broker's included.
 * Then, of the service: each operation alone, by 256 callers, and with everything counted that it sets off.
 */
import { parseArgs } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { progress, rounded } from '@stablecoin/benchmarking/report';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client } from 'pg';
import { makeListed, openAccounts } from './accounts';
import { figuresOf, type OperationFigures, type Round, withThreeDigits } from './goals';
import { alone, clientOf, errorsOfMany, oneByOne, type Opened, OperationLoads } from './load';
import { ProcessorMeter, total } from './measuring/processor-use';
import { StatementLog } from './measuring/statement-log';
import { type Sources, trafficOf } from './measuring/traffic';
import type { Step } from './measuring/waterfall';
import { chosenKinds, type OperationKind, type OperationName } from './operation-kinds';
import { type Counted, tableOf } from './table';
import { waterfalls } from './waterfalls';
import { floorWay } from './ways/floor-way';
import { plainWay } from './ways/plain-way';
import { SERVICE_DATABASES, serviceWay } from './ways/service-way';
import { type Way, WAY_NAMES, type WayName } from './ways/way';

const WARM_UP = 5_000;
const ROUNDS = '5';
const SECONDS = '4';
const COUNTED_ALONE = 50;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string' },
      rounds: { type: 'string', default: ROUNDS },
      seconds: { type: 'string', default: SECONDS },
      json: { type: 'boolean' },
    },
  });
  const kinds = chosenKinds(values.kind);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const receiver = await WebhookReceiver.start();
  const sources = await openSources();
  const ways = await startWays(receiver);
  try {
    const run = await OperationsRun.begin(ways, sources, receiver);
    await run.warmUp(kinds);
    await run.rounds(kinds, rounds, seconds);
    const figures = await run.figuresOf(kinds, seconds);
    const counted = await run.counted(kinds, seconds);
    run.close();
    progress('one request at a time, traced, on a stack of its own');
    const steps = await waterfalls(kinds);
    report(kinds, { figures, counted, steps }, values.json === true);
  } finally {
    for (const way of Object.values(ways)) await way.stop();
    await Promise.all([sources.postgres.end(), sources.ledger.end(), receiver.stop()]);
  }
}

async function openSources(): Promise<Sources> {
  const [postgres, ledger] = ['BENCHMARK_POSTGRES_URL', 'BENCHMARK_OWNER_URL'].map(
    (name) => new Client({ connectionString: given(name) }),
  ) as [Client, Client];
  await Promise.all([postgres.connect(), ledger.connect()]);
  const statements = new StatementLog(postgres, given('BENCHMARK_POSTGRES_LOG'));
  return { natsUrl: given('BENCHMARK_NATS_URL'), postgres, ledger, statements, databases: SERVICE_DATABASES };
}

async function startWays(receiver: WebhookReceiver): Promise<Record<WayName, Way>> {
  const servers = { postgresUrl: given('BENCHMARK_POSTGRES_URL'), natsUrl: given('BENCHMARK_NATS_URL') };
  const access = {
    ...{ baseUrl: given('BASE_URL'), apiKey: given('API_KEY') },
    pids: JSON.parse(given('STACK_PIDS')) as Record<string, number>,
    customerDatabaseUrl: given('BENCHMARK_CUSTOMER_OWNER_URL'),
  };
  const service = await serviceWay(access, receiver.url());
  return { service, floor: await floorWay(servers), plain: await plainWay(servers) };
}

class OperationsRun {
  private readonly measured = new Map<OperationName, Round[]>();

  private constructor(
    private readonly opened: Record<WayName, Opened>,
    private readonly loads: OperationLoads,
    private readonly sources: Sources,
  ) {}

  static async begin(ways: Record<WayName, Way>, sources: Sources, receiver: WebhookReceiver): Promise<OperationsRun> {
    const { postgres = 0 } = JSON.parse(given('STACK_PIDS')) as { postgres?: number };
    const pids = Object.assign({}, ...Object.values(ways).map((way) => way.pids)) as Record<string, number>;
    const own = await Promise.all(Object.values(ways).map(({ deliveries }) => deliveries.backend()));
    const meter = new ProcessorMeter(pids, postgres, own);
    const open = async (name: WayName): Promise<[WayName, Opened]> => {
      const [way, client] = [ways[name], clientOf(ways[name])];
      return [name, { way, client, account: await openAccounts(client) }];
    };
    const opened = Object.fromEntries(await Promise.all(WAY_NAMES.map(open))) as Record<WayName, Opened>;
    return new OperationsRun(opened, new OperationLoads(meter, receiver), sources);
  }

  /** Deposits are always made: lists and deliveries need them. */
  async warmUp(kinds: readonly OperationKind[]): Promise<void> {
    for (const name of WAY_NAMES) {
      const opened = this.opened[name];
      progress(`warming up ${name}: deposits, ${kinds.map((kind) => kind.name).join(', ')}`);
      await makeListed(opened.client, opened.account);
      for (const kind of kinds) if (kind.name !== 'deposit') await this.loads.warmUp(opened, kind, WARM_UP);
    }
  }

  async rounds(kinds: readonly OperationKind[], rounds: number, seconds: number): Promise<void> {
    for (let number = 1; number <= rounds; number += 1) {
      for (const kind of kinds) {
        const { opened, loads } = this;
        const round: Round = {
          service: await loads.measure(opened.service, kind, seconds),
          floor: await loads.measure(opened.floor, kind, seconds),
          plain: await loads.measure(opened.plain, kind, seconds),
        };
        this.measured.set(kind.name, [...(this.measured.get(kind.name) ?? []), round]);
        const told = WAY_NAMES.map((name) => {
          const { use, perSecond } = round[name];
          return `${name} ${rounded(total(use))} ms, ${Math.round(perSecond)}/s`;
        });
        progress(`round ${number} of ${rounds}, ${kind.name}: ${told.join('; ')}`);
      }
    }
  }

  async figuresOf(kinds: readonly OperationKind[], seconds: number): Promise<Map<OperationName, OperationFigures>> {
    const figures = new Map<OperationName, OperationFigures>();
    const { service } = this.opened;
    for (const kind of kinds) {
      const waited = await alone(service, kind);
      const errors = await errorsOfMany(service, kind, seconds);
      progress(`${kind.name}: alone ${waited?.p50Ms.toFixed(1) ?? '–'} ms, 5xx with 256 callers ${errors ?? '–'}`);
      figures.set(kind.name, figuresOf(this.measured.get(kind.name) ?? [], waited, errors));
    }
    return figures;
  }

  /** Last, as the statements are logged meanwhile. */
  async counted(kinds: readonly OperationKind[], seconds: number): Promise<Map<OperationName, Counted>> {
    const counted = new Map<OperationName, Counted>();
    const { service } = this.opened;
    for (const kind of kinds) {
      progress(`${kind.name}: counting what it sets off`);
      const underLoad = await trafficOf(this.sources, async () => {
        const { operations } = await this.loads.work(service, kind, seconds);
        return operations;
      });
      const byItself = await trafficOf(this.sources, () => oneByOne(this.loads, service, kind, COUNTED_ALONE));
      counted.set(kind.name, { underLoad, alone: byItself });
    }
    return counted;
  }

  close(): void {
    for (const { client } of Object.values(this.opened)) client.close();
  }
}

interface Results {
  figures: ReadonlyMap<OperationName, OperationFigures>;
  counted: ReadonlyMap<OperationName, Counted>;
  steps: ReadonlyMap<OperationName, Step[][]>;
}

function report(kinds: readonly OperationKind[], { figures, counted, steps }: Results, json: boolean): void {
  const operations: Record<string, unknown> = {};
  for (const kind of kinds) {
    const [own, counts] = [figures.get(kind.name), counted.get(kind.name)];
    if (own === undefined || counts === undefined) continue;
    operations[kind.name] = { ...own, counted: { under_load: counts.underLoad, alone: counts.alone } };
    const table = tableOf(kind, own, counts, steps.get(kind.name) ?? []);
    if (json) process.stderr.write(`${table}\n`);
    else process.stdout.write(`${table}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ operations: withThreeDigits(operations) })}\n`);
}

void main();
