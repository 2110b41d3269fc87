// npm run bench: runs one benchmark on a throw-away stack, which is removed in the end, also after a failure.

import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, wholeNumber } from '@stablecoin/command-line/terminal';
import type { StackDescription } from '@stablecoin/local-stack/description';
import { dataPaths } from '@stablecoin/local-stack/paths';
import { startThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { runProgram } from '../run-program';

interface Benchmark {
  what: string;
  /** Path below dist/. */
  program: string;
  /** Whether it needs the services too, beside the databases and the broker. */
  services?: boolean;
  /** Whether it needs any of it: a model does not. */
  stack?: false;
  env?: NodeJS.ProcessEnv;
  /** Whether it can be run for one kind of request, and for how long. */
  byKind?: true;
  /** Whether the number of its rounds can be chosen. */
  inRounds?: true;
}

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  ledger: {
    what: "payout holds per second through one shard's writer, hot and spread, beside the database's ceiling and row locks",
    program: 'apps/wallet-ledger/benchmarks/ledger.bench.js',
  },
  growth: {
    what: 'the same at 10 million events and 200,000 accounts, beside 100,000 events; resident memory',
    program: 'apps/wallet-ledger/benchmarks/growth.bench.js',
  },
  http: {
    what: 'payouts per second over HTTP through all five processes, beside a bare echo',
    program: 'apps/benchmarks/src/http.bench.js',
    services: true,
  },
  overload: {
    what: 'one kind of request over HTTP at twice the peak: what is accepted and how fast, what is refused, memory',
    program: 'apps/benchmarks/src/overload.bench.js',
    services: true,
    byKind: true,
  },
  'closed-loop': {
    what: '256 callers of each kind of request over HTTP: done per second, waiting times, turned away',
    program: 'apps/benchmarks/src/closed-loop.bench.js',
    services: true,
    byKind: true,
  },
  operations: {
    what: 'payouts, swaps, deposits, reads, webhooks: processor time, rates, messages, statements, beside a floor and a plain way',
    program: 'apps/benchmarks/src/operations/operations.bench.js',
    services: true,
    byKind: true,
    inRounds: true,
  },
  restart: {
    what: '256 callers that swap while swap-pricing is killed and started again: when swaps succeed as before',
    program: 'apps/benchmarks/src/restart.bench.js',
    services: true,
  },
  start: {
    what: 'each service from the start of its process until it is ready, idle memory: from its bundle, and from compiled files',
    program: 'apps/benchmarks/src/start.bench.js',
    env: { LOCAL_CHAINS: 'true' },
    inRounds: true,
  },
  bodies: {
    what: 'how long bodies of the worst shapes occupy the event loop of a gateway: scanned, parsed, validated',
    program: 'apps/gateway/benchmarks/bodies.bench.js',
  },
  reads: {
    what: 'lists and look-ups over HTTP at 5 million transactions, beside 50,000',
    program: 'apps/benchmarks/src/reads.bench.js',
    services: true,
    // The grown log has no valid hashes, so it can't be signed.
    env: { CHECKPOINT_INTERVAL_MS: '86400000', LIABILITIES_INTERVAL_MS: '0' },
  },
  figures: {
    what: 'a year of daily figures of 5 million transactions, and how fast they follow the log',
    program: 'apps/wallet-ledger/benchmarks/figures.bench.js',
  },
  audit: {
    what: 'events verified and replayed per second beside a bare read, memory, and balances of the past',
    program: 'apps/auditor/benchmarks/audit.bench.js',
  },
  chain: {
    what: "a payout's and a deposit's processor time over a chain beside the sandbox's rail; deposits watched per second",
    program: 'apps/benchmarks/src/chain/chain.bench.js',
    services: true,
    env: { LOCAL_CHAINS: 'true' },
  },
  liabilities: {
    what: 'a statement of liabilities at 1,000 to 100,000 wallets: time, pauses of the event loop, memory; branches',
    program: 'apps/wallet-ledger/benchmarks/liabilities.bench.js',
  },
  'at-rest': {
    what: 'what shards, instances and databases of the ledger cost at rest: looks, renewals, heartbeats, relays; facts per second',
    program: 'apps/wallet-ledger/benchmarks/at-rest.bench.js',
  },
  'far-end': {
    what: 'no measurement: a model of 1,000 shards on 100 databases, by what the others have measured, and where it is full first',
    program: 'apps/benchmarks/src/far-end/far-end.bench.js',
    stack: false,
  },
};

