/**
 * One run: nothing acknowledged is lost, whatever breaks.
 *
 *   main.ts, launcher/  starts Postgres and the broker, keeps them running, and starts this process
 *   stack/              starts the five services behind proxies of their own, and starts again what died
 *   injection/          kills, pauses, outages, one after the other, each after the recovery from the last one; beside
 *                       them, at their own pace, connections cut, half-opened and slowed down. The seed decides all
 *
 * and of libs/testing/src/trial, which other trials under traffic have as well:
 *
 *   traffic/            merchants at work over HTTP; the model: every operation acknowledged, refused or unknown, where
 *                       unknown ones are sent again under the same key until their outcome is known
 *   recoveries          how long until every kind of operation works again on every shard
 *   oracle/             all the while: every balance = its last event; at the end: model = log = wallets over HTTP =
 *                       payouts at the rail = merchants' events = what the auditor says
 *
 * Bounded: operations that are open (traffic), the time of a recovery, of the end, and of each command; a run that is
 * interrupted stops what it started and judges nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Drawing } from '@stablecoin/testing/drawing';
import { keepEvidence } from '@stablecoin/testing/trial/evidence';
import { judge } from '@stablecoin/testing/trial/oracle/oracle';
import { ProjectionWatch } from '@stablecoin/testing/trial/oracle/projection-watch';
import { progress } from '@stablecoin/testing/trial/progress';
import { Felt, GIVEN_UP_MS, Recoveries, recoveryMs, toldCapabilities } from '@stablecoin/testing/trial/recoveries';
import { Arrivals } from '@stablecoin/testing/trial/traffic/arrivals';
import { MeasuredClient } from '@stablecoin/testing/trial/traffic/measured-client';
import { registerMerchants } from '@stablecoin/testing/trial/traffic/merchants';
import { RequestLog } from '@stablecoin/testing/trial/traffic/request-log';
import { Traffic } from '@stablecoin/testing/trial/traffic/traffic';
import { ledgerUrls } from '@stablecoin/testing/trial/trial-stack';
import { ConnectionFaults } from './injection/connection-faults';
import { CONTROL, Fault, faultSequence, KILLS } from './injection/fault-sequence';
import { Injector, NotPossible } from './injection/injector';
import { printed, reportOf, RunFacts } from './report/report';
import { FaultPlan, FaultStack } from './stack/fault-stack';
import { Servers } from './stack/servers';
import { Services } from './stack/services';

const SHARDS = 4;
const WARM_UP_MS = 3_000;
/** Between two faults, when the time for them is not given. */
const KILL_MS = 5_000;
const LONG_FAULT_MS = 15_000;
const BREATH_MS = { least: 200, most: 1_000 };
const END_TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 10;
const ATTEMPT_PAUSE_MS = 1_000;
const SILENT_FOR_LONG =
  'before 2.10 it keeps a connection that is silently gone for as long as it writes to it: recoveries from half-open ' +
  'connections, and from what falls into them, take up to 20 s';

