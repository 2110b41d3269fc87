// npm run trial -- neighbours: one merchant attacks, another must notice nothing. Each attack of attacks.ts goes against a
// stack of its own that has production's limits and heaps; trial.ts has the phases, victim/verdict.ts the goals.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, say, step, wholeNumber } from '@stablecoin/command-line/terminal';
import { startThrowAwayStack, type ThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { createAccounts } from './accounts';
import type { Attack } from './attack';
import { ATTACKS } from './attacks';
import { described, resultTable } from './report';
import { type AttackResult, runTrial, type TrialPlan } from './trial';
import { Victim } from './victim/victim';

const SECONDS = { long: '15', short: '2' };
const SECONDS_MAX = 600;
/** What docker-compose.yml sets, and the defaults where the local stack has wider limits. */
const PRODUCTION = {
  RATE_LIMIT_PER_SECOND: '100',
  RATE_LIMIT_BURST: '200',
  MERCHANT_REQUESTS_UNDER_WAY_MAX: '8',
  UNAUTHENTICATED_RATE_LIMIT_PER_SECOND: '20',
  UNAUTHENTICATED_RATE_LIMIT_BURST: '40',
  CONNECTIONS_PER_ADDRESS_MAX: '1000',
  NODE_OPTIONS: '--max-old-space-size=256',
};
/** A webhook receiver of the trial is on this machine; and the first proof is there sooner than after a minute. */
const FOR_THE_TRIAL = { WEBHOOK_ALLOW_LOOPBACK: 'true', CHECKPOINT_INTERVAL_MS: '5000' };

const HELP = `
npm run trial -- neighbours [--only ATTACK]… [--seconds N] [--short] [--busy] [--json]

One merchant attacks, another reads and writes, one request at a time. Goal of each attack: the other gets no error, its
p99 is at most ten times its p50 from before (or 250 ms, if that is more), no answer takes over 5 s, no process ends.
Runs on Linux, where each address of 127.0.0.0/8 is the machine's own.

  --only ATTACK   only this one; can be given several times
  --seconds N     how long each attack goes on: ${SECONDS.long} unless given
  --short         ${SECONDS.short} s each, measured before once for all, and some left out: for every test run
  --busy          for a machine with other work: the p99 is told and not judged, an answer may take 8 s
  --json          one JSON line on stdout: {"results":[…],"ok"}
  --help

${ATTACKS.map(({ name, what }) => `  ${name.padEnd(22)} ${what}`).join('\n')}

Exit codes: 0 all goals were met, 1 one was missed, or the trial could not be run.
`;
const FLAGS = {
  only: { type: 'string', multiple: true },
  seconds: { type: 'string' },
  short: { type: 'boolean' },
  busy: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { only, seconds, short: isShort = false, busy: isBusy = false, json = false } = parsed.values;
  const plan: TrialPlan = {
    attacks: chosen(only, isShort),
    seconds: wholeNumber('seconds', seconds ?? SECONDS[isShort ? 'short' : 'long'], { least: 1, most: SECONDS_MAX }),
    isShort,
    isBusy,
  };
  const interrupted = interruption();
  const stack = await step('A stack with the limits of production', () =>
    startThrowAwayStack({ env: { ...PRODUCTION, ...FOR_THE_TRIAL }, shown: false }),
  );
  try {
    const results = await Promise.race([attacked(stack, plan), interrupted]);
    const ok = results.every(({ findings }) => findings.length === 0);
    process.stdout.write(json ? `${JSON.stringify({ results, ok })}\n` : `\n${resultTable(results)}\n`);
    return ok ? 0 : 1;
  } finally {
    await step('Stopping the stack', () => stack.stop());
  }
}

function chosen(only: readonly string[] | undefined, isShort: boolean): readonly Attack[] {
  if (only === undefined) return ATTACKS.filter(({ longOnly }) => !(isShort && longOnly));
  const unknown = only.find((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown !== undefined) throw new OperatorError(`There is no attack "${unknown}". Try --help.`);
  return ATTACKS.filter(({ name }) => only.includes(name));
}

async function attacked({ description }: ThrowAwayStack, plan: TrialPlan): Promise<AttackResult[]> {
  const { base_url: baseUrl = '', data_dir: dataDir } = description;
  const accounts = await step('Two merchants, and a proof', () => createAccounts(description));
  const victim = await Victim.begin(baseUrl, accounts.victim);
  const results: AttackResult[] = [];
  try {
    await runTrial({ baseUrl, dataDir, attacker: accounts.attacker, victim }, plan, (result) => {
      results.push(result);
      say(`  ${described(result, plan.attacks[results.length - 1]?.what ?? '')}`);
    });
  } finally {
    await victim.end();
  }
  return results;
}

/** Rejects at Ctrl-C, so that the stack is stopped in order. */
function interruption(): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new OperatorError(`${signal}: stopped before the end.`)));
  });
  stopped.catch(() => undefined);
  return stopped;
}

void runCommand(main).then(() => process.exit());
