/**
 * The run of npm run test:failover: start everything → a merchant's journey → load, and under it one fault after the
 * other, each until every kind of write is acknowledged again → end the load → the books, the audit, another journey.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { step } from '@stablecoin/command-line/terminal';
import { journey } from '@stablecoin/testing/journey';
import { audited, differences, untilAtRest } from './books';
import { faultsOfRound } from './faults';
import type { FeltFault, TrialOutcome } from './report';
import { type Site, startSite } from './site';

const STEADY_MS = 3_000;
const FAILURES_SHOWN = 5;

export async function runTrial(folder: string, rounds: number): Promise<TrialOutcome> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const site = await startSite(folder, undo);
    const { traveller, load, cluster } = site;
    await step('The journey of a merchant', () => journey(traveller.ask));
    load.start();
    await delay(STEADY_MS);
    const felt: FeltFault[] = [];
    for (let round = 1; round <= rounds; round += 1) felt.push(...(await underFaults(site)));
    await load.stop();
    await step('Books', () => requireBooks(site));
    await step('The journey once more', () => journey(traveller.ask));
    return {
      nats_server: cluster.version.text,
      rounds: felt,
      requests: load.requests,
      sent_again: load.sentAgain,
      slowest_ms: load.slowestMs,
      acknowledged: load.acknowledged.filter(({ kind }) => kind !== 'read').length,
    };
  } finally {
    for (const stop of undo.reverse()) await stop();
  }
}

async function underFaults(site: Site): Promise<FeltFault[]> {
  const felt: FeltFault[] = [];
  for (const { what, inflict } of faultsOfRound()) {
    const recovery = await step(what, (tell) => inflict(site, tell));
    felt.push({ what, ...recovery });
    await delay(STEADY_MS);
  }
  return felt;
}

async function requireBooks({ cluster, urls, commandLine, load }: Site): Promise<void> {
  await untilAtRest(urls);
  const wrong = [
    ...load.failures,
    ...(await differences(urls, load)),
    ...cluster.violations().map((line) => `A broker refused what a service needs: ${line}`),
  ];
  if (wrong.length > 0)
    throw new OperatorError(`${wrong.length} things are wrong:\n  ${wrong.slice(0, FAILURES_SHOWN).join('\n  ')}`);
  await audited(commandLine, 'verify');
  await audited(commandLine, 'replay');
}
