// The service's own program, as it is deployed, on the tests' broker: started, killed, and everything that it printed.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { CAP_SETTINGS, COLD, SEED } from './requests';

export const BUS_KEY = createHash('sha256').update('integration tests of the signer').digest();
const MAIN = join(__dirname, '../../../../dist/apps/signer/src/main.js');

export const settingsIn = (directory: string): Record<string, string> => ({
  NATS_URL: testNatsUrl(),
  BUS_KEY: BUS_KEY.toString('base64'),
  LOG_LEVEL: 'verbose',
  LOG_FORMAT: 'json',
  OPERATIONS_PORT: '0',
  SIGNER_SEED: SEED.toString('hex'),
  SIGNER_COLD_ADDRESS: COLD,
  SIGNER_JOURNAL_DIRECTORY: directory,
  ...CAP_SETTINGS,
});

export class SignerProcess {
  output = '';
  operationsUrl = '';
  readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)));
    this.ended = new Promise((resolve) => child.on('close', resolve));
  }

  /** Started, whatever comes of it. */
  static launch(settings: Record<string, string>): SignerProcess {
    const child = spawn(process.execPath, [MAIN], { env: settings, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    return new SignerProcess(child);
  }

  /** Ready; @throws Error with what it printed where it ended instead */
  static async start(settings: Record<string, string>): Promise<SignerProcess> {
    const signer = SignerProcess.launch(settings);
    const ready = new Promise<boolean>((resolve) => {
      signer.child.on('message', (message: { operations_url?: string }) => {
        signer.operationsUrl = message.operations_url ?? '';
        resolve(true);
      });
      void signer.ended.then(() => resolve(false));
    });
    if (!(await ready)) throw new Error(signer.output);
    return signer;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }

  async metric(name: string, labels: string): Promise<number> {
    const text = await (await fetch(`${this.operationsUrl}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{${labels}}`));
    return Number(line?.split(' ').at(-1));
  }

  get lines(): Record<string, unknown>[] {
    const lines = this.output.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
