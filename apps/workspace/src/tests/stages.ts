// The stages of npm test, the cheap ones first. A stage is data: a program whose exit code decides, or a Jest project
// whose cases are counted. A new stage is a line here. Stages that leave processors idle run side by side
// (side-by-side.ts).

import { availableParallelism } from 'node:os';
import type { Demanding } from './side-by-side';

const MINUTE_MS = 60_000;
/** Exit code of the upgrade trial: the history has no older version. */
const NO_HISTORY = 3;

/** A program that must end with 0. Counts as one case. */
export interface CheckStage extends Demanding {
  name: string;
  /** A script of the checkout (run by Node) with its arguments. */
  check: readonly string[];
  timeoutMs: number;
  /** The exit code for nothing to try; the program's output says why. */
  notRunCode?: number;
}

/** A project of jest.config.js. Each test case counts. */
export interface JestStage extends Demanding {
  name: string;
  jest: JestProject;
  timeoutMs: number;
  flags?: readonly string[];
  /** Runs, services included, on the images' version of Node; by default on the version that runs this. */
  onImageNode?: true;
}

export type Stage = CheckStage | JestStage;

export const JEST_PROJECTS = ['unit', 'int', 'e2e', 'console'] as const;
export type JestProject = (typeof JEST_PROJECTS)[number];

const built = (program: string) => `dist/apps/${program}.js`;
/** Lint and formatting. Through Nx, because the module boundaries are read from its project graph. */
const LINT = ['node_modules/nx/dist/bin/nx.js', 'run', 'workspace:lint'];
const TYPECHECK = ['node_modules/nx/dist/bin/nx.js', 'run', 'workspace:typecheck'];

export const PROCESSORS = availableParallelism();

/**
 * How many spec files run at once. Integration tests often wait, for a lease to lapse or a connection to be given up, so
 * one more than there are processors; with two for each, pings came too late and connections were given up. `most` is
 * bounded by the connections of one Postgres and the machine's memory.
 */
const workers = (wanted: number, most: number) => `--maxWorkers=${Math.min(wanted, most)}`;
/** Without the times of an earlier run, Jest would leave some of the longest to the end. */
const LONGEST_FIRST = '--testSequencer=./dist/libs/testing/src/jest/longest-first.js';

export const STAGES: readonly Stage[] = [
  { name: 'lint', processors: 1, check: LINT, timeoutMs: 10 * MINUTE_MS },
  { name: 'typecheck', processors: 1, check: TYPECHECK, timeoutMs: 10 * MINUTE_MS },
  { name: 'tidy', processors: 1, check: [built('workspace/src/style/tidy.main')], timeoutMs: 10 * MINUTE_MS },
  {
    name: 'docs',
    processors: 1,
    check: [built('workspace/src/generated-files/docs.main'), '--check'],
    timeoutMs: 10 * MINUTE_MS,
  },
  { name: 'unit', processors: 2, jest: 'unit', timeoutMs: 10 * MINUTE_MS, flags: [workers(PROCESSORS, 8)] },
  {
    name: 'int',
    processors: PROCESSORS,
    jest: 'int',
    timeoutMs: 30 * MINUTE_MS,
    flags: [workers(PROCESSORS + 1, 6), LONGEST_FIRST],
  },
  {
    name: 'e2e',
    processors: PROCESSORS,
    jest: 'e2e',
    timeoutMs: 45 * MINUTE_MS,
    // Three at once on two cores made answers exceed the times that journeys require.
    flags: [workers(PROCESSORS, 2), LONGEST_FIRST],
    // All other stages that start services run on the machine's own Node.
    onImageNode: true,
  },
  {
    name: 'console',
    processors: PROCESSORS,
    jest: 'console',
    timeoutMs: 30 * MINUTE_MS,
    // Nothing there is judged by its time, and each has a stack of its own, whose start is mostly waiting.
    flags: [workers(PROCESSORS + 1, 4), LONGEST_FIRST],
    onImageNode: true,
  },
  // Trials, two at a time: for most of its time each waits, for a recovery or for processes to start. What they judge here is how
  // things end, not how soon. Beside faults and shards, whose merchants work without a pause, is one that puts no load on its services.
  {
    name: 'faults',
    processors: 1,
    check: [built('trials/faults/src/main'), '--kills', '15', '--cuts', '50', '--busy'],
    timeoutMs: 15 * MINUTE_MS,
  },
  // Who could forge what: every line of docs/FORGERIES.md.
  {
    name: 'forgery',
    processors: 1,
    check: [built('trials/forgery/src/main')],
    timeoutMs: 15 * MINUTE_MS,
  },
  // Shards that move between the ledger's databases, under load and struck.
  {
    name: 'shards',
    processors: 1,
    check: [built('trials/shards/src/main'), '--short'],
    timeoutMs: 15 * MINUTE_MS,
  },
  // One merchant attacks, another must notice nothing.
  {
    name: 'neighbours',
    processors: 1,
    check: [built('trials/neighbours/src/main'), '--short', '--busy'],
    timeoutMs: 15 * MINUTE_MS,
  },
  // The deployment: files, images, and all of it running.
  { name: 'compose', processors: 1, check: [built('trials/deployment/src/main')], timeoutMs: 15 * MINUTE_MS },
  {
    name: 'chain',
    processors: 1,
    check: [built('trials/chain/src/main'), '--schedules', '12'],
    timeoutMs: 15 * MINUTE_MS,
  },
  {
    name: 'upgrade',
    processors: 1,
    check: [built('trials/upgrade/src/main')],
    timeoutMs: 15 * MINUTE_MS,
    notRunCode: NO_HISTORY,
  },
];

export const stageNames = STAGES.map(({ name }) => name);
