import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Attacker } from '../load/attacker-account';

/** A real attacker has a machine of its own: here it gets what the service leaves of the processors. */
const NICENESS = 10;

export interface AttackOrder {
  name: string;
  baseUrl: string;
  attacker: Attacker;
  seconds: number;
}

export interface AttackReport {
  /** What the attacker got, and how often. */
  counts: Record<string, number>;
  notes: string[];
  /** Processors that the generator used. */
  cores: number;
  /** How late the generator's event loop was at the most. */
  lagMs: number;
}

export interface RunningAttack {
  /** Resolves when the time is over. */
  over: Promise<AttackReport>;
  /** Resolves when its process has removed what it made, and ended. */
  gone: Promise<unknown>;
}

/** Resolves once the attack goes on. */
export async function startAttack(order: AttackOrder): Promise<RunningAttack> {
  const child = fork(join(__dirname, 'attacker-process.js'), [], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const ended = gone.then(() => {
    throw new Error(`the attacker's process ended before its attack ${order.name} was over`);
  });
  ended.catch(() => undefined);
  await Promise.race([message(child), ended]);
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  child.send(order);
  await Promise.race([message(child), ended]);
  const over = Promise.race([message(child) as Promise<AttackReport>, ended]);
  over.catch(() => undefined);
  return { over, gone };
}

const message = async (child: ChildProcess): Promise<unknown> => ((await once(child, 'message')) as unknown[])[0];
