// npm run test:instances: the test of two ledger instances that are killed and paused in turns, for as long as asked.

import './stack/node-version.mjs';
import { join } from 'node:path';
import { ROOT } from './stack/paths.mjs';
import { runTool } from './stack/run-tool.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, Refusal, runCommand } from './stack/terminal.mjs';

const HELP = `
npm run test:instances [-- --rounds N] [--seed S]

Two wallet-ledger processes share the shards of a stack of their own; in every round one is killed, or paused for longer
than its leases, while merchants pay out. Then every answer is compared with the books, and the log is verified.

  --rounds   20 unless given
  --seed     decides who is struck and when; printed, so that a run can be repeated as far as time allows
  --help
`;
const MINUTES_PER_ROUND = 1;
const FLAGS = { rounds: { type: 'string' }, seed: { type: 'string' } };

async function main(argv) {
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const rounds = wholeNumber('rounds', parsed.values.rounds ?? '20');
  const seed = wholeNumber('seed', parsed.values.seed ?? String(Date.now() % 100_000));
  await ensureReady();
  const { code } = await runTool(
    process.execPath,
    [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      ...['--selectProjects', 'e2e', '--testPathPatterns', 'two-ledger-instances', '--runInBand', '--forceExit'],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, INSTANCE_ROUNDS: String(rounds), INSTANCE_SEED: String(seed) },
      timeoutMs: (10 + rounds * MINUTES_PER_ROUND) * 60_000,
      show: true,
    },
  );
  return code;
}

function wholeNumber(flag, text) {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Refusal(`--${flag} takes a whole number from 1 on.`);
}

runCommand(main);
