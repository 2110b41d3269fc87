// Carries out the Dockerfile without Docker: each stage is a folder that stands for its file system, COPY copies into it,
// RUN runs in it (in WORKDIR, with the stage's environment), and what is left of a target's stage is the image's contents.
// What the base image would bring (Node itself, a shell) is this machine's, so RUN must keep to paths below WORKDIR.

import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { ROOT } from '../stack/paths.mjs';
import { runTool } from '../stack/run-tool.mjs';
import { filesUnder } from '../stack/stamp.mjs';
import { Refusal } from '../stack/terminal.mjs';
import { ignoreRules } from './docker-ignore.mjs';
import { commandOf, parseDockerfile, variablesOf } from './dockerfile.mjs';

const RUN_TIMEOUT_MS = 600_000;
const NEVER_SENT = ['node_modules', '.git', '.data', '.nx', 'dist'];
/** What RUN gets of this machine's environment: how npm reaches its registry and its cache, and nothing of the project's. */
const PASSED_ON =
  /^(PATH|HOME|LANG|(npm_config_(registry|cache|userconfig|cafile|https?_?proxy|noproxy))|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;

/** Makes images by target name: `image(target)` resolves to {name, root, workdir, env, user, command, entrypoint}. */
export function imageFolders({ folder, dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8') }) {
  const stages = parseDockerfile(dockerfile);
  const made = new Map();
  const image = (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
  const make = async (name) => {
    const index = stages.findIndex((stage) => stage.name === name);
    if (index < 0) throw new Refusal(`The Dockerfile has no target ${name}.`);
    const stage = stages[index];
    const isStage = stages.slice(0, index).some((earlier) => earlier.name === stage.from);
    const state = startOf(stage, isStage ? await image(stage.from) : undefined, join(folder, name));
    for (const step of stage.steps) await STEPS[step.instruction](state, step, image);
    return state;
  };
  return { image, targets: stages.map(({ name }) => name) };
}

function startOf(stage, parent, root) {
  mkdirSync(root, { recursive: true });
  if (parent) cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
  else requireExactTag(stage);
  return { ...(parent ?? { workdir: '/', env: {}, user: 'root', base: stage.from }), name: stage.name, root };
}

function requireExactTag({ from, line }) {
  if (!/(:\d+\.\d+\.\d+|@sha256:)/.test(from)) throw new Refusal(`Dockerfile:${line}: ${from} has no exact version.`);
}

const within = (state, path) => join(state.root, posix.resolve(state.workdir, path));

const STEPS = {
  ENV: (state, step) => void Object.assign(state, { env: { ...state.env, ...variablesOf(step) } }),
  USER: (state, { rest }) => void (state.user = rest),
  CMD: (state, step) => void (state.command = commandOf(step)),
  ENTRYPOINT: (state, step) => void Object.assign(state, { entrypoint: commandOf(step), command: undefined }),
  WORKDIR: (state, { rest }) => {
    state.workdir = posix.resolve(state.workdir, rest);
    mkdirSync(within(state, '.'), { recursive: true });
  },
  COPY: async (state, { flags, rest, line }, image) => {
    const paths = rest.split(/\s+/);
    const target = paths.pop();
    const from = flags.from === undefined ? undefined : await image(flags.from);
    for (const path of paths) {
      if (from) copyTree(within({ ...from, workdir: '/' }, path), within(state, target), target, line);
      else copyFromContext(path, state, target, line);
    }
  },
  RUN: async (state, { rest, line }) => {
    if (/(^|[\s=])\/(?!dev\/null)/.test(rest)) throw new Refusal(`Dockerfile:${line}: RUN names an absolute path.`);
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
    const options = { cwd: within(state, '.'), env: { ...own, ...state.env, CI: 'true' }, timeoutMs: RUN_TIMEOUT_MS };
    const { code, output } = await runTool('sh', ['-c', rest], options);
    if (code !== 0)
      throw new Refusal(`Dockerfile:${line} (${state.name}): "${rest}" ended with ${code}:\n${output.trim()}`);
  },
};

/** A folder's contents go into the target; a file goes into it when it is a folder. */
function copyTree(source, target, written, line) {
  if (!existsSync(source)) throw new Refusal(`Dockerfile:${line}: there is no ${source} to copy.`);
  const intoFolder = statSync(source).isFile() && /(^\.|\/)$/.test(written);
  cpSync(source, intoFolder ? join(target, basename(source)) : target, { recursive: true, verbatimSymlinks: true });
}

let sent;
/** Every file of the checkout that .dockerignore lets through; found once. */
function contextFiles() {
  const allows = ignoreRules(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  sent ??= filesUnder('.', () => true, NEVER_SENT).filter(allows);
  return sent;
}

function copyFromContext(path, state, target, line) {
  const source = posix.normalize(path);
  const files = contextFiles().filter((file) => file === source || file.startsWith(`${source}/`));
  if (files.length === 0)
    throw new Refusal(`Dockerfile:${line}: ${path} is not in the checkout, or .dockerignore keeps it out.`);
  for (const file of files) {
    const isItself = file === source;
    const place = isItself
      ? join(/(^\.|\/)$/.test(target) ? target : posix.dirname(target), basename(file))
      : join(target, file.slice(source.length));
    cpSync(join(ROOT, file), within(state, place));
  }
}
