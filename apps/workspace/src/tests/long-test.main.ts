// npm run test:instances, test:rolling, test:tampering, test:model, test:overdrafts, test:limits, test:delivery: runs tests for as
// long as requested that npm test runs in a short form.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand, wholeNumber } from '@stablecoin/command-line/terminal';
import { runTool } from '@stablecoin/local-stack/run-tool';
import type { JestProject } from './stages';

interface LongTest {
  projects: readonly JestProject[];
  /** A part of the spec's path. */
  spec: string;
  /** By flag: the variable with which the spec gets its number, and the default; without a default, a random one. */
  flags: Record<string, { variable: string; otherwise?: string }>;
  help: string;
}

const LONG_TESTS: Readonly<Record<string, LongTest>> = {
  instances: {
    projects: ['e2e'],
    spec: 'two-ledger-instances',
    flags: { rounds: { variable: 'INSTANCE_ROUNDS', otherwise: '20' }, seed: { variable: 'INSTANCE_SEED' } },
    help: `
npm run test:instances [-- --rounds N] [--seed S]

Two wallet-ledger processes share the shards of a stack of their own; in every round one is killed, or paused for longer
than its leases, while merchants pay out. Then every answer is compared with the books, and the log is verified.

  --rounds   20 unless given`,
  },
  rolling: {
    projects: ['e2e'],
    spec: 'rolling-restarts',
    flags: { rounds: { variable: 'ROLLING_ROUNDS', otherwise: '20' } },
    help: `
npm run test:rolling [-- --rounds N]

Two instances of each service behind a small load balancer; in every round one instance of each is restarted, one after
the other, while merchants pay out, swap, create and read. No request may fail or be late.

  --rounds   20 unless given`,
  },
  tampering: {
    projects: ['unit', 'int'],
    spec: 'tampering',
    flags: { cases: { variable: 'TAMPERING_CASES', otherwise: '1000' }, seed: { variable: 'TAMPERING_SEED' } },
    help: `
npm run test:tampering [-- --cases N] [--seed S]

Edits, deletes, swaps, forges and cuts off rows of a log at random: so many times in memory, a tenth of that in a real
database. Each must be found, at the first bad position.

  --cases    1000 unless given`,
  },
  model: {
    projects: ['e2e'],
    spec: 'machine-equals-model',
    flags: { sequences: { variable: 'MODEL_SEQUENCES', otherwise: '10000' }, seed: { variable: 'MODEL_SEED' } },
    help: `
npm run test:model -- [--sequences N] [--seed S]

Random sequences of commands over HTTP, each asked of an in-memory model as well: same answers, same refusals, same balances
and lists. The sequences have the seeds from S on, so that one is run again by --sequences 1 --seed S; one in forty are run on
a stack whose services are killed and stopped meanwhile. The first that disagrees is shrunk and described in words.

  --sequences   10000 unless given`,
  },
  overdrafts: {
    projects: ['e2e'],
    spec: 'overdrafts',
    flags: { rounds: { variable: 'OVERDRAFT_ROUNDS', otherwise: '100' } },
    help: `
npm run test:overdrafts -- [--rounds N]

Two wallet-ledger processes share the shards of a stack of their own; in every round 200 payouts come at once on money for
exactly 100 of them. Exactly 100 must be taken, and nothing be left.

  --rounds   100 unless given`,
  },
  limits: {
    projects: ['e2e'],
    spec: 'limits.e2e',
    flags: { rounds: { variable: 'LIMIT_ROUNDS', otherwise: '100' } },
    help: `
npm run test:limits -- [--rounds N]

Two wallet-ledger processes share the shards of a stack of their own; in every round 200 payouts come at once under a limit for
exactly 100 of them, by amount and by count in turns. Exactly 100 must be taken.

  --rounds   100 unless given`,
  },
  delivery: {
    projects: ['int'],
    spec: 'delivery-order',
    flags: { seeds: { variable: 'DELIVERY_SEEDS', otherwise: '1000' }, seed: { variable: 'DELIVERY_SEED' } },
    help: `
npm run test:delivery [-- --seeds N] [--seed S]

Delivers random histories of facts to each service that takes facts, as badly as a broker may: repeated, shuffled, in batches
of any size, with the inbox forgotten, facts parked and tried again, and the stream filled anew. What the service then knows
must be what it knows after one delivery in order.

  --seeds    so many histories for each, 1000 unless given`,
  },
};
const SEED_HELP = `
  --seed     decides what is drawn; printed, so that a run can be repeated`;
const TIMEOUT_MS = 6 * 3_600_000;
const NUMBER = { least: 1, most: 9_999_999 };

async function main([name = '', ...argv]: string[]): Promise<number> {
  const test = LONG_TESTS[name];
  if (test === undefined)
    throw new OperatorError(`There is no long test "${name}": choose from ${Object.keys(LONG_TESTS).join(', ')}.`);
  const options = Object.fromEntries(Object.keys(test.flags).map((flag) => [flag, { type: 'string' } as const]));
  const help = `${test.help}${'seed' in test.flags ? SEED_HELP : ''}\n  --help\n`;
  const parsed = parseFlags(argv, options, help);
  if (parsed === undefined) return 0;
  const environment = environmentOf(test, parsed.values);
  const program = [
    'node_modules/jest/bin/jest.js',
    ...['--selectProjects', ...test.projects, '--testPathPatterns', test.spec],
    ...['--runInBand', '--forceExit'],
  ];
  const env = { ...process.env, ...environment };
  const { code } = await runTool(process.execPath, program, { cwd: ROOT, env, timeoutMs: TIMEOUT_MS, show: true });
  return code;
}

function environmentOf({ flags }: LongTest, values: Record<string, unknown>): Record<string, string> {
  const variables = Object.entries(flags).map(([flag, { variable, otherwise }]) => {
    const given = values[flag];
    const text = typeof given === 'string' ? given : (otherwise ?? String(Date.now() % 100_000));
    return [variable, String(wholeNumber(flag, text, NUMBER))];
  });
  return Object.fromEntries(variables) as Record<string, string>;
}

void runCommand(main);
