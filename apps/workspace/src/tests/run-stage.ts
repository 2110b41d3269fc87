import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { ROOT } from '@stablecoin/command-line/root';
import { imageNodeVersion, obtainNode } from '@stablecoin/local-stack/node-binary';
import { runTool } from '@stablecoin/local-stack/run-tool';
import type { CheckStage, JestStage, Stage } from './stages';

export interface Counts {
  passed: number;
  failed: number;
  /** Why the stage was not run. */
  not_run?: string;
}

export interface StageRun {
  /** The folder for reports. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Receives the output of its programs. */
  output: Writable;
  /** Only these specs of a Jest stage; all by default. */
  specs?: readonly string[];
}

/** The results of a stage. A crash without a failed case, and a run without any case, count as one failure. */
export const runStage = (stage: Stage, run: StageRun): Promise<Counts> =>
  'jest' in stage ? runJest(stage, run) : runCheck(stage, run);

async function runCheck({ check, timeoutMs, notRunCode }: CheckStage, run: StageRun): Promise<Counts> {
  const { code, output } = await runNode(process.execPath, check, run, timeoutMs);
  if (notRunCode !== undefined && code === notRunCode) return { passed: 0, failed: 0, not_run: lastLine(output) };
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? '';

interface JestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: { status: string; assertionResults: unknown[] }[];
}

async function runJest(stage: JestStage, run: StageRun): Promise<Counts> {
  const { name, jest, timeoutMs, flags = [], onImageNode = false } = stage;
  const node = onImageNode ? await imageNode(run.output) : process.execPath;
  const file = join(run.folder, `${name}.json`);
  const program = [
    'node_modules/jest/bin/jest.js',
    ...['--selectProjects', jest, '--ci', '--json', `--outputFile=${file}`],
    // Resources that a failed test leaves open would keep the run from ending; the failure is counted anyway.
    '--forceExit',
    ...flags,
    ...(run.specs === undefined ? [] : ['--runTestsByPath', ...run.specs]),
  ];
  const { code } = await runNode(node, program, run, timeoutMs);
  return countsOf(readReport(file), code);
}

export function countsOf(report: JestReport, code: number): Counts {
  const brokenSuites = (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const passed = report.numPassedTests ?? 0;
  const failed = (report.numFailedTests ?? 0) + brokenSuites;
  const isSilent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: isSilent ? 1 : failed };
}

const readReport = (file: string) =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : ({} satisfies JestReport);

async function imageNode(output: Writable): Promise<string> {
  const version = imageNodeVersion();
  const node = await obtainNode(version, (line) => output.write(`  ${line}\n`));
  output.write(`  Node ${version}, as in the images\n`);
  return node;
}

const runNode = (node: string, program: readonly string[], { env, output }: StageRun, timeoutMs: number) =>
  runTool(node, program, { cwd: ROOT, env, timeoutMs, show: output });
