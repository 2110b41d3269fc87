/**
 * Twice as many payouts as the stack can do, for a minute. First the peak: a closed loop, which offers no more than is
 * answered, while payouts settle beside. Then an open loop at twice that pace, which sends each payout when it is due,
 * whatever becomes of those before it. Counted: what was accepted, how long that took from when it was due, how fast
 * the rest was refused, the memory of every process meanwhile; then each accepted payout is looked for in the ledger.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { given } from '@stablecoin/benchmarking/given';
import { median, percentile, sustained } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { Client as Postgres } from 'pg';
import { Answer, HttpClient } from './http-client';

const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 8;
const PEAK_SECONDS = 20;
const OVERLOAD_SECONDS = 60;
const TIMES_THE_PEAK = 2;
/** More than are ever open: nothing waits in the generator. */
const CONNECTIONS = 4_000;
const SETTLED_WITHIN_MS = 120_000;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const PAYOUT = { currency: 'USDT', amount: '1.00', address: ADDRESS, network: 'erc20' };
const MEGABYTE_KIB = 1_024;

interface Outcome {
  kind: 'accepted' | 'refused' | 'unknown' | 'failed';
  /** From when it was due. */
  ms: number;
  id?: string;
}

async function main(): Promise<void> {
  const service = new HttpClient(given('BASE_URL'), given('API_KEY'), CONNECTIONS);
  const wallet = await service.created<{ id: string }>('/wallets', { currency: 'USDT', network: 'erc20' });
  await service.created('/sandbox/deposits', { wallet_id: wallet.id, amount: '900000000' });
  const peak = await peakOf(service);
  await settled(service);

  progress(`offering ${Math.round(peak * TIMES_THE_PEAK)}/s, twice the peak, for ${OVERLOAD_SECONDS} s`);
  const memory = new Memory(JSON.parse(given('STACK_PIDS')) as Record<string, number>);
  const usedBefore = process.cpuUsage();
  const { outcomes, lagsMs } = await openLoop(service, peak * TIMES_THE_PEAK, OVERLOAD_SECONDS);
  const { user, system } = process.cpuUsage(usedBefore);
  const resident = memory.stop();
  await settled(service);
  const kept = await accountedFor(outcomes);
  service.close();

  const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).map(({ ms }) => ms);
  const [accepted, refused] = [of('accepted'), of('refused')];
  const figures: Figures = {
    peak_per_second: peak,
    offered_per_second: outcomes.length / OVERLOAD_SECONDS,
    accepted_per_second: accepted.length / OVERLOAD_SECONDS,
    accepted_to_peak: accepted.length / OVERLOAD_SECONDS / peak,
    accepted_p50_ms: percentile(accepted, 50),
    accepted_p99_ms: percentile(accepted, 99),
    accepted_max_ms: Math.max(...accepted),
    refused: refused.length,
    ...(refused.length > 0 && { refused_p50_ms: percentile(refused, 50), refused_p99_ms: percentile(refused, 99) }),
    unknown: of('unknown').length,
    failed: of('failed').length,
    ...kept,
    ...resident,
    generator_cores: (user + system) / 1e6 / OVERLOAD_SECONDS,
    generator_lag_p99_ms: percentile(lagsMs, 99),
  };
  report(figures, process.argv.includes('--json'));
}

async function peakOf(service: HttpClient): Promise<number> {
  const pay = async () => {
    const { status, body } = await service.post('/payouts/wallets', PAYOUT);
    if (status >= 300) throw new Error(`answered ${status}: ${body}`);
  };
  progress(`warming up for ${WARM_UP_SECONDS} s, then the peak for ${PEAK_SECONDS} s`);
  await sustained({ inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS, work: pay });
  const { perSecond } = await sustained({ inFlight: IN_FLIGHT, seconds: PEAK_SECONDS, work: pay });
  progress(`the peak: ${Math.round(perSecond)}/s`);
  return perSecond;
}

/** Sends at a steady pace, whether or not the answers keep up, and waits for those that are still to come. */
async function openLoop(service: HttpClient, perSecond: number, seconds: number) {
  const outcomes: Outcome[] = [];
  const lagsMs: number[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const due = startedAt + (number * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await delay(wait);
    lagsMs.push(Math.max(0, performance.now() - due));
    running.push(
      service.post('/payouts/wallets', PAYOUT).then(
        (answer) => void outcomes.push(outcomeOf(answer, performance.now() - due)),
        () => void outcomes.push({ kind: 'failed', ms: performance.now() - due }),
      ),
    );
  }
  await Promise.all(running);
  return { outcomes, lagsMs };
}

function outcomeOf({ status, body, headers }: Answer, ms: number): Outcome {
  if (status < 300) return { kind: 'accepted', ms, id: (JSON.parse(body) as { data: { id: string } }).data.id };
  if (status !== 503 || !headers['retry-after']) return { kind: 'failed', ms };
  return { kind: headers['x-outcome'] === 'none' ? 'refused' : 'unknown', ms };
}

/** Until no payout is PENDING: what was accepted is done to the end. */
async function settled(service: HttpClient): Promise<void> {
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { body } = await service.get('/transactions?status=PENDING&limit=1');
    const pending = (JSON.parse(body) as { pagination?: { total: number } }).pagination?.total;
    if (pending === 0) return;
    if (performance.now() > until) throw new Error(`${pending} payouts were not settled in time`);
    await delay(250);
  }
}

/** How many of the accepted payouts the ledger does not have, and how many it has that nobody was told of. */
async function accountedFor(outcomes: readonly Outcome[]): Promise<Figures> {
  const ids = outcomes.flatMap(({ id }) => id ?? []);
  const database = new Postgres({ connectionString: given('LEDGER_DATABASE_URL') });
  await database.connect();
  const { rows } = await database.query<{ kept: number }>(
    `SELECT count(*)::int AS kept FROM transactions WHERE id = ANY ($1::uuid[]) AND status = 'COMPLETED'`,
    [ids],
  );
  await database.end();
  return { accepted: ids.length, lost: ids.length - (rows[0]?.kept ?? 0) };
}

/** Resident memory of each process, once a second. */
class Memory {
  private readonly samples = new Map<string, number[]>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pids: Record<string, number>) {
    this.timer = setInterval(() => this.look(), 1_000);
  }

  /** The median of the second and of the last quarter: the first one is where caches and heaps fill. */
  stop(): Figures {
    clearInterval(this.timer);
    return Object.fromEntries(
      [...this.samples].flatMap(([name, values]) => {
        const quarter = Math.floor(values.length / 4);
        if (quarter === 0) return [];
        const early = median(values.slice(quarter, 2 * quarter));
        const late = median(values.slice(-quarter));
        const key = name.replaceAll('-', '_');
        return [
          [`${key}_mb`, late],
          [`${key}_memory_growth`, late / early],
        ];
      }),
    );
  }

  private look(): void {
    for (const [name, pid] of Object.entries(this.pids)) {
      const kib = residentKib(pid);
      if (kib === undefined) continue;
      const values = this.samples.get(name) ?? [];
      values.push(kib / MEGABYTE_KIB);
      this.samples.set(name, values);
    }
  }
}

function residentKib(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}

void main();
