// The stages of npm test, the cheap ones first. A stage is data: a program whose exit code is the verdict, or a Jest project
// whose cases are counted. A new stage is a line here.

const MINUTE_MS = 60_000;
/** Of the upgrade trial: the history has no older version. */
const NO_HISTORY = 3;

/** A program that must end with 0. Counts as one case. */
export interface CheckStage {
  name: string;
  /** A script of the checkout (run by Node) with its arguments. */
  check: readonly string[];
  timeoutMs: number;
  /** The exit code that says there was nothing to try; what the program printed says why. */
  notRunCode?: number;
}

/** A project of jest.config.js. Each test case counts. */
export interface JestStage {
  name: string;
  jest: JestProject;
  timeoutMs: number;
  flags?: readonly string[];
}

export type Stage = CheckStage | JestStage;

export const JEST_PROJECTS = ['unit', 'int', 'e2e'] as const;
export type JestProject = (typeof JEST_PROJECTS)[number];

const built = (program: string) => `dist/apps/${program}.js`;
/** Lint and formatting. Through Nx, because the module boundaries are read from its project graph. */
const LINT = ['node_modules/nx/dist/bin/nx.js', 'run', 'workspace:lint'];
const TYPECHECK = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'];

export const STAGES: readonly Stage[] = [
  { name: 'lint', check: LINT, timeoutMs: 10 * MINUTE_MS },
  { name: 'typecheck', check: TYPECHECK, timeoutMs: 10 * MINUTE_MS },
  { name: 'tidy', check: [built('workspace/src/style/tidy.main')], timeoutMs: 10 * MINUTE_MS },
  { name: 'docs', check: [built('workspace/src/generated-files/docs.main'), '--check'], timeoutMs: 10 * MINUTE_MS },
  { name: 'unit', jest: 'unit', timeoutMs: 10 * MINUTE_MS },
  { name: 'int', jest: 'int', timeoutMs: 30 * MINUTE_MS },
  { name: 'e2e', jest: 'e2e', timeoutMs: 30 * MINUTE_MS, flags: ['--runInBand'] },
  {
    name: 'faults',
    check: [built('trials/faults/src/main'), '--kills', '15', '--cuts', '50', '--busy'],
    timeoutMs: 10 * MINUTE_MS,
  },
  // The deployment: files, images, and all of it running.
  { name: 'compose', check: [built('trials/deployment/src/main')], timeoutMs: 10 * MINUTE_MS },
  { name: 'upgrade', check: [built('trials/upgrade/src/main')], timeoutMs: 10 * MINUTE_MS, notRunCode: NO_HISTORY },
];

export const stageNames = STAGES.map(({ name }) => name);
