// Executes the Dockerfile without Docker: each stage is a folder that stands for its file system, COPY copies into it,
// RUN runs in it (in WORKDIR, with the stage's environment and the base image's Node). In the end the folder of a
// target's stage has the image's contents. RUN must keep to paths below WORKDIR: shell and npm are this machine's.

import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, delimiter, join, posix } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { runTool } from '@stablecoin/local-stack/run-tool';
import { filesUnder } from '@stablecoin/local-stack/files';
import { ignoreRules } from './docker-ignore';
import { commandOf, parseDockerfile, variablesOf, type Instruction, type Stage, type Step } from './dockerfile';

const RUN_TIMEOUT_MS = 600_000;
const NEVER_SENT = ['node_modules', '.git', '.data', '.nx', 'dist'];
/** Variables of this machine that RUN gets: those with which npm reaches registry and cache, none of the project. */
const PASSED_ON =
  /^(HOME|LANG|(npm_config_(registry|cache|userconfig|cafile|https?_?proxy|noproxy))|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;

/** A stage after its steps: the folder that stands for its file system, and the settings of its containers. */
export interface Image {
  name: string;
  /** The image on which its first stage is based. */
  base: string;
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint?: string[];
  command?: string[];
}

export interface ImageFoldersOptions {
  folder: string;
  /** The folder of the program `node` that the base image brings. */
  nodeFolder: string;
  dockerfile?: string;
  /** Executes an `npm ci`, in place of the shell. */
  install?: (install: Installation) => Promise<{ code: number; output: string }>;
}

/** A RUN step with its command, folder and environment. */
export interface Installation {
  command: string;
  cwd: string;
  env: Record<string, string | undefined>;
}

type ImageOf = (target: string) => Promise<Image>;
interface Build extends ImageFoldersOptions {
  image: ImageOf;
}

export const readDockerfile = () => readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** Makes images by target name, each once. */
export function imageFolders(options: ImageFoldersOptions): { image: ImageOf; targets: string[] } {
  const stages = parseDockerfile(options.dockerfile ?? readDockerfile());
  const images = new Map<string, Promise<Image>>();
  const image: ImageOf = (name) => {
    const known = images.get(name) ?? make(name);
    images.set(name, known);
    return known;
  };
  const make: ImageOf = async (name) => {
    const index = stages.findIndex((stage) => stage.name === name);
    const stage = stages[index];
    if (stage === undefined) throw new OperatorError(`The Dockerfile has no target ${name}.`);
    const isStage = stages.slice(0, index).some((earlier) => earlier.name === stage.from);
    const state = beginStage(stage, isStage ? await image(stage.from) : undefined, join(options.folder, name));
    for (const step of stage.steps) await STEPS[step.instruction](state, step, { ...options, image });
    return state;
  };
  return { image, targets: stages.map(({ name }) => name) };
}

function beginStage(stage: Stage, parent: Image | undefined, root: string): Image {
  mkdirSync(root, { recursive: true });
  if (parent === undefined) requireExactTag(stage);
  else cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
  return { ...(parent ?? { workdir: '/', env: {}, user: 'root', base: stage.from }), name: stage.name, root };
}

function requireExactTag({ from, line }: Stage): void {
  if (!/(:\d+\.\d+\.\d+|@sha256:)/.test(from))
    throw new OperatorError(`Dockerfile:${line}: ${from} has no exact version.`);
}

const within = (state: Image, path: string) => join(state.root, posix.resolve(state.workdir, path));

type CarryOut = (state: Image, step: Step, build: Build) => void | Promise<void>;
const STEPS: Record<Instruction, CarryOut> = {
  ENV: (state, step) => {
    state.env = { ...state.env, ...variablesOf(step) };
  },
  USER: (state, { rest }) => {
    state.user = rest;
  },
  CMD: (state, step) => {
    state.command = commandOf(step);
  },
  ENTRYPOINT: (state, step) => {
    state.entrypoint = commandOf(step);
    delete state.command;
  },
  WORKDIR: (state, { rest }) => {
    state.workdir = posix.resolve(state.workdir, rest);
    mkdirSync(within(state, '.'), { recursive: true });
  },
  COPY: async (state, { flags, rest, line }, { image }) => {
    const paths = rest.split(/\s+/);
    const target = paths.pop() ?? '.';
    const { from } = flags;
    const source = from === undefined ? undefined : await image(from);
    for (const path of paths) {
      if (source === undefined) copyFromContext(path, state, { target, line });
      else copyTree(within({ ...source, workdir: '/' }, path), state, { target, line });
    }
  },
  RUN: run,
};

async function run(state: Image, { rest, line }: Step, { nodeFolder, install }: Build): Promise<void> {
  if (/(^|[\s=])\/(?!dev\/null)/.test(rest)) throw new OperatorError(`Dockerfile:${line}: RUN names an absolute path.`);
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const path = [nodeFolder, process.env['PATH']].join(delimiter);
  const command = { command: rest, cwd: within(state, '.'), env: { ...own, PATH: path, ...state.env, CI: 'true' } };
  const { code, output } = await (/^npm ci\b/.test(rest) && install ? install(command) : runInShell(command));
  if (code !== 0)
    throw new OperatorError(`Dockerfile:${line} (${state.name}): "${rest}" ended with ${code}:\n${output.trim()}`);
}

export const runInShell = ({ command, cwd, env }: Installation) =>
  runTool('sh', ['-c', command], { cwd, env, timeoutMs: RUN_TIMEOUT_MS });

interface Copy {
  /** As the step names it. */
  target: string;
  line: number;
}

const namesFolder = (target: string) => /(^\.|\/)$/.test(target);

/** A folder's contents go into the target; a file goes into it when it is a folder. */
function copyTree(source: string, state: Image, { target, line }: Copy): void {
  if (!existsSync(source)) throw new OperatorError(`Dockerfile:${line}: there is no ${source} to copy.`);
  const place = within(state, target);
  const goesInto = statSync(source).isFile() && namesFolder(target);
  cpSync(source, goesInto ? join(place, basename(source)) : place, { recursive: true, verbatimSymlinks: true });
}

let sent: string[] | undefined;
/** Every file of the checkout that .dockerignore lets through; found once. */
function contextFiles(): string[] {
  const allows = ignoreRules(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  sent ??= filesUnder('.', () => true, NEVER_SENT).filter(allows);
  return sent;
}

function copyFromContext(path: string, state: Image, { target, line }: Copy): void {
  const source = posix.normalize(path);
  const files = contextFiles().filter((file) => file === source || file.startsWith(`${source}/`));
  if (files.length === 0)
    throw new OperatorError(`Dockerfile:${line}: ${path} is not in the checkout, or .dockerignore keeps it out.`);
  for (const file of files) {
    const folder = namesFolder(target) ? target : posix.dirname(target);
    const place = file === source ? join(folder, basename(file)) : join(target, file.slice(source.length));
    cpSync(join(ROOT, file), within(state, place));
  }
}
