// npm test: runs every stage, the cheap ones first, and side by side where processors are idle; later stages run also
// after one fails. Their output is shown in the order of the stages, never mixed. The last line is "N passed, N failed"
// over all test cases, with lint, typecheck, tidy and docs as one each. A run that crashes or finds no test is a
// failure: silence must not look like success. Each stage has a time limit. With words it runs only the specs for them,
// against the running stack if there is one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { allSpecs, specsBearingOn, type SpecsByProject } from './bearing-specs';
import { runStage, type Counts } from './run-stage';
import { OutputInOrder } from './output-in-order';
import { runningStack } from './running-stack';
import { runSideBySide } from './side-by-side';
import { JEST_PROJECTS, type JestStage, PROCESSORS, type Stage, stageNames, STAGES } from './stages';

const HELP = `
npm test [-- WORD …] [-- --only STAGES] [--json]

Sets everything up and runs all stages: ${stageNames.join(', ')}.
int uses a Postgres and a NATS server of its own, e2e the whole stack, both thrown away afterwards; console is people in a
browser, each spec on a stack of its own; faults and shards are short forms of trials. upgrade takes the version before the
newest migration from git: without the history it is not run, which is said and counts as nothing.

  payouts           only the specs of ${JEST_PROJECTS.join(', ')} that bear on the word, by their path or by the routes they
                    cover; e2e runs against the stack in DATA_DIR (npm run dev) where one runs this build
  --only unit,int   only these stages
  --json            instead of the last line: one JSON line {"passed","failed","stages":[…]}
  --help
`;

interface PlannedStage {
  stage: Stage;
  /** Only these; all by default. */
  specs?: readonly string[];
}

interface StageResult extends Counts {
  stage: string;
  seconds: number;
}

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { only: { type: 'string' }, json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const { values, positionals: words } = parsed;
  const stages = chosenStages(values.only);
  const plan = words.length === 0 ? stages.map((stage) => ({ stage })) : specsOfWords(words, stages);
  const env = words.length === 0 ? environment() : { ...environment(), ...besideRunningStack(plan) };
  const folder = mkdtempSync(join(tmpdir(), 'stack-tests-'));
  const startedAt = Date.now();
  try {
    const results = await runPlan(plan, folder, env);
    return report(results, { json: values.json === true, seconds: (Date.now() - startedAt) / 1000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function chosenStages(only: string | undefined): readonly Stage[] {
  if (only === undefined) return STAGES;
  const names = only.split(',');
  const unknown = names.find((name) => !stageNames.includes(name));
  if (unknown !== undefined)
    throw new OperatorError(`There is no stage "${unknown}": choose from ${stageNames.join(', ')}.`);
  return STAGES.filter(({ name }) => names.includes(name));
}

const isJestStage = (stage: Stage): stage is JestStage => 'jest' in stage;

/** The stages that have specs for the words, with these specs; prints which they are. */
function specsOfWords(words: readonly string[], stages: readonly Stage[]): PlannedStage[] {
  const found: SpecsByProject = specsBearingOn(words, allSpecs());
  const plan = stages
    .filter(isJestStage)
    .map((stage) => ({ stage, specs: found[stage.jest] }))
    .filter(({ specs }) => specs.length > 0);
  if (plan.length === 0)
    throw new OperatorError(`No spec of the stages in --only bears on ${words.join(', ')}: leave --only out.`);
  for (const { stage, specs } of plan) say(`\n${stage.name}: ${specs.length} specs\n  ${specs.join('\n  ')}`);
  return plan;
}

function besideRunningStack(plan: readonly PlannedStage[]): NodeJS.ProcessEnv {
  if (!plan.some(({ stage }) => isJestStage(stage) && stage.jest === 'e2e')) return {};
  const { stack, about } = runningStack(process.env);
  say(`\ne2e ${about}`);
  return stack === undefined ? {} : { TEST_STACK: JSON.stringify(stack) };
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  NX_DAEMON: 'false',
  FORCE_COLOR: process.stderr.isTTY ? '1' : '0',
});

function runPlan(plan: readonly PlannedStage[], folder: string, env: NodeJS.ProcessEnv): Promise<StageResult[]> {
  const shown = new OutputInOrder(process.stderr);
  const tasks = plan.map((planned) => ({ ...planned, processors: planned.stage.processors }));
  return runSideBySide(tasks, PROCESSORS, async ({ stage, specs }, index) => {
    const output = shown.next();
    output.write(`\n── ${index + 1}/${plan.length} ${stage.name} ${'─'.repeat(60)}\n`);
    const startedAt = Date.now();
    try {
      const counts = await runStage(stage, { folder, env, output, ...(specs !== undefined && { specs }) });
      return { stage: stage.name, ...counts, seconds: (Date.now() - startedAt) / 1000 };
    } finally {
      output.end();
    }
  });
}

function report(results: readonly StageResult[], { json, seconds }: { json: boolean; seconds: number }): number {
  const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0);
  const totals = { passed: sum('passed'), failed: sum('failed') };
  say('');
  for (const result of results) say(`  ${lineOf(result)}`);
  say(`  ${''.padEnd(10)} ${''.padEnd(27)} ${seconds.toFixed(1).padStart(8)} s in all`);
  say('');
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...totals, seconds, stages: results })}\n`
      : `${totals.passed} passed, ${totals.failed} failed\n`,
  );
  return totals.failed === 0 ? 0 : 1;
}

function lineOf({ stage, passed, failed, seconds, not_run }: StageResult): string {
  const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed`;
  const why = not_run === undefined ? '' : `   NOT RUN: ${not_run}`;
  return `${stage.padEnd(10)} ${counts} ${seconds.toFixed(1).padStart(8)} s${why}`;
}

void runCommand(main);