const HELP = `
npm run bench -- NAME [--json] [--kind KIND] [--seconds N] [--rounds N]

Measures one part against its limit in the same run: warmed up, repeated, medians. Nothing is left behind.

${Object.entries(BENCHMARKS)
  .map(([name, { what }]) => `  ${name.padEnd(12)} ${what}`)
  .join('\n')}

  --json       the last line of stdout is one object with the figures; progress goes to stderr
  --kind KIND  closed-loop, overload: payout, bank-payout, deposit, quote, swap, wallet, transactions or customer;
               by default closed-loop measures all, overload payouts;
               operations: payout, swap, deposit, wallet-read, transaction-list or webhook-delivery, by default all
  --seconds N  closed-loop, overload, operations: how long each kind is measured, by default 15, 60 and 4
  --rounds N   operations, start: how often, by default 5 and 3
  --help
`;
const FLAGS = {
  json: { type: 'boolean' },
  kind: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
} as const;
const SECONDS = { least: 1, most: 3_600 };
const ROUNDS = { least: 1, most: 100 };

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const {
    program,
    services = false,
    stack: needsStack = true,
    env,
    byKind,
    inRounds,
  } = benchmarkNamed(parsed.positionals[0]);
  const { json, kind, seconds, rounds } = parsed.values;
  if (!byKind && (kind ?? seconds) !== undefined)
    throw new OperatorError('--kind and --seconds are for closed-loop, overload and operations.');
  if (!inRounds && rounds !== undefined) throw new OperatorError('--rounds is for operations and start.');
  if (seconds !== undefined) wholeNumber('seconds', seconds, SECONDS);
  if (rounds !== undefined) wholeNumber('rounds', rounds, ROUNDS);
  if (!needsStack) return runProgram(join(ROOT, 'dist', program), json ? ['--json'] : [], process.env);
  const stack = await startThrowAwayStack({ withServices: services, ...(env && { env }) });
  const chosen = [...flag('kind', kind), ...flag('seconds', seconds), ...flag('rounds', rounds)];
  const flags = [...(json ? ['--json'] : []), ...chosen];
  try {
    return await runProgram(join(ROOT, 'dist', program), flags, environmentOf(stack.description));
  } finally {
    await stack.stop();
  }
}

const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}`, value]);

function benchmarkNamed(name: string | undefined): Benchmark {
  const benchmark = name === undefined ? undefined : BENCHMARKS[name];
  if (benchmark !== undefined) return benchmark;
  const problem = name === undefined ? 'Name a benchmark' : `There is no benchmark ${name}`;
  throw new OperatorError(`${problem}: ${Object.keys(BENCHMARKS).join(', ')}.`);
}

function environmentOf(stack: StackDescription): NodeJS.ProcessEnv {
  const { databases, owner_databases: owners, base_url: baseUrl } = stack;
  return {
    ...process.env,
    LEDGER_DATABASE_URL: databases.ledger,
    BENCHMARK_OWNER_URL: owners.ledger,
    AUDIT_DATABASE_URL: stack.auditor_database,
    BENCHMARK_CUSTOMER_OWNER_URL: owners.customer,
    BENCHMARK_CHAIN_OWNER_URL: owners.chain,
    BENCHMARK_POSTGRES_URL: stack.postgres_url,
    BENCHMARK_DATA_DIR: stack.data_dir,
    BENCHMARK_POSTGRES_LOG: dataPaths(stack.data_dir).postgresLog,
    BENCHMARK_NATS_URL: stack.nats_url,
    ...(stack.chains && { STACK_CHAINS: JSON.stringify(stack.chains) }),
    ...(baseUrl && { BASE_URL: baseUrl, API_KEY: stack.api_key, STACK_PIDS: JSON.stringify(stack.pids) }),
  };
}

void runCommand(main);
