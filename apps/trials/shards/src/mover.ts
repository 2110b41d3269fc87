/** `operator shards move` as the process that an operator would start: it can be killed, and what it prints is kept. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { bundledMain } from '@stablecoin/local-stack/service-process';
import type { Site } from './site';

const PROGRAM = bundledMain('operator');
const DONE = 0;
/** It can't be done now: the command says why. */
const REFUSED = 1;
const OUTAGE = 2;

/** What the command prints of a move. */
export interface Moved {
  shard: number;
  database: string;
  moved: boolean;
  events: number;
  reserved_ms: number;
}

export interface MoverEnd {
  /** Null where it was killed. */
  code: number | null;
  /** Of one that ended with success. */
  moved?: Moved;
  /** What it printed to stderr. */
  said: string;
  ms: number;
}

export class Mover {
  readonly ended: Promise<MoverEnd>;
  private running = true;

  private constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
    private readonly log: string,
  ) {
    this.ended = this.untilEnded();
  }

  static start({ stack, logs }: Site, shard: number, to: string): Mover {
    const args = ['shards', 'move', String(shard), '--to', to, '--json'];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...stack.command_line },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Of a process group of its own: Ctrl-C reaches the trial, which ends what it started.
      detached: true,
    });
    return new Mover(child, args.slice(0, -1).join(' '), join(logs, 'mover.log'));
  }

  get isRunning(): boolean {
    return this.running;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Killed where it takes longer. @returns undefined then */
  async endedWithin(milliseconds: number): Promise<MoverEnd | undefined> {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());
    const end = await Promise.race([this.ended, late]);
    if (end === undefined) {
      this.kill();
      await this.ended;
    }
    return end;
  }

  private async untilEnded(): Promise<MoverEnd> {
    const startedAt = performance.now();
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', resolve);
    });
    this.running = false;
    const ms = Math.round(performance.now() - startedAt);
    const end = `${new Date().toISOString()} ${this.name}: ${code ?? 'killed'} after ${ms} ms`;
    appendFileSync(this.log, `${end}\n${printed.stderr}${printed.stdout}\n`);
    const moved = code === DONE ? (JSON.parse(printed.stdout) as Moved) : undefined;
    return { code, ...(moved && { moved }), said: printed.stderr.trim(), ms };
  }
}

/** An end that a mover may have: done, refused, told of an outage, or killed. */
export const isOrderly = ({ code }: MoverEnd): boolean => code === null || [DONE, REFUSED, OUTAGE].includes(code);
