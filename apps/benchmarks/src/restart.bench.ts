/**
 * 256 callers that quote and swap, and a swap-pricing that is killed among them and started again by the stack: how soon a swap that
 * was begun afterwards succeeds, and how soon as many do in a second as before. A cold service in front of which everybody waits
 * is what its queue must not be lost in. Callers that are refused ask again when they were asked to.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { progress, report } from '@stablecoin/benchmarking/report';
import { Callers } from '@stablecoin/testing/callers';
import { MerchantClient, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { type Account, openAccount, requestKind } from './request-kinds';

const CALLERS = 256;
const WARM_UP_MS = 10_000;
const BEFORE_MS = 8_000;
const AFTER_MS = 20_000;
const RETRY_AFTER_MS = 1_000;
/** Of the swaps per second before. */
const RECOVERED_SHARE = 0.8;

/** One swap that was asked for, in milliseconds of `performance.now()`. */
interface Turn {
  begunAt: number;
  endedAt: number;
  status: number | undefined;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
  const service = new MerchantClient({ baseUrl: given('BASE_URL'), apiKey: given('API_KEY'), connections: CALLERS });
  const pid = (JSON.parse(given('STACK_PIDS')) as Record<string, number>)['swap-pricing'];
  if (pid === undefined) throw new Error('the stack has no swap-pricing');
  const account = await openAccount(service);
  const turns: Turn[] = [];
  const callers = new Callers();
  callers.start(CALLERS, async () => turns.push(await turn(service, account)));
  await delay(WARM_UP_MS);
  const measuredFrom = performance.now();
  await delay(BEFORE_MS);
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  progress('swap-pricing was killed');
  await delay(AFTER_MS);
  await callers.stop();
  service.close();

  const swaps = turns.filter(({ status }) => status !== undefined && status < 300);
  const before = swaps.filter(({ endedAt }) => endedAt > measuredFrom && endedAt <= killedAt).length;
  const perSecondBefore = (before * 1_000) / BEFORE_MS;
  const first = Math.min(...swaps.filter(({ begunAt }) => begunAt > killedAt).map(({ endedAt }) => endedAt));
  const after = turns.filter(({ endedAt }) => endedAt > killedAt);
  report(
    {
      swaps_per_second_before: perSecondBefore,
      first_swap_after_ms: first - killedAt,
      as_many_as_before_after_ms: recoveredAt(swaps, killedAt, RECOVERED_SHARE * perSecondBefore) - killedAt,
      slowest_ms: Math.max(...after.map(({ begunAt, endedAt }) => endedAt - begunAt)),
      answered_5xx: after.filter(({ status }) => status !== undefined && status >= 500).length,
      unanswered: after.filter(({ status }) => status === undefined).length,
    },
    values.json === true,
  );
}

async function turn(service: MerchantClient, account: Account): Promise<Turn> {
  const begunAt = performance.now();
  const status = await statusOf(service, account);
  const endedAt = performance.now();
  if (status === undefined || status >= 400) await delay(RETRY_AFTER_MS);
  return { begunAt, endedAt, status };
}

async function statusOf(service: MerchantClient, account: Account): Promise<number | undefined> {
  try {
    return (await requestKind('swap').send(service, account)).answer.status;
  } catch (error) {
    if (error instanceof UnansweredRequest) return undefined;
    throw error;
  }
}

/** The begin of the first second after the kill in which as many ended. */
function recoveredAt(swaps: readonly Turn[], killedAt: number, perSecond: number): number {
  const ends = swaps.map(({ endedAt }) => endedAt).filter((endedAt) => endedAt > killedAt);
  const from = ends.sort((one, other) => one - other);
  const index = from.findIndex((start, place) => (from[place + Math.ceil(perSecond)] ?? Infinity) <= start + 1_000);
  return from[index] ?? Infinity;
}

void main();
