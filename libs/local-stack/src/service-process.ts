// The one way to start a service as a process. A service says {type: 'ready', url, operations_url} on its IPC channel when it
// serves, and ends by itself when that channel closes: a killed launcher takes its services along. Its output goes straight
// into a log file, or its end is kept for the message of a failure; the launcher copies nothing.

import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { lastLines } from './log-files';
import { ROOT } from './paths';

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const TAIL_KEPT = 4_000;
const LINES_SHOWN = 8;
const STDERR = 2;

export const builtMain = (service: string, root = ROOT) => join(root, 'dist', 'apps', service, 'src', 'main.js');

export interface ServiceProcessOptions {
  /** As messages name it. */
  title: string;
  /** The program and its arguments; `nodeCommand` makes the one of a built service. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The checkout, unless it says otherwise. */
  cwd?: string;
  /** Appends to a log file, keeps the end in memory, passes it on to our own stderr, or drops everything. */
  output: { log: string } | 'tail' | 'stderr' | 'ignore';
  /** Of a process group of its own: Ctrl-C of the terminal doesn't reach it, its launcher ends it in order. */
  detached?: boolean;
  /** Without the channel the process never becomes ready here: its health has to be asked otherwise. */
  ipc?: boolean;
  /** Another user than the launcher's own. */
  account?: { uid: number; gid: number };
}

/** What a service says when it serves. */
export interface ServiceAddresses {
  url?: string;
  operationsUrl?: string;
}

export interface ServiceExit {
  code: number | null;
  /** The signal, the exit code, or why it couldn't be started. */
  reason: string;
  /** It had said that it serves. */
  afterReady: boolean;
  /** By `stop`. */
  requested: boolean;
  /** By a SIGKILL that was sent through `send`. */
  killed: boolean;
}

export interface StopResult extends ServiceExit {
  /** It ended by itself within the time, and was not killed for being late. */
  willingly: boolean;
  durationMs: number;
}

export const nodeCommand = (main: string, ...args: string[]) => [
  process.execPath,
  '--enable-source-maps',
  main,
  ...args,
];

export class ServiceProcess {
  readonly startedAt = Date.now();
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<ServiceExit>;
  /** Resolves when it says that it serves; stays pending when it never does. */
  readonly serving: Promise<ServiceAddresses>;
  private readonly child: ChildProcess;
  private announced: ServiceAddresses | undefined;
  private exit: ServiceExit | undefined;
  private stopRequested = false;
  private killed = false;
  private tail = '';

  constructor(private readonly options: ServiceProcessOptions) {
    this.child = launch(options);
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.tail = (this.tail + chunk.toString()).slice(-TAIL_KEPT)));
    this.serving = new Promise((resolve) => {
      this.child.on('message', (message: { type?: string; url?: string; operations_url?: string }) => {
        if (message.type !== 'ready') return;
        this.announced = { url: message.url, operationsUrl: message.operations_url };
        resolve(this.announced);
      });
    });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(this.noteExit(null, error.message)));
      this.child.once('exit', (code, signal) => resolve(this.noteExit(code, signal ?? `code ${code ?? 'unknown'}`)));
    });
  }

  get title(): string {
    return this.options.title;
  }

  /** Undefined when it has ended or could not be started. */
  get pid(): number | undefined {
    return this.exit === undefined ? this.child.pid : undefined;
  }

  get isReady(): boolean {
    return this.announced !== undefined && this.exit === undefined;
  }

  /** Where it serves, as it said; of one that ended, where it did. */
  get addresses(): ServiceAddresses {
    return this.announced ?? {};
  }

  /** How it ended, if it has. */
  get exited(): ServiceExit | undefined {
    return this.exit;
  }

  /** The end of what it wrote, of one whose output is kept in memory. */
  get outputTail(): string {
    return this.tail;
  }

  /** Resolves when it serves; rejects when it ends before, or says nothing in time. */
  async untilReady(timeoutMs = READY_TIMEOUT_MS): Promise<ServiceAddresses> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.notReadyWithin(timeoutMs)), timeoutMs);
    });
    const ended = this.ended.then((exit) => {
      throw this.endedWhileStarting(exit);
    });
    try {
      return await Promise.race([this.serving, ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls the listener once if the process ends without `stop`. */
  onUnexpectedExit(listener: (exit: ServiceExit) => void): void {
    void this.ended.then((exit) => {
      if (!exit.requested) listener(exit);
    });
  }

  /** Resolves to whether there was a process to send it to. */
  send(signal: NodeJS.Signals): boolean {
    if (this.pid === undefined) return false;
    if (signal === 'SIGKILL') this.killed = true;
    return this.child.kill(signal);
  }

  /** As a crash would end it. */
  kill(): boolean {
    return this.send('SIGKILL');
  }

  /** It hangs: its connections stay, and nothing is answered. */
  pause(): boolean {
    return this.send('SIGSTOP');
  }

  resume(): boolean {
    return this.send('SIGCONT');
  }

  /** Asks it to end and waits; after `timeoutMs` it is killed. One that is paused is resumed, else it could not end. */
  async stop({
    signal = 'SIGTERM',
    timeoutMs = STOP_TIMEOUT_MS,
  }: { signal?: NodeJS.Signals; timeoutMs?: number } = {}): Promise<StopResult> {
    const startedAt = performance.now();
    this.stopRequested = true;
    let willingly = true;
    this.resume();
    this.send(signal);
    const timer = setTimeout(() => {
      willingly = false;
      this.child.kill('SIGKILL');
    }, timeoutMs);
    const exit = await this.ended;
    clearTimeout(timer);
    return { ...exit, willingly, durationMs: performance.now() - startedAt };
  }

  /** The end of its output, for the message of a failure. */
  lastWords(lines = LINES_SHOWN): string {
    const { output } = this.options;
    if (output === 'ignore') return 'its output was not kept';
    if (output === 'stderr') return 'its output is above';
    if (output === 'tail') return `the end of its output:\n${this.tail.trim()}`;
    return `the end of ${output.log}:\n${lastLines(output.log, lines).replaceAll(' | ', '\n')}`;
  }

  endedWhileStarting({ reason }: ServiceExit): OperatorError {
    return new OperatorError(`${this.title} ended while it was starting (${reason}); ${this.lastWords()}`);
  }

  notReadyWithin(timeoutMs: number): OperatorError {
    const { output } = this.options;
    const where = typeof output === 'object' ? `see ${output.log}.` : this.lastWords();
    return new OperatorError(`${this.title} was not ready within ${timeoutMs / 1000} s: ${where}`);
  }

  private noteExit(code: number | null, reason: string): ServiceExit {
    this.exit ??= {
      code,
      reason,
      afterReady: this.announced !== undefined,
      requested: this.stopRequested,
      killed: this.killed,
    };
    return this.exit;
  }
}

function launch({ command, env, cwd = ROOT, output, detached = false, ipc = true, account }: ServiceProcessOptions) {
  const [program = process.execPath, ...args] = command;
  const log = typeof output === 'object' ? openSync(output.log, 'a', 0o600) : undefined;
  const target = log ?? (output === 'tail' ? 'pipe' : output === 'stderr' ? STDERR : 'ignore');
  try {
    const stdio: StdioOptions = ipc ? ['ignore', target, target, 'ipc'] : ['ignore', target, target];
    return spawn(program, args, { cwd, env, detached, stdio, ...account });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}
