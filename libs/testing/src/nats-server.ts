import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGreeting } from '@stablecoin/local-stack/nats';
import { freePort } from '@stablecoin/local-stack/ports';
import { eventually } from './eventually';

/** As every broker of ours: who answers no ping for 3 s is cut off. */
const SETTINGS = 'ping_interval: "1s"\nping_max: 2\n';
const RELOADED = 'Reloaded server configuration';

export interface OwnNats {
  url: string;
  /** For faults: the broker's process. */
  pid: number;
  /** Has it read its configuration again, as `nats-server --signal reload` does: with these settings from now on. */
  reload(settings: string): Promise<void>;
  /** Ends it as a crash would; what it stored stays for `revive`. */
  kill(): Promise<void>;
  /** The same broker once more: its port, its streams. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A broker of a spec's own, with JetStream: where subjects and streams have fixed names, two specs on one broker would
 * hear each other.
 *
 * @param more further arguments of the server
 * @param settings further lines of its configuration
 */
export async function startOwnNats(more: readonly string[] = [], settings = ''): Promise<OwnNats> {
  const binary = process.env['TEST_NATS_SERVER'];
  if (!binary) throw new Error('TEST_NATS_SERVER is not set: run the integration tests with npm test -- --only int');
  const folder = mkdtempSync(join(tmpdir(), 'nats-'));
  const port = await freePort();
  const files = { configuration: join(folder, 'server.conf'), log: join(folder, 'server.log') };
  const configure = (lines: string) => writeFileSync(files.configuration, SETTINGS + lines);
  const start = () => run(binary, { ...files, folder, port, more });
  configure(settings);
  let child = await start().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const kill = () => ended(child);
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid as number,
    kill,
    revive: async () => void (child = await start()),
    reload: async (lines) => {
      const reloads = () => readFileSync(files.log, 'utf8').split(RELOADED).length;
      const before = reloads();
      configure(lines);
      child.kill('SIGHUP');
      await eventually('the broker to have reloaded', () => reloads() > before, { timeoutMs: 5_000 });
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Run {
  configuration: string;
  log: string;
  folder: string;
  port: number;
  more: readonly string[];
}

async function run(binary: string, { configuration, log, folder, port, more }: Run): Promise<ChildProcess> {
  const address = ['-a', '127.0.0.1', '-p', String(port)];
  const arguments_ = ['-c', configuration, '-l', log, ...address, '-js', '-sd', folder, ...more];
  const child = spawn(binary, arguments_, { stdio: 'ignore' });
  try {
    await eventually('the broker to answer', () => answers(child, port), { timeoutMs: 5_000 });
    return child;
  } catch (error) {
    await ended(child);
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
  const greeting = await readGreeting('127.0.0.1', port).catch(() => undefined);
  return greeting !== undefined;
}
