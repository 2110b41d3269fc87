// The only way to start a service as a process. A service sends {type: 'ready', url, operations_url} on its IPC channel
// when it serves, and ends when that channel closes, so that services end with a killed launcher. Its output goes
// straight into a log file, or its end is kept for the message of a failure; the launcher copies nothing.

import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { lastLines } from './log-files';
import { ROOT } from './paths';

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const TAIL_KEPT = 4_000;
const LINES_SHOWN = 8;
const STDERR = 2;

/** A program as it was compiled, file by file. */
export const compiledMain = (program: string, root = ROOT) => join(root, 'dist', 'apps', program, 'src', 'main.js');

/** The bundle of a service, from which it is started everywhere but in npm run dev, or of the operator's commands. */
export const bundledMain = (program: string, root = ROOT) => join(root, 'dist', 'bundles', program, 'main.js');

export interface ServiceProcessOptions {
  /** Its name in messages. */
  title: string;
  /** The program and its arguments; `nodeCommand` makes them for a built service. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The checkout by default. */
  cwd?: string;
  /** Appends to a log file, keeps the end in memory, passes it on to our own stderr, or drops everything. */
  output: { log: string } | 'tail' | 'stderr' | 'ignore';
  /** In its own process group: the terminal's Ctrl-C doesn't reach it, and the launcher ends it in order. */
  detached?: boolean;
  /** Without the channel, `serving` never resolves: its readiness must be checked in another way. */
  ipc?: boolean;
  /** Another user than the launcher's own. */
  account?: { uid: number; gid: number };
}

/** The addresses that a service reports when it serves. */
export interface ServiceAddresses {
  url?: string;
  operationsUrl?: string;
}

export interface ServiceExit {
  code: number | null;
  /** The signal, the exit code, or why it couldn't be started. */
  reason: string;
  /** Whether it had reported that it serves. */
  afterReady: boolean;
  /** Whether `stop` ended it. */
  requested: boolean;
  /** Whether a SIGKILL through `send` ended it. */
  killed: boolean;
}

export interface StopResult extends ServiceExit {
  /** Whether it ended within the time, without being killed. */
  willingly: boolean;
  durationMs: number;
}

/** A bundle names the sources in its traces by itself; Node would read its map at the start. */
export const nodeCommand = (main: string, ...args: string[]) => [
  process.execPath,
  ...(isBundle(main) ? [] : ['--enable-source-maps']),
  main,
  ...args,
];

const isBundle = (main: string) => main.endsWith(join('bundles', basename(dirname(main)), 'main.js'));

export class ServiceProcess {
  readonly startedAt = Date.now();
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<ServiceExit>;
  /** Resolves when it reports that it serves; stays pending when it never does. */
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

  /** The addresses at which it serves or, after its end, served. */
  get addresses(): ServiceAddresses {
    return this.announced ?? {};
  }

  /** How it ended, if it has. */
  get exited(): ServiceExit | undefined {
    return this.exit;
  }

  /** The end of its output, if that is kept in memory. */
  get outputTail(): string {
    return this.tail;
  }

  /** Resolves when it serves; rejects when it ends before, or is not ready in time. */
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

  /** Ends it like a crash. */
  kill(): boolean {
    return this.send('SIGKILL');
  }

  /** Makes it hang: its connections stay, but it answers nothing. */
  pause(): boolean {
    return this.send('SIGSTOP');
  }

  resume(): boolean {
    return this.send('SIGCONT');
  }

  /** Asks it to end and waits; kills it after `timeoutMs`. Resumes it first if it is paused, so that it can end. */
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
