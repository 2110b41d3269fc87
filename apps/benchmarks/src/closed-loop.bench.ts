/**
 * 256 callers of one kind of request, each of which asks again as soon as it is answered, on an otherwise idle stack: what
 * they get done, how long each waits, and how many are turned away. One kind after the other, or `--kind`. A service that
 * has the time turns none away: the goal is no 5xx at all.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { sustained } from '@stablecoin/benchmarking/measure';
import { type Figures, progress, report } from '@stablecoin/benchmarking/report';
import { MerchantClient, UnansweredRequest } from '@stablecoin/testing/merchant-client';
import { spread } from './open-loop';
import { type Account, openAccount, REQUEST_KINDS, requestKind, type RequestKind } from './request-kinds';
import { settled } from './settled';

const CALLERS = 256;
const WARM_UP_SECONDS = 3;
const SECONDS = '15';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { kind: { type: 'string' }, seconds: { type: 'string', default: SECONDS }, json: { type: 'boolean' } },
  });
  const kinds = values.kind === undefined ? REQUEST_KINDS : [requestKind(values.kind)];
  const service = new MerchantClient({
    baseUrl: given('BASE_URL'),
    apiKey: given('API_KEY'),
    connections: CALLERS,
  });
  const account = await openAccount(service);
  const figures: Figures = {};
  for (const kind of kinds) {
    await closedLoop(service, account, kind, WARM_UP_SECONDS);
    const measured = await closedLoop(service, account, kind, Number(values.seconds));
    progress(`${kind.name}: ${Object.entries(measured).map(told).join(', ')}`);
    for (const [name, value] of Object.entries(measured)) figures[`${kind.name.replaceAll('-', '_')}_${name}`] = value;
    await settled(service);
  }
  service.close();
  report(figures, values.json === true);
}

async function closedLoop(
  service: MerchantClient,
  account: Account,
  kind: RequestKind,
  seconds: number,
): Promise<Record<string, number>> {
  const times: number[] = [];
  const ended = { answered_5xx: 0, refused_4xx: 0, unanswered: 0 };
  const work = async () => {
    const askedAt = performance.now();
    const status = await statusOf(kind, service, account);
    if (status === undefined) ended.unanswered += 1;
    else if (status >= 500) ended.answered_5xx += 1;
    else if (status >= 400) ended.refused_4xx += 1;
    else times.push(performance.now() - askedAt);
  };
  const { finished, perSecond } = await sustained({ inFlight: CALLERS, seconds, work });
  return { per_second: (perSecond * times.length) / finished, ...spreadOf(times), ...ended };
}

/** Undefined when there was no answer. */
async function statusOf(kind: RequestKind, service: MerchantClient, account: Account): Promise<number | undefined> {
  try {
    return (await kind.send(service, account)).answer.status;
  } catch (error) {
    if (error instanceof UnansweredRequest) return undefined;
    throw error;
  }
}

const spreadOf = (times: readonly number[]) => spread('accepted', times) as Record<string, number>;

const told = ([name, value]: [string, number]): string => `${name} ${Math.round(value)}`;

void main();
