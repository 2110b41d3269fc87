import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Money } from '@stablecoin/money/money';
import { CuttingProxy } from '@stablecoin/testing/cutting-proxy';
import { PNG } from '@stablecoin/testing/person';
import { python } from '@stablecoin/testing/python';
import { testStack } from '@stablecoin/testing/stack';
import { dataOf } from './client';
import { newClient, ROOT } from './merchants';
import { balanceOf, openWallet } from './people';
import { Transaction, TRANSACTION_ID, UUID } from './resources';

const SDK = join(ROOT, 'libs/sdk-python');
const PAYOUTS = 200;
const SEED = 20_261_124;

const PYTHON = python();

const run = promisify(execFile);

/** As a merchant has it: the wheel, installed into a folder that holds nothing else. */
describe('The packed Python SDK, installed in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-python-'));
  const installed = join(folder, 'installed');
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    const packed = await run(PYTHON, [join(SDK, 'packaging/wheel_backend.py'), folder]);
    mkdirSync(installed);
    // As an installer does with a wheel of pure Python; the machine's own Python may come without one.
    await run(PYTHON, ['-m', 'zipfile', '-e', packed.stdout.trim(), installed]);
  });

  /** A sample, with no other module of ours in reach. */
  async function sample(file: string, args: readonly string[], baseUrl: string, apiKey: string): Promise<string> {
    const env = {
      ...{ PATH: process.env['PATH'], PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' },
      ...{ STABLECOIN_BASE_URL: baseUrl, STABLECOIN_API_KEY: apiKey },
    };
    const program = ['-W', 'error', join(SDK, 'samples', file), ...args];
    const { stdout } = await run(PYTHON, program, { cwd: folder, env, timeout: 120_000 });
    return stdout.trim();
  }

  const { base_url } = testStack();

  it('pays out in the lines of its README', async () => {
    const { apiKey = '' } = await newClient();
    expect(await sample('first_payout.py', [], base_url, apiKey)).toMatch(/^[A-Z0-9]{10} PENDING$/);
  });

  it('does the main job, from a customer with a document to the proof of a payout', async () => {
    const merchant = await newClient();
    const document = join(folder, 'passport.png');
    writeFileSync(document, Buffer.from(PNG.replace(/^data:.*?,/, ''), 'base64'));
    const done = JSON.parse(await sample('main_job.py', [document], base_url, merchant.apiKey ?? '')) as {
      completed: string;
      listed: string[];
    };
    expect(done).toEqual({
      kyc_status: 'approved',
      swap: UUID,
      told: done.completed,
      completed: TRANSACTION_ID,
      failed_status: 'FAILED',
      held_status: 'COMPLETED',
      refused: { status: 422, request_id: UUID, unknown: false },
      listed: expect.any(Array),
      // 100 less 40 swapped, 10.50 and 1 paid out.
      balance: '48.50000000',
      past_balance: '48.50000000',
      explained: done.completed,
      proven: done.completed,
    });
    const all = await dataOf(merchant.get<Transaction[]>('/transactions?limit=100'));
    expect(done.listed).toEqual(all.map(({ transaction_id }) => transaction_id));
  });

  it(`pays out ${PAYOUTS} times exactly once each, while connections are cut at every moment of a request`, async () => {
    const merchant = await newClient();
    const wallet = await openWallet(merchant, { currency: 'USDT', network: 'trc20' }, '1000');
    const proxy = await CuttingProxy.inFrontOf(base_url, { seed: SEED, cutsOfTen: 4 });
    const printed = await sample('many_payouts.py', [String(PAYOUTS)], proxy.url, merchant.apiKey ?? '').finally(() =>
      proxy.close(),
    );
    // Requests were lost at every place, and some went through.
    expect(proxy.fates.size).toBe(5);
    for (const times of proxy.fates.values()) expect(times).toBeGreaterThan(PAYOUTS / 20);

    const byKey = JSON.parse(printed) as Record<string, string>;
    expect(Object.keys(byKey)).toHaveLength(PAYOUTS);
    const found: string[] = [];
    for (let page = 1; page <= PAYOUTS / 100 + 1; page += 1) {
      const query = `transaction_type=PAYOUT&limit=100&page=${page}`;
      const listed = await dataOf(merchant.get<Transaction[]>(`/transactions?${query}`));
      found.push(...listed.map(({ transaction_id }) => transaction_id));
    }
    expect(found.length).toBe(PAYOUTS);
    expect(found.sort()).toEqual(Object.values(byKey).sort());
    const left = Money.parse('USDT', '1000').minus(Money.parse('USDT', String(PAYOUTS)));
    expect(await balanceOf(merchant, wallet.id)).toBe(left.toString());
  }, 180_000);
});
