// Finds a nats-server when NATS_URL names none: on the machine (PATH, /usr/sbin, …), in this checkout's tool cache, in
// the distribution's package (fetched with apt's own signature checks and unpacked, never installed: no system service
// appears, root isn't needed), or in the project's release archive, pinned by SHA-256. Else it says what to do.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import { isExecutable } from './executable';
import { TOOL_CACHE, userId } from './paths';

const run = promisify(execFile);
const APT_TIMEOUT_MS = 180_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const RELEASE = '2.12.4';
/** The hashes that the Docker Official Image of the same version pins, which is built from the same archives. */
const ARCHIVE_SHA256: Partial<Record<string, { name: string; sha256: string }>> = {
  'linux-x64': { name: 'linux-amd64', sha256: '92388f2e4aa1e6dea402eb173cbdb1fcb1df9a9c899cb807b91ddbb45c131b65' },
  'linux-arm64': { name: 'linux-arm64', sha256: '44a6ff34eff7e8d0e1409dbac0b733cff7ecbb4f19388a4d0d3d6085d899f017' },
};
const SOURCES: readonly { name: string; fetchInto: (folder: string) => Promise<string> }[] = [
  { name: 'distribution package', fetchInto: fetchFromPackage },
  { name: 'release archive', fetchInto: fetchFromRelease },
];

const cached = () => join(TOOL_CACHE, 'nats-server');

/** A nats-server that is already here, or undefined. */
export function installedNatsServer(env: NodeJS.ProcessEnv): string | undefined {
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return [...folders.filter(Boolean).map((folder) => join(folder, 'nats-server')), cached()].find(isExecutable);
}

/** Finds a nats-server or fetches one; calls `tell` with each attempt. */
export async function obtainNatsServer(env: NodeJS.ProcessEnv, tell: Tell): Promise<string> {
  const found = installedNatsServer(env);
  if (found !== undefined) return found;
  const reasons: string[] = [];
  for (const { name, fetchInto } of SOURCES) {
    tell(`fetching it from the ${name}`);
    const folder = mkdtempSync(join(tmpdir(), 'nats-server-'));
    try {
      return keep(await fetchInto(folder));
    } catch (error) {
      reasons.push(`${name}: ${reasonOf(error)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const install =
    process.platform === 'darwin'
      ? 'brew install nats-server'
      : "apt-get install nats-server (or your distribution's package)";
  throw new OperatorError(
    `No nats-server was found or could be fetched (${reasons.join('; ')}): install it with ${install}, ` +
      'or name a running one with NATS_URL=nats://host:4222.',
  );
}

/** The last line of the program's output, or of the error itself. */
function reasonOf(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  const text = stderr.trim() || errorMessage(error).trim();
  return (text.split('\n').at(-1) ?? '').slice(0, 200);
}

/** Moves the fetched program into the tool cache in one step: another start may do the same now. */
function keep(file: string): string {
  mkdirSync(TOOL_CACHE, { recursive: true });
  chmodSync(file, 0o755);
  const draft = `${cached()}.${process.pid}`;
  writeFileSync(draft, readFileSync(file), { mode: 0o755 });
  renameSync(draft, cached());
  return cached();
}

/** Runs apt, with lists in our own folder if the machine has none: needs no root and changes nothing outside. */
export async function fetchFromPackage(folder: string): Promise<string> {
  const sandbox = userId() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  const options = { cwd: folder, timeout: APT_TIMEOUT_MS };
  try {
    await run('apt-get', [...sandbox, 'download', 'nats-server'], options);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Error('apt-get is not on this machine');
    const own = [...sandbox, '-o', `Dir::State::lists=${folder}/lists`, '-o', `Dir::Cache=${folder}/cache`];
    for (const made of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, made), { recursive: true });
    await run('apt-get', [...own, 'update'], options);
    await run('apt-get', [...own, 'download', 'nats-server'], options);
  }
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded no package');
  await run('dpkg', ['-x', archive, 'unpacked'], options);
  return join(folder, 'unpacked', 'usr', 'sbin', 'nats-server');
}

async function fetchFromRelease(folder: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = ARCHIVE_SHA256[platform];
  if (pinned === undefined) throw new Error(`no archive is pinned for ${platform}`);
  const stem = `nats-server-v${RELEASE}-${pinned.name}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${RELEASE}/${stem}.tar.gz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const archive = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(archive).digest('hex');
  if (sha256 !== pinned.sha256) throw new Error(`${url} is not what was pinned (SHA-256 ${sha256})`);
  writeFileSync(join(folder, 'archive.tar.gz'), archive);
  await run('tar', ['-xzf', 'archive.tar.gz', `${stem}/nats-server`], { cwd: folder, timeout: DOWNLOAD_TIMEOUT_MS });
  return join(folder, stem, 'nats-server');
}
