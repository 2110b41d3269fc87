import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { callerKeysText } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { BuiltService } from '@stablecoin/testing/built-service';
import { hotWalletAddress } from '@stablecoin/testing/chain';
import { BUS_KEY } from './running-service';

export const SEED = Buffer.alloc(64, 0x5e).toString('hex');

/** As the signer has them by its seed. */
export const HOT = hotWalletAddress(SEED);
export const depositAddress = (index: number): Hex =>
  new DepositAddresses(Buffer.from(SEED, 'hex')).derive('erc20', index).toLowerCase() as Hex;

/** Whose orders are signed. */
export const PAYOUT_SERVICE = new CallerSecret('payout', Buffer.alloc(32, 0x0d));

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

/** The built signer, stopped and started again on one journal. */
export class SignerProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'signer-'));
  private process: BuiltService | undefined;

  constructor(
    private readonly natsUrl: string,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {}

  /** @param settings instead of those before */
  async start(settings: Readonly<Record<string, string>> = this.settings): Promise<void> {
    this.process = BuiltService.launch('signer', {
      ...SETTINGS,
      ...settings,
      ...{ NATS_URL: this.natsUrl, BUS_KEY: BUS_KEY.toString('base64'), SIGNER_SEED: SEED },
      SIGNER_JOURNAL_DIRECTORY: this.folder,
      COMMAND_EVIDENCE_KEYS: callerKeysText([['payout', PAYOUT_SERVICE.evidenceKey]]),
    });
    await this.process.untilReady();
  }

  async stop(): Promise<void> {
    await this.process?.kill('SIGTERM');
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
