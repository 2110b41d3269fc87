/** The faults of the servers, one after the other; each is over when every kind of write is acknowledged again. */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import type { NatsCluster } from './nats-cluster';
import { seconds } from './report';
import type { Recovery, RetryingLoad } from './retrying-load';
import type { Site } from './site';

const RECOVERED_WITHIN_MS = 45_000;
/** How long a server stays away when the others can work without it. */
const AWAY_MS = 8_000;
/** How long the address leads to a standby before it is promoted. */
const TOO_EARLY_MS = 3_000;
const POLL_MS = 50;

export interface ServerFault {
  what: string;
  inflict: (site: Site, tell: Tell) => Promise<Recovery>;
}

/** The faults of one round. It kills the brokers in turn: the leader at its beginning, then the other two. */
export function faultsOfRound(): ServerFault[] {
  let inTurns: string[] = [];
  const killBroker = async ({ cluster, load }: Site, turn: number, tell: Tell): Promise<Recovery> => {
    const { leader, replicas, created } = await cluster.stream();
    if (replicas !== cluster.servers.length) throw new OperatorError(`The stream has ${replicas} replicas.`);
    const others = cluster.servers.map(({ name }) => name).filter((name) => name !== leader);
    if (turn === 0) inTurns = [leader, ...others];
    const victim = cluster.named(inTurns[turn] ?? leader);
    const at = Date.now();
    await cluster.kill(victim);
    const recovery = await recovered(load, at, tell);
    await delay(AWAY_MS);
    await cluster.revive(victim);
    await requireSameStream(cluster, created);
    return recovery;
  };
  return [
    { what: "The stream's leader is killed", inflict: (site, tell) => killBroker(site, 0, tell) },
    { what: 'The next broker is killed', inflict: (site, tell) => killBroker(site, 1, tell) },
    { what: 'The third broker is killed', inflict: (site, tell) => killBroker(site, 2, tell) },
    { what: 'Two brokers are killed at once', inflict: killTwoBrokers },
    {
      what: 'The primary is killed, the standby promoted, the address moved',
      inflict: (site, tell) => failOver(site, { movesEarly: false }, tell),
    },
    {
      what: 'The primary is killed, the address moved, the standby promoted later',
      inflict: (site, tell) => failOver(site, { movesEarly: true }, tell),
    },
    { what: 'The standby is killed', inflict: loseStandby },
  ];
}

/** A single server can't write to the stream: requests go on, and facts wait for the others. */
async function killTwoBrokers({ cluster, load }: Site, tell: Tell): Promise<Recovery> {
  const { created } = await cluster.stream();
  const victims = cluster.servers.slice(0, 2);
  const at = Date.now();
  await Promise.all(victims.map((victim) => cluster.kill(victim)));
  const recovery = await recovered(load, at, tell);
  await delay(AWAY_MS);
  await Promise.all(victims.map((victim) => cluster.revive(victim)));
  await requireSameStream(cluster, created);
  return recovery;
}

async function requireSameStream(cluster: NatsCluster, created: string): Promise<void> {
  const found = await cluster.stream();
  if (found.created !== created)
    throw new OperatorError(`The stream is another: ${found.created} instead of ${created}.`);
}

/** Afterwards the new primary gets a standby of its own. */
async function failOver({ pair, load }: Site, { movesEarly }: { movesEarly: boolean }, tell: Tell): Promise<Recovery> {
  const at = Date.now();
  await pair.killPrimary();
  if (movesEarly) {
    pair.moveAddress();
    await delay(TOO_EARLY_MS);
    await pair.promote();
  } else {
    await pair.promote();
    pair.followPrimary();
  }
  const recovery = await recovered(load, at, tell);
  await pair.addStandby();
  return recovery;
}

/** No write is acknowledged while there is no server for the second copy. */
async function loseStandby({ pair, load }: Site, tell: Tell): Promise<Recovery> {
  await pair.killStandby();
  const lost = Date.now();
  await delay(AWAY_MS);
  const meanwhile = load.acknowledged.filter(({ kind, at, tookMs }) => kind === 'payout' && at - tookMs > lost);
  if (meanwhile.length > 0)
    throw new OperatorError(`${meanwhile.length} payouts were acknowledged that are on one disk only.`);
  const at = Date.now();
  await pair.reviveStandby();
  return recovered(load, at, tell);
}

async function recovered(load: RetryingLoad, moment: number, tell: Tell): Promise<Recovery> {
  const deadline = Date.now() + RECOVERED_WITHIN_MS;
  while (Date.now() < deadline) {
    const recovery = load.recoveryFrom(moment);
    if (recovery) {
      tell(`writes again after ${seconds(recovery.first_ms)} s, all kinds after ${seconds(recovery.all_ms)} s`);
      return recovery;
    }
    await delay(POLL_MS);
  }
  throw new OperatorError(`Not every kind of write was acknowledged again within ${RECOVERED_WITHIN_MS / 1_000} s.`);
}
