// npm run bench: runs one benchmark on a throw-away stack, which is removed in the end, also after a failure.

import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import type { StackDescription } from '@stablecoin/local-stack/description';
import { startThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { runProgram } from '../run-program';

interface Benchmark {
  what: string;
  /** Path below dist/. */
  program: string;
  /** Whether it needs the services too, beside the databases and the broker. */
  services?: boolean;
  env?: NodeJS.ProcessEnv;
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
    what: 'payouts over HTTP at twice the peak for a minute: what is accepted and how fast, what is refused, memory',
    program: 'apps/benchmarks/src/overload.bench.js',
    services: true,
  },
  reads: {
    what: 'lists and look-ups over HTTP at 5 million transactions, beside 50,000',
    program: 'apps/benchmarks/src/reads.bench.js',
    services: true,
    // The grown log has no valid hashes, so it can't be signed.
    env: { CHECKPOINT_INTERVAL_MS: '86400000' },
  },
  audit: {
    what: 'events verified and replayed per second beside a bare read, memory, and balances of the past',
    program: 'apps/auditor/benchmarks/audit.bench.js',
  },
};

const HELP = `
npm run bench -- NAME [--json]

Measures one part against its limit in the same run: warmed up, repeated, medians. Nothing is left behind.

${Object.entries(BENCHMARKS)
  .map(([name, { what }]) => `  ${name.padEnd(8)} ${what}`)
  .join('\n')}

  --json   the last line of stdout is one object with the figures; progress goes to stderr
  --help
`;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const { program, services = false, env } = benchmarkNamed(parsed.positionals[0]);
  const stack = await startThrowAwayStack({ withServices: services, ...(env && { env }) });
  const flags = parsed.values.json ? ['--json'] : [];
  try {
    return await runProgram(join(ROOT, 'dist', program), flags, environmentOf(stack.description));
  } finally {
    await stack.stop();
  }
}

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
    ...(baseUrl && { BASE_URL: baseUrl, API_KEY: stack.api_key, STACK_PIDS: JSON.stringify(stack.pids) }),
  };
}

void runCommand(main);
