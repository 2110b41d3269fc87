/** npm run trial -- shards: runs on stacks of their own, which are removed again whatever happens. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { FLAGS, HELP, planOf } from './plan';
import { printed, RunReport } from './report';
import { shardsRun } from './shards-run';

const BROKEN = 1;
const NOT_RUN = 2;

/** Everything is stopped in order, and nothing is judged. */
const interrupted = new AbortController();

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const plan = planOf(parsed.values);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  const runs: RunReport[] = [];
  for (const databases of plan.databases) {
    const report = await inFolder((folder) =>
      shardsRun({ plan, databases, folder, interrupted: interrupted.signal }),
    ).catch(reported);
    if (report === undefined) return NOT_RUN;
    process.stderr.write(printed(report));
    runs.push(report);
  }
  const ok = runs.every((run) => run.ok);
  if (plan.json) process.stdout.write(`${JSON.stringify({ ok, seed: plan.seed, runs })}\n`);
  return ok ? 0 : BROKEN;
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'shards-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** It could not run: a finding would be code 1. */
function reported(error: unknown): undefined {
  say(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return undefined;
}

void runCommand(main).then(() => process.exit());
