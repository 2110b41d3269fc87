/**
 * Twice as many requests of one kind (`--kind`, payouts by default) as the stack can do, for a minute. First the peak: a
 * closed loop, which offers no more than is answered, while payouts settle beside. Then an open loop at twice that pace,
 * which sends each request when it is due, whatever becomes of those before it. Counted: what was accepted, how long that
 * took from when it was due, how fast the rest was refused, the memory of every process meanwhile; then each accepted
 * payout, deposit or swap is looked for in the ledger.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { percentile, sustained, timed } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { MerchantClient } from '@stablecoin/testing/merchant-client';
import { Client as Postgres } from 'pg';
import { countedSince, kernelCounters } from './kernel-counters';
import { of, openLoop, Outcome, spread, tellSlowest, timesOf } from './open-loop';
import { type Account, openAccount, requestKind, type RequestKind } from './request-kinds';
import { ResidentMemory } from './resident-memory';
import { settled } from './settled';

const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 8;
const PEAK_SECONDS = 20;
const OVERLOAD_SECONDS = '60';
const TIMES_THE_PEAK = 2;
/** More than are ever open: nothing waits in the generator. */
const CONNECTIONS = 4_000;
const PROBE_EVERY_MS = 50;
/** The goals: docs/PERFORMANCE.md. */
const REFUSED_P99_MS = 50;
const ACCEPTED_WITHIN_MS = 5_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'payout' },
      seconds: { type: 'string', default: OVERLOAD_SECONDS },
      json: { type: 'boolean' },
    },
  });
  const kind = requestKind(values.kind);
  const seconds = Number(values.seconds);
  const service = new MerchantClient({
    baseUrl: given('BASE_URL'),
    apiKey: given('API_KEY'),
    connections: CONNECTIONS,
  });
  const account = await openAccount(service);
  const peak = await peakOf(service, account, kind);
  await settled(service);

  progress(`offering ${Math.round(peak * TIMES_THE_PEAK)}/s, twice the peak, for ${seconds} s`);
  const memory = new ResidentMemory(JSON.parse(given('STACK_PIDS')) as Record<string, number>);
  const probe = new Probe();
  const [usedBefore, countedBefore] = [process.cpuUsage(), kernelCounters()];
  const send = () => kind.send(service, account);
  const outcomes = await openLoop(send, kind, { perSecond: peak * TIMES_THE_PEAK, seconds });
  const { user, system } = process.cpuUsage(usedBefore);
  const beside = { ...countedSince(countedBefore), ...(await probe.stop()), ...memory.stop() };
  tellSlowest(outcomes);
  await settled(service);
  const kept = await accountedFor(outcomes, kind);
  service.close();

  const accepted = of(outcomes, 'accepted').length;
  const figures: Figures = {
    kind: kind.name,
    peak_per_second: peak,
    offered_per_second: outcomes.length / seconds,
    accepted_per_second: accepted / seconds,
    accepted_to_peak: accepted / seconds / peak,
    refused: of(outcomes, 'refused').length,
    unknown: of(outcomes, 'unknown').length,
    failed: of(outcomes, 'failed').length,
    ...kept,
    goals: missedGoals(outcomes, kept.lost).join('; ') || 'met',
    ...timesOf(outcomes),
    ...beside,
    generator_cores: (user + system) / 1e6 / seconds,
  };
  report(figures, values.json === true);
}

function missedGoals(outcomes: readonly Outcome[], lost: number): string[] {
  const [accepted, refused] = [of(outcomes, 'accepted'), of(outcomes, 'refused')];
  const failed = of(outcomes, 'failed').length;
  const slowest = accepted.length > 0 ? percentile(accepted, 100) : 0;
  const refusedP99 = refused.length > 0 ? percentile(refused, 99) : 0;
  return [
    ...(slowest > ACCEPTED_WITHIN_MS ? [`accepted after ${Math.round(slowest)} ms`] : []),
    ...(refusedP99 > REFUSED_P99_MS ? [`refused after ${Math.round(refusedP99)} ms (p99)`] : []),
    ...(failed > 0 ? [`${failed} neither accepted nor refused`] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
  ];
}

/** What a closed loop gets done; what it is refused doesn't count. */
async function peakOf(service: MerchantClient, account: Account, kind: RequestKind): Promise<number> {
  let done = 0;
  const work = async () => {
    const { answer } = await kind.send(service, account);
    if (answer.status < 300) done += 1;
  };
  progress(`warming up for ${WARM_UP_SECONDS} s, then the peak for ${PEAK_SECONDS} s`);
  await sustained({ inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS, work });
  done = 0;
  const { finished, perSecond } = await sustained({ inFlight: IN_FLIGHT, seconds: PEAK_SECONDS, work });
  const peak = (perSecond * done) / finished;
  progress(`the peak: ${Math.round(peak)}/s`);
  return peak;
}

/** How late the gateway's event loop answers what costs it nothing, all the while. */
class Probe {
  private readonly client = new MerchantClient({
    baseUrl: new URL(given('BASE_URL')).origin,
    apiKey: given('API_KEY'),
    connections: 1,
  });
  private readonly timesMs: number[] = [];
  private over = false;
  private readonly probing = this.probe();

  async stop(): Promise<Figures> {
    this.over = true;
    await this.probing;
    this.client.close();
    return spread('gateway_alive', this.timesMs);
  }

  private async probe(): Promise<void> {
    while (!this.over) {
      this.timesMs.push(await timed(() => this.client.get('/health/live')));
      await delay(PROBE_EVERY_MS);
    }
  }
}

/** How many were accepted, and how many of them the ledger does not have; a read leaves nothing there. */
async function accountedFor(
  outcomes: readonly Outcome[],
  { kept }: RequestKind,
): Promise<{ accepted: number; lost: number }> {
  const accepted = of(outcomes, 'accepted').length;
  if (kept === undefined) return { accepted, lost: 0 };
  const database = new Postgres({ connectionString: given('LEDGER_DATABASE_URL') });
  await database.connect();
  const { rows } = await database.query<{ kept: number }>(kept.countSql, [outcomes.flatMap(({ id }) => id ?? [])]);
  await database.end();
  return { accepted, lost: accepted - (rows[0]?.kept ?? 0) };
}

void main();
