/** A merchant for every sequence, made by the operator's command line: many in one process, since each start of it is slow. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestStack } from '@stablecoin/testing/stack';
import { Client } from '../client';
import { Merchant, ROOT } from '../merchants';
import { FeeSchedule } from './amounts';

/** What merchants of the model are charged; every third pays nothing. */
const FEES: readonly (FeeSchedule | null)[] = [null, { flat: '0.5', basisPoints: 100 }, { flat: '0', basisPoints: 33 }];
const AT_ONCE = 20;
const OPERATOR = join(ROOT, 'dist/apps/operator/src/deployed-operator.js');
const COMMANDS = `
  const { deployedOperator } = require(process.argv[1]);
  const run = async (commands) => {
    for (const args of commands) {
      const code = await deployedOperator(process.env, process.stdout, process.stderr).run(args);
      if (code !== 0) process.exit(code);
    }
  };
  void run(JSON.parse(process.argv[2]));`;

export interface NewMerchant {
  client: Client;
  merchantId: string;
  feeSchedule: FeeSchedule | null;
}

/** The fee schedule belongs to the index, so that a sequence meets the same one again. */
export class Merchants {
  private readonly waiting: Merchant[][] = FEES.map(() => []);
  private making: Promise<void> = Promise.resolve();

  constructor(private readonly stack: TestStack) {}

  async next(index: number): Promise<NewMerchant> {
    const kind = index % FEES.length;
    const feeSchedule = FEES[kind] ?? null;
    for (;;) {
      const made = this.waiting[kind]?.pop();
      if (made)
        return { client: new Client(this.stack.base_url, made.api_key), merchantId: made.merchant_id, feeSchedule };
      this.making = this.making.then(() => (this.waiting[kind]?.length ? undefined : this.make()));
      await this.making;
    }
  }

  private async make(): Promise<void> {
    const { environment } = JSON.parse(readFileSync(join(this.stack.data_dir, 'stack.json'), 'utf8')) as {
      environment: Record<string, string>;
    };
    const commands = Array.from({ length: AT_ONCE * FEES.length }, (_, index) => createArgs(FEES[index % FEES.length]));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['-e', COMMANDS, OPERATOR, JSON.stringify(commands)],
      {
        cwd: ROOT,
        env: { ...process.env, ...environment },
      },
    );
    const made = stdout.trim().split('\n');
    made.forEach((line, index) => this.waiting[index % FEES.length]?.push(JSON.parse(line) as Merchant));
  }
}

function createArgs(fee: FeeSchedule | null | undefined): string[] {
  const charged = fee ? ['--payout-fee-flat', fee.flat, '--payout-fee-basis-points', String(fee.basisPoints)] : [];
  return ['merchants', 'create', '--name', 'Model', ...charged];
}
