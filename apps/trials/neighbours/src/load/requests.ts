import { setTimeout as delay } from 'node:timers/promises';
import { paced } from '@stablecoin/benchmarking/measure';
import { Callers } from '@stablecoin/testing/callers';
import type { MerchantClient } from '@stablecoin/testing/merchant-client';
import type { Attacker } from './attacker-account';
import { attackerClient, keylessClient, type Load, type LoadRun, untilOver } from './load';
import type { Tally } from './tally';

const CONNECTIONS = 128;
/** Beyond it the generator sends less than it should, instead of filling its own memory. */
const UNDER_WAY_MAX = 4_000;
/** A caller that is refused goes on after this long: a loop without it would be the generator's own load. */
const REFUSED_PAUSE_MS = 20;

/** A value, or one made anew for each request, whose number counts from 0. */
type Each<Value> = Value | ((number: number) => Value);

export interface RequestsPlan {
  perSecond: number;
  path: Each<string>;
  /** GET without a body and POST with one, by default. */
  method?: string;
  body?: Each<string>;
  /** The attacker's own by default; null for none. */
  key?: Each<string | null>;
  /** By default each request has one of its own. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  connections?: number;
}

/** Requests at a steady pace, each sent when it is due, whatever became of those before it. */
export const requests =
  (plan: RequestsPlan): Load =>
  async (run) => {
    const { tally, signal } = run;
    const client = keylessClient(run, plan.connections ?? CONNECTIONS);
    let underWay = 0;
    let number = 0;
    const sent = () => {
      if (underWay >= UNDER_WAY_MAX || signal.aborted) {
        tally.count('not sent, too many under way');
        return Promise.resolve();
      }
      underWay += 1;
      void tally.outcomeOf(sendOne(client, plan, run.attacker, number)).finally(() => (underWay -= 1));
      number += 1;
      return Promise.resolve();
    };
    await paced(sent, plan.perSecond, run.seconds);
    await untilOver(signal);
    if (underWay > 0) tally.count('cut off at the end', underWay);
  };

function sendOne(client: MerchantClient, plan: RequestsPlan, attacker: Attacker, number: number) {
  const raw = valueOf(plan.body, number);
  const method = plan.method ?? (raw === undefined ? 'GET' : 'POST');
  const key = plan.key === undefined ? attacker.apiKey : valueOf(plan.key, number);
  const { idempotencyKey, headers } = plan;
  const keyed = key === null ? headers : { ...headers, 'x-api-key': key };
  return client.send(method, valueOf(plan.path, number), undefined, { raw, idempotencyKey, headers: keyed });
}

function valueOf<Value>(each: Each<Value>, number: number): Value {
  return each instanceof Function ? each(number) : each;
}

/** Several callers, each of which sends its next request when the one before is answered. */
export const callers =
  (count: number, turn: (caller: AttackCaller) => Promise<unknown>): Load =>
  async (run) => {
    const { tally, signal } = run;
    const client = attackerClient(run, count);
    const loop = new Callers();
    loop.start(count, async (number) => {
      if (!(await turn({ client, tally, run, number }))) await delay(REFUSED_PAUSE_MS);
    });
    await untilOver(signal);
    void loop.stop();
  };

export interface AttackCaller {
  client: MerchantClient;
  tally: Tally;
  run: LoadRun;
  /** Of the turn. */
  number: number;
}

/** What is made by the first who asks, for as many as `count` in turn. */
export function shared<Asking extends unknown[], Made>(
  count: number,
  make: (...asking: Asking) => Promise<Made>,
): (...asking: Asking) => Promise<Made> {
  let made: Promise<Made> | undefined;
  let left = 0;
  return (...asking) => {
    left -= 1;
    if (made && left > 0) return made;
    left = count;
    made = make(...asking);
    return made;
  };
}

export const once = <Asking extends unknown[], Made>(make: (...asking: Asking) => Promise<Made>) =>
  shared(Infinity, make);

/** Loads at once. */
export const together =
  (...loads: readonly Load[]): Load =>
  async (run) => {
    await Promise.all(loads.map((load) => load(run)));
  };
