/**
 * npm run trial -- chain: deposits and payouts on a real local chain, while processes are killed, blocks are replaced and nodes
 * fail or lie. After each schedule the ledger must say what the chain says: see run-schedule.ts.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EvmNetwork, EVM_NETWORKS } from '@stablecoin/chains/chains';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, say, wholeNumber } from '@stablecoin/command-line/terminal';
import { ROOT } from '@stablecoin/command-line/root';
import { PLANTED_BUGS, type PlantedBug } from './planted/planted-bugs';
import { runTrial, type TrialOutcome, type TrialPlan } from './trial';

const SCHEDULES = 12;
const SCHEDULES_MAX = 100_000;
const SEED_MAX = 2 ** 31 - 1;
/** Of the run that is the same each time. */
const FIRST_SEED = 1;

/** In place of one bug. */
const EACH = 'each';

const HELP = `
npm run trial -- chain [--schedules N] [--seed S] [--repeat N] [--network NETWORK] [--plant BUG|each] [--keep] [--json]

Sends deposits and payouts over a chain of its own, and meanwhile kills chain, signer, ledger, payout service and broker, ends
connections of Postgres, replaces up to eleven blocks, and has nodes that fail, lag, forget and lie. After each schedule, the
faults healed, the ledger must say what the chain says: each transfer credited once or not at all, each payout sent once, nothing
stuck. Every hundred schedules and at the end the auditor verifies the ledger, and holds what is held against it (solvency).

  --schedules  how many, one after the other; ${SCHEDULES} unless given
  --seed       of the first one, each further one has the next; ${FIRST_SEED} unless given. A failure names its seed
  --repeat     each of them so many times, for what depends on the moment
  --network    ${EVM_NETWORKS.join(', ')}; erc20 unless given
  --plant      a bug in the running services, which has to be found: the exit code is 0 if it is. One of
               ${Object.keys(PLANTED_BUGS).join(', ')};
               or ${EACH} of them, one run after the other
  --keep       keep the logs in .data/chain-trial also where nothing was found
  --json       the last line of stdout is one object with the figures
  --help

Exit codes: 0 nothing was found, 1 something was (the report names seed and step), 2 it could not run.
`;
const FLAGS = {
  schedules: { type: 'string', default: String(SCHEDULES) },
  seed: { type: 'string', default: String(FIRST_SEED) },
  repeat: { type: 'string', default: '1' },
  network: { type: 'string', default: 'erc20' },
  plant: { type: 'string' },
  keep: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;
const COULD_NOT_RUN = 2;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { keep = false, json = false, ...values } = parsed.values;
  const plan: TrialPlan = {
    schedules: wholeNumber('schedules', values.schedules, { least: 1, most: SCHEDULES_MAX }),
    seed: wholeNumber('seed', values.seed, { least: 0, most: SEED_MAX }),
    repeat: wholeNumber('repeat', values.repeat, { least: 1, most: SCHEDULES_MAX }),
    network: networkOf(values.network),
  };
  const plans = bugsOf(values.plant).map((planted): TrialPlan => ({ ...plan, ...(planted && { planted }) }));
  let missed = 0;
  for (const each of plans) {
    const outcome = await runOnce(each, keep);
    if (json)
      process.stdout.write(`${JSON.stringify({ ...outcome, ...(each.planted && { planted: each.planted }) })}\n`);
    if (outcome.findings > 0 !== (each.planted !== undefined)) missed += 1;
  }
  return missed === 0 ? 0 : 1;
}

async function runOnce(plan: TrialPlan, keep: boolean): Promise<TrialOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-trial-'));
  let isWorthKeeping = true;
  try {
    const outcome = await runTrial(folder, plan);
    isWorthKeeping = keep || (outcome.findings > 0 && plan.planted === undefined);
    return outcome;
  } finally {
    if (isWorthKeeping) keepLogs(join(folder, 'data', 'logs'));
    rmSync(folder, { recursive: true, force: true });
  }
}

function keepLogs(logs: string): void {
  const kept = join(ROOT, '.data', 'chain-trial');
  if (!existsSync(logs)) return;
  rmSync(kept, { recursive: true, force: true });
  cpSync(logs, kept, { recursive: true });
  say(`  Logs: ${kept}`);
}

function networkOf(text: string): EvmNetwork {
  const network = EVM_NETWORKS.find((each) => each === text);
  if (network === undefined) throw new OperatorError(`--network is one of ${EVM_NETWORKS.join(', ')}, not "${text}".`);
  return network;
}

/** One undefined for a run without any. */
function bugsOf(text: string | undefined): readonly (PlantedBug | undefined)[] {
  const bugs = Object.keys(PLANTED_BUGS) as PlantedBug[];
  if (text === undefined) return [undefined];
  const chosen = bugs.filter((bug) => text === EACH || bug === text);
  if (chosen.length > 0) return chosen;
  throw new OperatorError(`There is no bug "${text}" to plant: ${bugs.join(', ')}, or ${EACH}.`);
}

void runCommand(async (argv) => {
  try {
    return await main(argv);
  } catch (error) {
    if (error instanceof OperatorError) say(`\n${error.message}`);
    else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return COULD_NOT_RUN;
  }
}).then(() => process.exit());
