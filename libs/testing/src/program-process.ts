import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

const PROCESS = join(ROOT, 'dist/libs/testing/src/program-process.main.js');
const TIMEOUT_MS = 60_000;

export interface CommandMessage {
  id: number;
  args: readonly string[];
  /** What differs from the process's environment. */
  env: NodeJS.ProcessEnv;
}

export interface CommandAnswer {
  id: number;
  code: number;
  stdout: string;
  stderr: string;
}

/** The function of a built file that makes a program from its environment and its streams. */
export interface ProgramFile {
  /** Its name in messages. */
  title: string;
  file: string;
  name: string;
}

/**
 * A command-line program in a process that stays: each `run` is one command line, as a person would type it. To start such a
 * program costs a second of a processor, most commands a hundredth of that.
 */
export class ProgramProcess {
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<number, (answer: CommandAnswer | Error) => void>();
  private count = 0;

  constructor(
    private readonly program: ProgramFile,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Resolves to what the command printed; rejects when its exit code is not 0. */
  async run(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.answerTo(args);
    if (code !== 0) throw new Error(`${this.program.title} ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
    return stdout.trim();
  }

  /** Whatever the exit code is. @param env what differs for this command line */
  answerTo(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandAnswer> {
    const id = (this.count += 1);
    this.child ??= this.start();
    return new Promise((resolve, reject) => {
      const late = new Error(`${this.program.title} ${args.join(' ')} did not end within ${TIMEOUT_MS / 1000} s`);
      const timer = setTimeout(() => this.settle(id, late), TIMEOUT_MS);
      this.waiting.set(id, (answer) => {
        clearTimeout(timer);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.child?.send({ id, args, env } satisfies CommandMessage);
    });
  }

  async end(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.disconnect();
    await ended;
  }

  private start(): ChildProcess {
    const { file, name, title } = this.program;
    const child = fork(PROCESS, [join(ROOT, 'dist', file), name], {
      cwd: ROOT,
      env: { ...process.env, ...this.environment },
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (answer: CommandAnswer) => this.settle(answer.id, answer));
    child.once('exit', (code, signal) => {
      for (const id of [...this.waiting.keys()])
        this.settle(id, new Error(`the process of ${title} ended with ${signal ?? code ?? 'no code'}`));
    });
    return child;
  }

  private settle(id: number, answer: CommandAnswer | Error): void {
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
  }
}
