/**
 * Twice as many payouts as the stack can do, for a minute. First the peak: a closed loop, which offers no more than is
 * answered, while payouts settle beside. Then an open loop at twice that pace, which sends each payout when it is due,
 * whatever becomes of those before it. Counted: what was accepted, how long that took from when it was due, how fast
 * the rest was refused, the memory of every process meanwhile; then each accepted payout is looked for in the ledger.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { given } from '@stablecoin/benchmarking/given';
import { sustained, timed } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import { Client as Postgres } from 'pg';
import { countedSince, kernelCounters } from './kernel-counters';
import { of, openLoop, Outcome, spread, tellSlowest, timesOf } from './open-loop';
import { ResidentMemory } from './resident-memory';
import { settled } from './settled';

const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 8;
const PEAK_SECONDS = 20;
const OVERLOAD_SECONDS = 60;
const TIMES_THE_PEAK = 2;
/** More than are ever open: nothing waits in the generator. */
const CONNECTIONS = 4_000;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const PAYOUT = { currency: 'USDT', amount: '1.00', address: ADDRESS, network: 'erc20' };
const PROBE_EVERY_MS = 50;

async function main(): Promise<void> {
  const service = new MerchantClient({
    baseUrl: given('BASE_URL'),
    apiKey: given('API_KEY'),
    connections: CONNECTIONS,
  });
  const wallet = await dataOf(service.post<{ id: string }>('/wallets', { currency: 'USDT', network: 'erc20' }));
  await dataOf(service.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '900000000' }));
  const peak = await peakOf(service);
  await settled(service);

  progress(`offering ${Math.round(peak * TIMES_THE_PEAK)}/s, twice the peak, for ${OVERLOAD_SECONDS} s`);
  const memory = new ResidentMemory(JSON.parse(given('STACK_PIDS')) as Record<string, number>);
  const probe = new Probe();
  const [usedBefore, countedBefore] = [process.cpuUsage(), kernelCounters()];
  const pay = () => service.post<{ id: string }>('/payouts/wallets', PAYOUT);
  const outcomes = await openLoop(pay, peak * TIMES_THE_PEAK, OVERLOAD_SECONDS);
  const { user, system } = process.cpuUsage(usedBefore);
  const beside = { ...countedSince(countedBefore), ...(await probe.stop()), ...memory.stop() };
  tellSlowest(outcomes);
  await settled(service);
  const kept = await accountedFor(outcomes);
  service.close();

  const accepted = of(outcomes, 'accepted').length;
  const figures: Figures = {
    peak_per_second: peak,
    offered_per_second: outcomes.length / OVERLOAD_SECONDS,
    accepted_per_second: accepted / OVERLOAD_SECONDS,
    accepted_to_peak: accepted / OVERLOAD_SECONDS / peak,
    refused: of(outcomes, 'refused').length,
    unknown: of(outcomes, 'unknown').length,
    failed: of(outcomes, 'failed').length,
    ...kept,
    ...timesOf(outcomes),
    ...beside,
    generator_cores: (user + system) / 1e6 / OVERLOAD_SECONDS,
  };
  report(figures, process.argv.includes('--json'));
}

async function peakOf(service: MerchantClient): Promise<number> {
  const pay = () => successOf(service.post('/payouts/wallets', PAYOUT));
  progress(`warming up for ${WARM_UP_SECONDS} s, then the peak for ${PEAK_SECONDS} s`);
  await sustained({ inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS, work: pay });
  const { perSecond } = await sustained({ inFlight: IN_FLIGHT, seconds: PEAK_SECONDS, work: pay });
  progress(`the peak: ${Math.round(perSecond)}/s`);
  return perSecond;
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

/** How many payouts were accepted, and how many of them the ledger does not have. */
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

void main();
