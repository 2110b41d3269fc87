// npm run bench: one benchmark on a throw-away stack of its own, which is removed again whatever happens.

import './stack/node-version.mjs';

const BENCHMARKS = {
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
    // The grown log has no hashes that could be signed.
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

async function main(argv) {
  const { parseFlags, Refusal } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const [name] = parsed.positionals;
  const benchmark = BENCHMARKS[name];
  if (!benchmark) {
    throw new Refusal(
      `${name ? `There is no benchmark ${name}` : 'Name a benchmark'}: ${Object.keys(BENCHMARKS).join(', ')}.`,
    );
  }
  const { startThrowAwayStack } = await import('../libs/testing/src/jest/stack-process.mjs');
  const flags = benchmark.services ? [] : ['--infrastructure'];
  const stack = await startThrowAwayStack({ flags, env: benchmark.env });
  try {
    return await run(benchmark.program, stack.description, parsed.values.json ? ['--json'] : []);
  } finally {
    await stack.stop();
  }
}

async function run(
  program,
  { databases, owner_databases: owners, auditor_database: auditor, base_url: baseUrl, api_key: apiKey, pids },
  flags,
) {
  const { spawn } = await import('node:child_process');
  const { join } = await import('node:path');
  const { ROOT } = await import('./stack/paths.mjs');
  const env = {
    ...process.env,
    LEDGER_DATABASE_URL: databases.ledger,
    BENCHMARK_OWNER_URL: owners.ledger,
    AUDIT_DATABASE_URL: auditor,
    BENCHMARK_CUSTOMER_OWNER_URL: owners.customer,
    ...(baseUrl && { BASE_URL: baseUrl, API_KEY: apiKey, STACK_PIDS: JSON.stringify(pids) }),
  };
  const script = join(ROOT, 'dist', program);
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...flags], { stdio: 'inherit', env });
  const interrupt = () => child.kill('SIGINT');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main));
