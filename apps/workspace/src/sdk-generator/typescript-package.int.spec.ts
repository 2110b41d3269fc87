/** The package as a merchant gets it: packed, installed without a network, run from both module systems, compiled strictly. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from '@stablecoin/command-line/root';
import { SDK_VERSION } from '@stablecoin/sdk-typescript/sdk-version';
import { packTypescriptSdk } from './typescript-package';

const TIMEOUT_MS = 300_000;
const MODULE_NAMES = `console.log([typeof Stablecoin, typeof unwrapWebhook, amounts.add('0.1', '0.2'),
  new InsufficientFundsError({ status: 422, code: 'insufficient_funds', message: '', errors: [] },
    { attempts: 1, outcomeUnknown: false }) instanceof StablecoinApiError].join())`;
const NAMES = '{ Stablecoin, StablecoinApiError, InsufficientFundsError, amounts, unwrapWebhook }';
const MERCHANTS_PROGRAM = `
import { Stablecoin, unwrapWebhook, InsufficientFundsError, StablecoinApiError } from 'stablecoin-sdk';
import type { BankPayoutParams, Customer, Event, IndividualCustomerParams, Transaction } from 'stablecoin-sdk';

const client = new Stablecoin({ apiKey: 'sk_test', fetch: globalThis.fetch, logger: ({ durationMs }) => void durationMs });

export async function firstName(params: IndividualCustomerParams): Promise<string> {
  const customer = await client.customers.createIndividual(params);
  return customer.personal_info.first_name;
}

export async function nameOf(id: string): Promise<string> {
  const customer: Customer = await client.customers.get(id);
  return customer.customer_type === 'individual' ? customer.personal_info.first_name : customer.business_info.business_name;
}

export async function feeAndId(params: BankPayoutParams): Promise<[fee: string | null, id: string]> {
  const tried = await client.payouts.createToBank({ ...params, dry_run: true });
  const nothing: null = tried.transaction_id;
  const { transaction_id } = await client.payouts.createToBank(params);
  return [tried.fee ?? nothing, transaction_id];
}

export function amountOf(event: Event): string | undefined {
  switch (event.type) {
    case 'payout.failed':
      return event.data.amount;
    case 'swap.completed':
      return event.data.swapId;
    case 'customer.created':
      return event.data.kyc_status;
    default:
      return undefined;
  }
}

export async function all(params: BankPayoutParams): Promise<Transaction[]> {
  const found: Transaction[] = [];
  for await (const each of client.transactions.list({ status: 'PENDING', limit: 100 })) found.push(each);
  const { data, pagination, nextPage } = await client.transactions.list();
  const { data: payout, replayed, requestId } = await client.payouts.createToBank(params, { idempotencyKey: 'a' }).withAnswer();
  const total: number = pagination.total;
  const next = await nextPage()?.withAnswer();
  const texts: string[] = [payout.transaction_id, requestId, String(replayed), String(total), String(next?.status)];
  const nothing: void = await client.webhooks.delete(texts[0] ?? '');
  return nothing === undefined ? [...found, ...data] : [];
}

export function explain(error: unknown): string {
  if (error instanceof InsufficientFundsError) {
    const code: 'insufficient_funds' = error.code;
    return code;
  }
  return error instanceof StablecoinApiError ? error.errors.map(({ field }) => field).join() : 'unknown';
}

export const opened: Event = unwrapWebhook('{}', new Headers(), 'whsec_AA==', { toleranceSeconds: 60 });

// @ts-expect-error an amount is no number
void client.payouts.createToBank({ currency: 'USD', amount: 10, account_number: '1', bank_code: '1', recipient_name: 'A' });
// @ts-expect-error reads take no idempotency key
void client.wallets.get('id', { idempotencyKey: 'a' });
`;

describe('the package stablecoin-sdk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-installed-'));
  const installed = join(folder, 'node_modules/stablecoin-sdk');
  const run = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    return execa(process.execPath, [file], { cwd: folder });
  };

  beforeAll(async () => {
    const tarball = await packTypescriptSdk(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await execa('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      timeout: TIMEOUT_MS,
    });
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says its version, and needs no other package', () => {
    const { version, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
      dependencies?: object;
    };
    expect([version, dependencies]).toEqual([SDK_VERSION, undefined]);
  });

  it.each([
    ['a CommonJS program', 'program.cjs', `const ${NAMES} = require('stablecoin-sdk');`],
    ['an ES module', 'program.mjs', `import ${NAMES} from 'stablecoin-sdk';`],
  ])('runs in %s', async (_, file, importing) => {
    const { stdout } = await run(file, `${importing}\n${MODULE_NAMES}`);
    expect(stdout).toBe('function,function,0.3,true');
  });

  it('is one and the same in a program that has both', async () => {
    const both = `import { createRequire } from 'node:module';
      import { StablecoinApiError } from 'stablecoin-sdk';
      console.log(createRequire(import.meta.url)('stablecoin-sdk').StablecoinApiError === StablecoinApiError);`;
    expect((await run('both.mjs', both)).stdout).toBe('true');
  });

  it.each([
    ['an ES module with the types of Node', 'merchant.mts', { types: ['node'], lib: ['ES2023'] }],
    ['CommonJS with the types of Node', 'merchant.cts', { types: ['node'], lib: ['ES2023'] }],
    [
      'an ES module with the types of the web',
      'merchant.mts',
      { types: [], lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'] },
    ],
  ])(
    'compiles strictly in %s',
    async (_, file, environment) => {
      symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
      try {
        writeFileSync(join(folder, file), MERCHANTS_PROGRAM);
        const compilerOptions = { strict: true, noEmit: true, module: 'node16', target: 'ES2023', ...environment };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
        const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
        const { stdout } = await execa(process.execPath, [compiler, '-p', folder], {
          reject: false,
          timeout: TIMEOUT_MS,
        });
        expect(stdout).toBe('');
      } finally {
        rmSync(join(folder, 'node_modules/@types'));
      }
    },
    TIMEOUT_MS,
  );
});
