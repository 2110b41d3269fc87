import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

const PROGRAM = join(ROOT, 'dist/libs/testing/src/operator-process.main.js');
const OPERATOR = join(ROOT, 'dist/apps/operator/src/checkout-operator.js');
const TIMEOUT_MS = 60_000;

export interface CommandMessage {
  id: number;
  args: readonly string[];
}

export interface CommandAnswer {
  id: number;
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * The operator's program in a process that stays: each `run` is one command line, as a person would type it. To start the
 * program costs a second of a processor, most commands a hundredth of that.
 */
export class OperatorProcess {
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<number, (answer: CommandAnswer | Error) => void>();
  private count = 0;

  /** @param environment what a stack wrote down for command lines on this machine */
  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  /** Resolves to what the command printed; rejects when its exit code is not 0. */
  async run(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.answerTo(args);
    if (code !== 0) throw new Error(`operator ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
    return stdout.trim();
  }

  async end(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.disconnect();
    await ended;
  }

  private answerTo(args: readonly string[]): Promise<CommandAnswer> {
    const id = (this.count += 1);
    this.child ??= this.start();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.settle(id, new Error(`operator ${args.join(' ')} did not end within ${TIMEOUT_MS / 1000} s`)),
        TIMEOUT_MS,
      );
      this.waiting.set(id, (answer) => {
        clearTimeout(timer);
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      this.child?.send({ id, args } satisfies CommandMessage);
    });
  }

  private start(): ChildProcess {
    const env = { ...process.env, ...this.environment };
    const child = fork(PROGRAM, [OPERATOR], {
      cwd: ROOT,
      env,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (answer: CommandAnswer) => this.settle(answer.id, answer));
    child.once('exit', (code, signal) => {
      for (const id of [...this.waiting.keys()])
        this.settle(id, new Error(`the operator's process ended with ${signal ?? code ?? 'no code'}`));
    });
    return child;
  }

  private settle(id: number, answer: CommandAnswer | Error): void {
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
  }
}
