// npm test: sets the checkout up, then runs every stage, the cheap ones first; a stage that fails doesn't keep the later ones
// from running. The last line is "N passed, N failed" over all test cases, with lint, typecheck, tidy and docs as one each. A
// run that crashes, or finds no test at all, is a failure: silence must not look like success. Each stage is bounded.

import './stack/node-version.mjs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesUnder } from './stack/stamp.mjs';
import { ROOT } from './stack/paths.mjs';
import { runTool } from './stack/run-tool.mjs';
import { ensureReady } from './stack/setup.mjs';
import { parseFlags, Refusal, runCommand, say } from './stack/terminal.mjs';
import { missingHistory } from './upgrade/older-version.mjs';

const MINUTE_MS = 60_000;
const bin = (path) => join(ROOT, 'node_modules', path);
const STAGES = [
  // Through Nx, because the module boundaries are read from its project graph.
  { name: 'lint', run: () => check([bin('nx/dist/bin/nx.js'), 'run', 'workspace:lint']) },
  { name: 'typecheck', run: () => check([bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']) },
  { name: 'tidy', run: () => check(['tools/tidy.mjs']) },
  { name: 'docs', run: () => check(['tools/docs.mjs', '--check']) },
  { name: 'tools', run: (folder) => nodeTest(folder) },
  { name: 'unit', run: (folder) => jest('unit', folder, 10 * MINUTE_MS) },
  { name: 'int', run: (folder) => jest('int', folder, 30 * MINUTE_MS) },
  { name: 'e2e', run: (folder) => jest('e2e', folder, 30 * MINUTE_MS, ['--runInBand']) },
  { name: 'faults', run: () => check(['tools/faults.mjs', '--kills', '15', '--cuts', '50', '--busy']) },
  // The deployment: files, images, and all of it running.
  { name: 'compose', run: () => check(['tools/compose-check.mjs']) },
  { name: 'upgrade', run: () => upgrade() },
];
const HELP = `
npm test [-- --only STAGES] [--json]

Sets everything up and runs all stages: ${STAGES.map(({ name }) => name).join(', ')}.
int uses a Postgres and a NATS server of its own, e2e the whole stack, both thrown away afterwards; faults is the short
form of npm run faults. upgrade takes the version before the newest migration from git: without the history it is not run,
which is said and counts as nothing.

  --only unit,int   only these stages
  --json            instead of the last line: one JSON line {"passed","failed","stages":[…]}
  --help
`;

const environment = () => ({ ...process.env, NX_DAEMON: 'false', FORCE_COLOR: process.stderr.isTTY ? '1' : '0' });

async function check(args) {
  const { code } = await runTool(process.execPath, args, {
    cwd: ROOT,
    env: environment(),
    timeoutMs: 10 * MINUTE_MS,
    show: true,
  });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function upgrade() {
  const missing = missingHistory();
  if (missing === undefined) return check(['tools/upgrade-check.mjs']);
  say(`\n  NOT RUN: the upgrade from an older version was not tried. ${missing}\n`);
  return { passed: 0, failed: 0, not_run: missing };
}

async function nodeTest(folder) {
  const report = join(folder, 'tools.tap');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${report}`,
  ];
  const specs = filesUnder('tools/test', (file) => file.endsWith('.spec.mjs'));
  const args = ['--test', ...reporters, ...specs];
  const { code } = await runTool(process.execPath, args, {
    cwd: ROOT,
    env: environment(),
    timeoutMs: 10 * MINUTE_MS,
    show: true,
  });
  const tap = readOr(report, '');
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(tap)?.[1] ?? 0);
  return settle({ code, passed: count('pass'), failed: count('fail') + count('cancelled') });
}

async function jest(project, folder, timeoutMs, extra = []) {
  const report = join(folder, `${project}.json`);
  const args = [
    bin('jest/bin/jest.js'),
    '--selectProjects',
    project,
    '--ci',
    '--json',
    // What a failed test leaves open would keep the run from ending; the failure is counted all the same.
    '--forceExit',
    `--outputFile=${report}`,
    ...extra,
  ];
  const { code } = await runTool(process.execPath, args, { cwd: ROOT, env: environment(), timeoutMs, show: true });
  const result = JSON.parse(readOr(report, '{}'));
  const brokenSuites = (result.testResults ?? []).filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  return settle({ code, passed: result.numPassedTests ?? 0, failed: (result.numFailedTests ?? 0) + brokenSuites });
}

/** A crash without a failed case, and a run without any case, count as one failure. */
const settle = ({ code, passed, failed }) => ({
  passed,
  failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed,
});

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

async function main(argv) {
  const parsed = await parseFlags(argv, { only: { type: 'string' }, json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const stages = chosen(parsed.values.only);
  await ensureReady();
  const folder = mkdtempSync(join(tmpdir(), 'stack-tests-'));
  const results = [];
  try {
    for (const [index, stage] of stages.entries())
      results.push(await runStage(stage, folder, `${index + 1}/${stages.length}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report(results, parsed.values.json);
}

function chosen(only) {
  if (only === undefined) return STAGES;
  const names = only.split(',');
  const unknown = names.find((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown !== undefined)
    throw new Refusal(`There is no stage "${unknown}": choose from ${STAGES.map(({ name }) => name).join(', ')}.`);
  return STAGES.filter(({ name }) => names.includes(name));
}

async function runStage(stage, folder, position) {
  say(`\n── ${position} ${stage.name} ${'─'.repeat(60)}`);
  const startedAt = Date.now();
  const counts = await stage.run(folder);
  return { stage: stage.name, ...counts, seconds: (Date.now() - startedAt) / 1000 };
}

function report(results, json) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const totals = { passed: sum('passed'), failed: sum('failed') };
  say('');
  for (const { stage, passed, failed, seconds, not_run } of results) {
    const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed`;
    say(
      `  ${stage.padEnd(10)} ${counts} ${seconds.toFixed(1).padStart(8)} s${not_run ? `   NOT RUN: ${not_run}` : ''}`,
    );
  }
  say('');
  process.stdout.write(
    json ? `${JSON.stringify({ ...totals, stages: results })}\n` : `${totals.passed} passed, ${totals.failed} failed\n`,
  );
  return totals.failed === 0 ? 0 : 1;
}

runCommand(main);
