import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { hotWalletAddress } from '@stablecoin/testing/chain';
import { BUS_KEY } from './running-service';

const MAIN = join(__dirname, '../../../../dist/apps/signer/src/main.js');
export const SEED = Buffer.alloc(64, 0x5e).toString('hex');

/** As the signer has them by its seed. */
export const HOT = hotWalletAddress(SEED);
export const depositAddress = (index: number): Hex =>
  new DepositAddresses(Buffer.from(SEED, 'hex')).derive('erc20', index).toLowerCase() as Hex;

/** More than any spec asks for, unless it asks for less. */
const SETTINGS = {
  LOG_LEVEL: 'verbose',
  LOG_FORMAT: 'json',
  OPERATIONS_PORT: '0',
  SIGNER_COLD_ADDRESS: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  SIGNER_PAYOUT_CAPS: ['erc20:USDT', 'erc20:USDC', 'bep20:USDT', 'bep20:USDC', 'polygon:USDT', 'polygon:USDC']
    .map((token) => `${token}=10000000/100000000`)
    .join(','),
  SIGNER_GAS_CAPS: 'erc20=1/100, bep20=1/100, polygon=1/100',
  SIGNER_FEE_CAPS: 'erc20=1/100, bep20=1/100, polygon=1/100',
  SIGNER_FEE_PER_GAS_CAPS: 'erc20=1000, bep20=1000, polygon=1000',
};

/** The built signer, with a journal that outlives it. */
export class SignerProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'signer-'));
  private child: ChildProcess | undefined;
  private output = '';

  constructor(
    private readonly natsUrl: string,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {}

  /** @param settings instead of those before */
  async start(settings: Readonly<Record<string, string>> = this.settings): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...SETTINGS,
        ...settings,
        ...{ NATS_URL: this.natsUrl, BUS_KEY: BUS_KEY.toString('base64'), SIGNER_SEED: SEED },
        SIGNER_JOURNAL_DIRECTORY: this.folder,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the signer ended: ${this.output}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** How many transactions it has signed, by its journal. */
  get signatures(): number {
    const lines = readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name: file }) => readFileSync(join(this.folder, file), 'utf8').split('\n'));
    return lines.filter((line) => line.includes('"hash"')).length;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
