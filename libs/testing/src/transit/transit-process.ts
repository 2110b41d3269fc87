import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

const MAIN = join(ROOT, 'dist/libs/testing/src/transit/transit-server.main.js');

/** The key management service for tests as a process of its own, whose keys outlive it in a file. */
export class TransitProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start({
    file,
    token,
    port = 0,
  }: {
    file: string;
    token: string;
    port?: number;
  }): Promise<TransitProcess> {
    const child = spawn(process.execPath, [MAIN, String(port), file, token], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (text: Buffer) => resolve(text.toString()));
      child.once('exit', (code) => reject(new Error(`the key management service ended with ${code}`)));
    });
    return new TransitProcess(child, (JSON.parse(line) as { url: string }).url);
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.kill('SIGKILL')) await ended;
  }
}
