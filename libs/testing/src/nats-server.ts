import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as openSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';

export interface OwnNats {
  url: string;
  /** For faults: the broker's process. */
  pid: number;
  stop(): Promise<void>;
}

/**
 * A broker of a spec's own, with JetStream: where subjects and streams have fixed names, two specs on one broker would
 * hear each other.
 */
export async function startOwnNats(): Promise<OwnNats> {
  const binary = process.env['TEST_NATS_SERVER'];
  if (!binary) throw new Error('TEST_NATS_SERVER is not set: run the integration tests with npm test -- --only int');
  const folder = mkdtempSync(join(tmpdir(), 'nats-'));
  const port = await freePort();
  const child = spawn(binary, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], { stdio: 'ignore' });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('the broker to answer', () => answers(child, port), { timeoutMs: 5_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `nats://127.0.0.1:${port}`, pid: child.pid as number, stop };
}

function answers(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1');
    const settle = (there: boolean) => () => {
      socket.destroy();
      resolve(there);
    };
    socket.once('data', settle(true));
    socket.once('error', settle(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
