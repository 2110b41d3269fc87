import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGreeting } from '@stablecoin/local-stack/nats';
import { freePort } from '@stablecoin/local-stack/ports';
import { eventually } from './eventually';

/** As every broker of ours: who answers no ping for 3 s is cut off. */
const SETTINGS = 'ping_interval: "1s"\nping_max: 2\n';

export interface OwnNats {
  url: string;
  /** For faults: the broker's process. */
  pid: number;
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
 */
export async function startOwnNats(more: readonly string[] = []): Promise<OwnNats> {
  const binary = process.env['TEST_NATS_SERVER'];
  if (!binary) throw new Error('TEST_NATS_SERVER is not set: run the integration tests with npm test -- --only int');
  const folder = mkdtempSync(join(tmpdir(), 'nats-'));
  const port = await freePort();
  let child = await run(binary, folder, port, more).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const kill = () => ended(child);
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid as number,
    kill,
    revive: async () => void (child = await run(binary, folder, port, more)),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(binary: string, folder: string, port: number, more: readonly string[]): Promise<ChildProcess> {
  const configuration = join(folder, 'server.conf');
  writeFileSync(configuration, SETTINGS);
  const address = ['-a', '127.0.0.1', '-p', String(port)];
  const child = spawn(binary, ['-c', configuration, ...address, '-js', '-sd', folder, ...more], { stdio: 'ignore' });
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
