import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../../../dist/apps/chain/src/main.js');

/** The built service in a process of its own, which can be killed. */
export class ChainProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly said: () => string,
  ) {}

  static launch(environment: NodeJS.ProcessEnv): ChainProcess {
    let said = '';
    const child = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    return new ChainProcess(child, () => said);
  }

  /** Resolves when it serves; rejects with what it said where it ends instead. */
  async untilReady(): Promise<void> {
    const ended = once(this.child, 'exit').then(() => {
      throw new Error(`the service ended: ${this.said()}`);
    });
    await Promise.race([once(this.child, 'message'), ended]);
    ended.catch(() => undefined);
  }

  /** @returns what it said, once it has ended by itself */
  async untilEnded(): Promise<{ status: number | null; output: string }> {
    await once(this.child, 'close');
    return { status: this.child.exitCode, output: this.said() };
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
