/**
 * Whether the writer slows down as its log grows: payout holds spread over 200,000 accounts, half of which fit into its
 * cache, on a log of 100,000 and one of 10 million events. Each log has a database and a process of its own; rounds on
 * them alternate. Resident memory is that of the process with the long log.
 */
import { ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import { median } from '@stablecoin/benchmarking/measure';
import { growLedger } from '@stablecoin/benchmarking/grown-ledger';
import { progress, report } from '@stablecoin/benchmarking/report';
import { Client } from 'pg';
import { GrowthRound } from './growth-writer';

const ACCOUNTS = 200_000;
const SMALL_EVENTS = 100_000;
const LARGE_EVENTS = 10_000_000;
const ROUNDS = 6;
const HEAP_MEGABYTES = 320;

interface Log {
  process: ChildProcess;
  rounds: GrowthRound[];
}

async function main(): Promise<void> {
  const small = await open('benchmark_small', SMALL_EVENTS);
  const large = await open('benchmark_large', LARGE_EVENTS);
  progress(`warming up, then ${ROUNDS} rounds of both`);
  // The first round fills caches, the writer's and the database's; it doesn't count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const log of [small, large]) log.rounds.push(await nextRound(log));
    const [atSmall, atLarge] = [small, large].map(({ rounds }) => rounds.at(-1) as GrowthRound);
    progress(
      `round ${round}: ${shown(SMALL_EVENTS)} events ${Math.round(atSmall?.perSecond ?? 0)}/s, ` +
        `${shown(LARGE_EVENTS)} ${Math.round(atLarge?.perSecond ?? 0)}/s, ` +
        `resident ${Math.round(atLarge?.residentMegabytes ?? 0)} MB`,
    );
  }
  [small, large].forEach(({ process: writer }) => writer.disconnect());
  const counted = (log: Log) => log.rounds.slice(1);
  const figures = {
    small_log_per_second: median(counted(small).map(({ perSecond }) => perSecond)),
    large_log_per_second: median(counted(large).map(({ perSecond }) => perSecond)),
    large_to_small: median(
      counted(large).map(({ perSecond }, index) => perSecond / (counted(small)[index] as GrowthRound).perSecond),
    ),
    large_log_events: LARGE_EVENTS,
    accounts: ACCOUNTS,
    resident_mb_first: counted(large)[0]?.residentMegabytes ?? 0,
    resident_mb_last: counted(large).at(-1)?.residentMegabytes ?? 0,
    rounds: ROUNDS,
  };
  report(figures, process.argv.includes('--json'));
}

const shown = (count: number) => count.toLocaleString('en');

/** A copy of the migrated database, grown, with a writer on it. */
async function open(name: string, events: number): Promise<Log> {
  const ownerUrl = new URL(given('BENCHMARK_OWNER_URL'));
  const source = ownerUrl.pathname.slice(1);
  ownerUrl.pathname = '/postgres';
  const admin = new Client({ connectionString: ownerUrl.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
  await admin.end();
  ownerUrl.pathname = `/${name}`;
  const merchantId = randomUUID();
  await growLedger({ ownerUrl: ownerUrl.href, merchantId, shard: 0, accounts: ACCOUNTS, transactions: events / 2 });
  const url = new URL(given('LEDGER_DATABASE_URL'));
  url.pathname = `/${name}`;
  const writer = fork(require.resolve('./growth-writer'), {
    // Without a limit Node uses the machine's memory; an operator sets one for the service as well.
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    env: { ...process.env, LEDGER_DATABASE_URL: url.href, MERCHANT_ID: merchantId, ACCOUNTS: String(ACCOUNTS) },
  });
  return { process: writer, rounds: [] };
}

function nextRound({ process: writer }: Log): Promise<GrowthRound> {
  return new Promise((measured, failed) => {
    const ended = () => failed(new Error('the writer ended'));
    writer.once('exit', ended);
    writer.once('message', (message) => {
      writer.off('exit', ended);
      measured(message as GrowthRound);
    });
    writer.send('round');
  });
}

void main();
