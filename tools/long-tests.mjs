// npm run test:instances, test:rolling, test:tampering, test:model, test:overdrafts, test:delivery: tests that npm test runs in a
// short form, run for as long as asked.

import './stack/node-version.mjs';
import { join } from 'node:path';
import { ROOT } from './stack/paths.mjs';
import { runTool } from './stack/run-tool.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, Refusal, runCommand, wholeNumber } from './stack/terminal.mjs';

const TESTS = {
  instances: {
    projects: ['e2e'],
    spec: 'two-ledger-instances',
    flags: { rounds: ['INSTANCE_ROUNDS', '20'], seed: ['INSTANCE_SEED'] },
    help: `
npm run test:instances [-- --rounds N] [--seed S]

Two wallet-ledger processes share the shards of a stack of their own; in every round one is killed, or paused for longer
than its leases, while merchants pay out. Then every answer is compared with the books, and the log is verified.

  --rounds   20 unless given`,
  },
  rolling: {
    projects: ['e2e'],
    spec: 'rolling-restarts',
    flags: { rounds: ['ROLLING_ROUNDS', '20'] },
    help: `
npm run test:rolling [-- --rounds N]

Two instances of each service behind a small load balancer; in every round one instance of each is restarted, one after
the other, while merchants pay out, swap, create and read. No request may fail or be late.

  --rounds   20 unless given`,
  },
  tampering: {
    projects: ['unit', 'int'],
    spec: 'tampering',
    flags: { cases: ['TAMPERING_CASES', '1000'], seed: ['TAMPERING_SEED'] },
    help: `
npm run test:tampering [-- --cases N] [--seed S]

Edits, deletes, swaps, forges and cuts off rows of a log at random: so many times in memory, a tenth of that in a real
database. Each must be found, at the first bad position.

  --cases    1000 unless given`,
  },
  model: {
    projects: ['e2e'],
    spec: 'machine-equals-model',
    flags: { sequences: ['MODEL_SEQUENCES', '10000'], seed: ['MODEL_SEED'] },
    help: `
npm run test:model -- [--sequences N] [--seed S]

Random sequences of commands over HTTP, each asked of an in-memory model as well: same answers, same refusals, same balances
and lists. The sequences have the seeds from S on, so that one is run again by --sequences 1 --seed S; one in forty are run on
a stack whose services are killed and stopped meanwhile. The first that disagrees is shrunk and told in words.

  --sequences   10000 unless given`,
  },
  overdrafts: {
    projects: ['e2e'],
    spec: 'overdrafts',
    flags: { rounds: ['OVERDRAFT_ROUNDS', '100'] },
    help: `
npm run test:overdrafts -- [--rounds N]

Two wallet-ledger processes share the shards of a stack of their own; in every round 200 payouts come at once on money for
exactly 100 of them. Exactly 100 must be taken, and nothing be left.

  --rounds   100 unless given`,
  },
  delivery: {
    projects: ['int'],
    spec: 'delivery-order',
    flags: { seeds: ['DELIVERY_SEEDS', '1000'], seed: ['DELIVERY_SEED'] },
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

async function main([name, ...argv]) {
  const test = TESTS[name];
  if (!test) throw new Refusal(`There is no long test "${name}": choose from ${Object.keys(TESTS).join(', ')}.`);
  const options = Object.fromEntries(Object.keys(test.flags).map((flag) => [flag, { type: 'string' }]));
  const parsed = await parseFlags(argv, options, `${test.help}${test.flags.seed ? SEED_HELP : ''}\n  --help\n`);
  if (parsed === undefined) return 0;
  const environment = Object.fromEntries(
    Object.entries(test.flags).map(([flag, [variable, otherwise = String(Date.now() % 100_000)]]) => [
      variable,
      wholeNumber(flag, parsed.values[flag] ?? otherwise, { least: 1, most: 9_999_999 }),
    ]),
  );
  await ensureReady();
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--selectProjects', ...test.projects];
  const { code } = await runTool(
    process.execPath,
    [...jest, '--testPathPatterns', test.spec, '--runInBand', '--forceExit'],
    { cwd: ROOT, env: { ...process.env, ...environment }, timeoutMs: TIMEOUT_MS, show: true },
  );
  return code;
}

runCommand(main);