export async function faultRun(plan: FaultPlan, stack: FaultStack, interrupted: AbortSignal): Promise<number> {
  const servers = new Servers();
  await servers.known;
  progress(`seed ${plan.seed}: ${plan.kills} kills, ${plan.cuts} cuts; logs in ${stack.logs}`);
  if (writesToTheSilent(stack.nats_version)) progress(`nats-server ${stack.nats_version}: ${SILENT_FOR_LONG}`);
  const services = await Services.start(stack, servers);
  try {
    const facts = await underFaults({ plan, stack, servers, services, interrupted });
    if (!facts) return 2;
    const report = reportOf(facts);
    process.stderr.write(printed(report));
    if (!report.ok) progress(`logs and report are kept in ${keepEvidence('faults', stack.logs, report)}`);
    if (plan.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    return report.ok ? 0 : 1;
  } finally {
    progress('stopping the services');
    await services.stop();
  }
}

interface Ground {
  plan: FaultPlan;
  stack: FaultStack;
  servers: Servers;
  services: Services;
  interrupted: AbortSignal;
}

/** @returns undefined when it was interrupted */
async function underFaults(ground: Ground): Promise<RunFacts | undefined> {
  const { plan, stack, services, interrupted } = ground;
  const requests = new RequestLog();
  const client = new MeasuredClient(services.baseUrl, (attempt, asked) => requests.record(attempt, asked));
  const merchants = await registerMerchants(stack, client, SHARDS);
  const recoveries = new Recoveries(merchants.map(({ shard }) => shard));
  const draw = new Drawing(plan.seed);
  const arrivals = new Arrivals(merchants, draw, () => recoveries.awaited());
  const traffic = new Traffic(client, merchants, arrivals, draw, (kind, shard, sentAt) =>
    recoveries.succeeded(kind, shard, sentAt),
  );
  const projections = new ProjectionWatch(() => ledgerUrls(ground.servers.reached(stack)));
  try {
    await traffic.fund();
    projections.start();
    const startedAt = Date.now();
    traffic.start();
    await delay(WARM_UP_MS);
    const { kills, cuts, notPossible } = await injectAll(ground, { recoveries, requests, traffic });
    const seconds = (Date.now() - startedAt) / 1_000;
    progress(`the last fault is over; ${traffic.open} operations are open`);
    await traffic.end(interrupted.aborted ? 0 : END_TIMEOUT_MS);
    await projections.stop();
    if (interrupted.aborted) return undefined;
    const { operations, contradictions } = traffic;
    const reached = ground.servers.reached(stack);
    const verdict = await judge({ stack: reached, client, merchants, operations, tell: progress });
    return {
      ...{ seed: plan.seed, natsVersion: stack.nats_version, asked: plan, made: { kills, cuts } },
      ...{ seconds, requests, operations, contradictions },
      ...{ felt: recoveries.all, notPossible, verdict, projections },
      unaskedEnds: services.unaskedEnds,
    };
  } finally {
    await projections.stop();
    client.close();
  }
}

interface Meters {
  recoveries: Recoveries;
  requests: RequestLog;
  traffic: Traffic;
}

async function injectAll({ plan, stack, servers, services, interrupted }: Ground, meters: Meters) {
  const { recoveries, requests, traffic } = meters;
  const draw = new Drawing(plan.seed + 1);
  const sequence = faultSequence(plan.kills, draw);
  const milliseconds = durationMs(plan, sequence);
  const injector = new Injector(stack, servers, services, recoveries, requests, draw, plan.brokerAwayMs, interrupted);
  const connections = new ConnectionFaults(services.links, recoveries, new Drawing(plan.seed + 2));
  interrupted.addEventListener('abort', () => {
    connections.stop();
    recoveries.stop();
  });
  const cutting = connections.run(plan.cuts, milliseconds);
  const startedAt = Date.now();
  const notPossible = new Map<string, string>();
  let kills = 0;
  const isInterrupted = () => interrupted.aborted;
  for (const [index, fault] of sequence.entries()) {
    const dueAt = plan.minutes === undefined ? 0 : startedAt + (milliseconds * index) / sequence.length;
    await pause(Math.max(dueAt - Date.now(), draw.between(BREATH_MS.least, BREATH_MS.most)), interrupted);
    if (isInterrupted()) break;
    const felt = await attempted(injector, fault, notPossible, interrupted);
    if (!felt) continue;
    await recoveries.until(felt, GIVEN_UP_MS);
    if (isInterrupted()) break;
    if (isKill(fault)) kills += 1;
    const perSecond = Math.round((requests.total * 1_000) / (Date.now() - startedAt));
    progress(
      `${index + 1}/${sequence.length} ${fault}: ${told(felt)}; ${connections.cuts} cuts, ` +
        `${perSecond} requests/s, ${traffic.open} open, ${requests.late} late`,
    );
  }
  await cutting;
  // The traffic goes on until then: a recovery shows only in a request that succeeds.
  if (!interrupted.aborted) await recoveries.untilAll(GIVEN_UP_MS);
  return { kills, cuts: connections.cuts, notPossible };
}

/** A fault that can't be injected just now (no backend to be found, while Postgres recovers) is tried again. */
async function attempted(
  injector: Injector,
  fault: Fault,
  notPossible: Map<string, string>,
  interrupted: AbortSignal,
): Promise<Felt | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && !interrupted.aborted; attempt += 1) {
    try {
      return await injector.inject(fault);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof NotPossible) {
        notPossible.set(fault, message);
        progress(`${fault}: not possible on this machine: ${message}`);
        return undefined;
      }
      progress(`${fault}: not injected yet: ${message}`);
      await pause(ATTEMPT_PAUSE_MS, interrupted);
    }
  }
  return undefined;
}

const writesToTheSilent = (version: string): boolean => /^(1|2\.[0-9])\./.test(version);

const isKill = (fault: Fault): boolean => (KILLS as readonly string[]).includes(fault);

function told(felt: Felt): string {
  const ms = recoveryMs(felt);
  const how = ms === undefined ? 'NOT recovered' : `recovered in ${(ms / 1_000).toFixed(1)} s`;
  return `${how}, ${toldCapabilities(felt)}`;
}

function durationMs({ minutes, cuts }: FaultPlan, sequence: readonly Fault[]): number {
  if (minutes !== undefined) return minutes * 60_000;
  const short = sequence.filter((fault) => isKill(fault) || fault === CONTROL).length;
  const estimated = short * KILL_MS + (sequence.length - short) * LONG_FAULT_MS;
  return Math.max(estimated, cuts * 100);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
