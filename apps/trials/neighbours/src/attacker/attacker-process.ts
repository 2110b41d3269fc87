/** One attack, in a process of its own that attacker.ts starts: what the generator costs, the victim's client doesn't pay. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACKS } from '../attacks';
import { Tally } from '../load/tally';
import type { AttackOrder, AttackReport } from './attacker';

/** For what a load counts when it hears of the end. */
const COUNTED_WITHIN_MS = 100;
/** For what a load removes behind it. */
const CLEANED_WITHIN_MS = 20_000;

process.on('disconnect', () => process.exit(2));
process.once('message', (order: AttackOrder) => void attack(order));
process.send?.('started');

async function attack({ name, baseUrl, attacker, seconds }: AttackOrder): Promise<void> {
  const found = ATTACKS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no attack ${name}`);
  const load = found.load(attacker);
  const tally = new Tally();
  const over = new AbortController();
  const lag = monitorEventLoopDelay({ resolution: 10 });
  process.send?.('begun');
  lag.enable();
  const reported = delay(seconds * 1_000).then(async () => {
    over.abort();
    await delay(COUNTED_WITHIN_MS);
    return report({ ...tally.told, cores: coresUsed(seconds), lagMs: lag.max / 1e6 });
  });
  const loaded = load({ baseUrl, attacker, seconds, tally, signal: over.signal });
  await Promise.race([Promise.all([loaded, reported]), delay(seconds * 1_000 + CLEANED_WITHIN_MS)]);
  process.exit(0);
}

const report = (told: AttackReport): Promise<void> =>
  new Promise((sent) => {
    process.send?.(told, () => sent());
  });

function coresUsed(seconds: number): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 / seconds;
}
