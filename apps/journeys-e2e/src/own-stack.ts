import { ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

const STOP_TIMEOUT_MS = 60_000;
const OF_ANOTHER_STACK = /^(NATS_URL|PORT|DATA_DIR|SANDBOX_API_KEY|LEDGER_SHARDS|.*_DATABASE_URL|.*_KEY|DEPOSIT_SEED)$/;
const DEFAULTS = { PORT: '0', OPERATIONS_PORT: '0', SANDBOX_SETTLE_MS: '300' };

export interface OwnStack {
  description: TestStack;
  /** All of its processes at once, as when the power fails; `stop` still has to tidy up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A stack that a spec may break: it shares nothing with the one that the other specs run against. */
export async function startOwnStack(settings: NodeJS.ProcessEnv = {}, flags: string[] = []): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_STACK.test(name)));
  const child = spawn(process.execPath, ['tools/start.mjs', '--json', ...flags], {
    cwd: ROOT,
    env: { ...inherited, ...DEFAULTS, DATA_DIR: join(folder, 'data'), ...settings },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const description = JSON.parse(await firstLine(child, exited)) as TestStack;
    const kill = async () => {
      child.kill('SIGKILL');
      await exited;
      const { launcher: _launcher, ...pids } = description.pids;
      for (const pid of Object.values(pids)) endAtOnce(pid);
    };
    return { description, kill, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function firstLine(child: ChildProcess, exited: Promise<void>): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) done(text.split('\n', 1)[0] as string);
    });
    void exited.then(() => fail(new Error('the stack ended before it was ready')));
  });
}
