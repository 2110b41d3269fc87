/**
 * One run: shards move, and nothing acknowledged is lost, whatever breaks meanwhile.
 *
 *   site        the ledger's databases on servers of their own, the broker, the services with two ledgers
 *   moves       moves without faults, measured; then moves that are struck: repeated, or undone, until they succeed
 *   placement   what each database says of each shard: no shard is ever on two
 *   libs/testing/src/trial
 *     traffic   merchants on every shard; the model: every operation acknowledged, refused or unknown until its outcome is known
 *     oracle    all the while: every balance = its last event; at the end: model = logs = wallets over HTTP = payouts at the rail =
 *               merchants' events = what the auditor says
 *
 * Bounded: each move and the attempts at it, the time of a recovery, of the end, and of each command; a run that is interrupted stops
 * what it started and judges nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '@stablecoin/command-line/terminal';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { Drawing } from '@stablecoin/testing/drawing';
import { keepEvidence } from '@stablecoin/testing/trial/evidence';
import { judge } from '@stablecoin/testing/trial/oracle/oracle';
import { ProjectionWatch } from '@stablecoin/testing/trial/oracle/projection-watch';
import { progress } from '@stablecoin/testing/trial/progress';
import { GIVEN_UP_MS, Recoveries } from '@stablecoin/testing/trial/recoveries';
import { Arrivals } from '@stablecoin/testing/trial/traffic/arrivals';
import { MeasuredClient } from '@stablecoin/testing/trial/traffic/measured-client';
import { registerMerchants } from '@stablecoin/testing/trial/traffic/merchants';
import { RequestLog } from '@stablecoin/testing/trial/traffic/request-log';
import { Traffic } from '@stablecoin/testing/trial/traffic/traffic';
import { ledgerUrls } from '@stablecoin/testing/trial/trial-stack';
import { Latencies } from './latencies';
import { Moves } from './moves';
import { PlacementWatch } from './placement';
import type { ShardsPlan } from './plan';
import { reportOf, RunFacts, RunReport } from './report';
import { SHARDS, Site, startSite, Undo } from './site';
import { strikeSequence } from './strikes';

const WARM_UP_MS = 3_000;
const END_TIMEOUT_MS = 60_000;

export interface RunRequest {
  plan: ShardsPlan;
  databases: number;
  /** For its data, thrown away. */
  folder: string;
  interrupted: AbortSignal;
}

/** @returns undefined when it was interrupted */
export async function shardsRun({ plan, databases, folder, interrupted }: RunRequest): Promise<RunReport | undefined> {
  progress(`seed ${plan.seed}: ${databases} databases, ${plan.moves} moves, ${plan.strikes} more that are struck`);
  const undo: Undo = [];
  try {
    const site = await startSite(folder, databases, undo);
    if (interrupted.aborted) return undefined;
    const facts = await underLoad(site, plan, interrupted);
    if (!facts) return undefined;
    const report = reportOf(facts);
    if (!report.ok) progress(`logs and report are kept in ${keepEvidence('shards', site.logs, report)}`);
    return report;
  } finally {
    for (let last = undo.pop(); last !== undefined; last = undo.pop())
      await last().catch((error: unknown) => say(`  Stopping: ${errorMessage(error)}`));
  }
}

async function underLoad(site: Site, plan: ShardsPlan, interrupted: AbortSignal): Promise<RunFacts | undefined> {
  const { stack, services } = site;
  const requests = new RequestLog();
  const latencies = new Latencies();
  const client = new MeasuredClient(site.baseUrl, (attempt, asked) => {
    requests.record(attempt, asked);
    latencies.record(attempt, asked);
  });
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  const recoveries = new Recoveries(shards);
  const moves = new Moves(site, recoveries, latencies, new Drawing(plan.seed + 1), interrupted);
  const placement = new PlacementWatch(site.databases);
  const projections = new ProjectionWatch(() => ledgerUrls(stack));
  interrupted.addEventListener('abort', () => recoveries.stop());
  try {
    progress('spreading the shards over the databases');
    await moves.spread();
    const merchants = await registerMerchants(stack, client, SHARDS);
    latencies.ofMerchants(merchants);
    const draw = new Drawing(plan.seed);
    const arrivals = new Arrivals(merchants, draw, () => recoveries.awaited());
    const traffic = new Traffic(client, merchants, arrivals, draw, (kind, shard, sentAt) =>
      recoveries.succeeded(kind, shard, sentAt),
    );
    await traffic.fund();
    placement.start();
    projections.start();
    const startedAt = Date.now();
    traffic.start();
    await delay(WARM_UP_MS);
    for (let number = 0; number < plan.moves && !interrupted.aborted; number += 1) await moves.measure();
    const sequence = strikeSequence(plan.strikes, site.databases.length, new Drawing(plan.seed + 2));
    for (const strike of sequence) if (!interrupted.aborted) await moves.strike(strike);
    if (!interrupted.aborted) await recoveries.untilAll(GIVEN_UP_MS);
    const seconds = (Date.now() - startedAt) / 1_000;
    progress(`the last move is over; ${traffic.open} operations are open`);
    await traffic.end(interrupted.aborted ? 0 : END_TIMEOUT_MS);
    await Promise.all([projections.stop(), placement.stop()]);
    if (interrupted.aborted) return undefined;
    const { operations, contradictions } = traffic;
    const verdict = await judge({ stack, client, merchants, operations, tell: progress });
    return {
      ...{ plan, databases: site.databases.length, moves, placement },
      ...{ seconds, requests, operations, contradictions, felt: recoveries.all, verdict, projections },
      unaskedEnds: services.unaskedEnds,
    };
  } finally {
    await Promise.all([projections.stop(), placement.stop()]);
    client.close();
  }
}
