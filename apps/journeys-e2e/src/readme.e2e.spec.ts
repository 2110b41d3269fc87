import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { BANK } from '@stablecoin/testing/journey';
import { testStack } from '@stablecoin/testing/stack';
import { Client, dataOf } from './client';
import { addKey, createMerchant, Merchant, ROOT, setPolicy } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { openWallet } from './people';
import { Transaction } from './resources';
import { SAMPLE_RUNNERS } from './sample-runners';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const GUIDES = join(ROOT, 'apps/documentation/guides');
const WALK = '## A walk through the main job';
const TOOLS = '## Tokens with a tool of your own';

describe('README.md', () => {
  let own: OwnStack;

  /** As npm start runs it: with chains. */
  beforeAll(async () => {
    own = await startOwnStack({ LOCAL_CHAINS: 'true' });
  }, 120_000);
  afterAll(() => own?.stop(), 60_000);

  it('has a walk whose lines work when pasted into bash, in order, and sends tokens after it', async () => {
    const lines = [WALK, TOOLS].flatMap((title) => fencedIn(sectionOf(title), 'bash')).join('');
    const { base_url, api_key, data_dir } = own.description;
    const env = { ...process.env, BASE: base_url, KEY: api_key, STACK: join(data_dir, 'stack.json') };
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', lines], {
      cwd: ROOT,
      env,
      timeout: 90_000,
    });
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^customer [0-9a-f-]{36}$/),
      expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
      '100.00000000',
      expect.stringMatching(/^\d+\.\d{8}$/),
      expect.stringMatching(/^\d+\.\d{8}$/),
      expect.stringMatching(/^payout ([A-Z0-9]{10}), sent twice, is one: \1$/),
      expect.stringMatching(/^(PENDING|COMPLETED)$/),
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
      'DEBIT 12.50000000 USDT PAYOUT',
      'DEBIT 5000.00000000 NGN PAYOUT',
      expect.stringMatching(/^CREDIT \d+\.\d{8} NGN INTERNAL TRANSFER$/),
      'DEBIT 40.00000000 USDT INTERNAL TRANSFER',
      'CREDIT 100.00000000 USDT DEPOSIT',
      '2',
      '72.50000000',
    ]);
  }, 120_000);

  it('links to files that are there, and names scripts that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the guides', () => {
  /** The lines of each guide to paste into bash, of a merchant of its own: only `start` has no other guide before it. */
  const guides = readdirSync(GUIDES).filter((name) => linesOf(name) !== '');

  it('show what to do', () => {
    expect(guides).toEqual(expect.arrayContaining(['start.md', 'retries.md', 'sandbox.md', 'webhooks.md']));
  });

  it.each(guides)(
    '%s: its lines work when pasted into bash, in order',
    async (name) => {
      const merchant = await createMerchant();
      const env = {
        ...process.env,
        STABLECOIN_BASE_URL: testStack().base_url,
        STABLECOIN_API_KEY: merchant.api_key,
        ...(name === 'approvals.md' && (await waitingPayout(merchant))),
      };
      const port = String(await getPort());
      const before = name === 'start.md' ? '' : linesOf('start.md');
      const run = (lines: string) =>
        promisify(execFile)('bash', ['-eo', 'pipefail', '-c', lines.replaceAll('4000', port)], {
          cwd: mkdtempSync(join(tmpdir(), 'guide-')),
          env,
          timeout: 60_000,
        });
      if (before !== '') await run(before);
      const { stdout } = await run(linesOf(name));
      expect(stdout).toContain('"status":"success"');
      expect(stdout).not.toContain('"status":"error"');
      if (name === 'webhooks.md')
        expect(stdout).toMatch(
          /\{"id":"[0-9a-f-]+","type":"webhook\.test".*\}\{"status":"success".*"outcome":"delivered"/,
        );
    },
    90_000,
  );
});

describe('the guide of clients', () => {
  const page = readFileSync(join(GUIDES, 'clients.md'), 'utf8');
  const [sdkSample = '', openapiSample = ''] = fencedIn(page, 'ts');
  const [pythonSample = ''] = fencedIn(page, 'python');
  const runners = new Map(SAMPLE_RUNNERS);
  let env: NodeJS.ProcessEnv;

  /** The merchant who has just walked through Start. */
  beforeAll(async () => {
    env = {
      ...process.env,
      STABLECOIN_BASE_URL: testStack().base_url,
      STABLECOIN_API_KEY: (await createMerchant()).api_key,
    };
    await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', linesOf('start.md')], { env, timeout: 60_000 });
  }, 90_000);

  it.each([
    ['TypeScript', sdkSample],
    ['Python', pythonSample],
  ])(
    'has a sample in %s that goes on where Start ended',
    async (language, sample) => {
      const runner = await runners.get(language)?.();
      if (!runner) throw new Error(`no runner for ${language}`);
      try {
        expect(await runner.run(sample, env)).toMatch(/^[A-Z0-9]{10} PENDING\n$/);
      } finally {
        runner.remove();
      }
    },
    90_000,
  );

  it('has a client made of the document that compiles and pays', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-fetch-'));
    const run = (file: string, args: string[]) =>
      promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env, timeout: 60_000 });
    const program = (name: string) => join(ROOT, 'node_modules', name);
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(program(name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const here = openapiSample
      .replace('http://127.0.0.1:3000/api', String(env['STABLECOIN_BASE_URL']))
      .replace('sk_test_local_development_key_do_not_use_in_production', String(env['STABLECOIN_API_KEY']));
    writeFileSync(join(folder, 'pay.ts'), here);
    await run(program('openapi-typescript/bin/cli.js'), [join(ROOT, 'docs/openapi.json'), '--output', 'stablecoin.ts']);
    const options =
      '--strict --skipLibCheck --target es2022 --lib es2023,dom --module esnext --moduleResolution bundler';
    await run(program('typescript/bin/tsc'), [...options.split(' '), 'pay.ts']);
    const { stdout } = await run('pay.js', []);
    rmSync(folder, { recursive: true });
    expect(stdout).toMatch(/^[A-Z0-9]{10}\n$/);
  }, 120_000);
});

function sectionOf(title: string): string {
  const [, after = ''] = readme.split(title);
  const [section = ''] = after.split('\n## ');
  return section;
}

function fencedIn(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

function linesOf(name: string): string {
  return fencedIn(readFileSync(join(GUIDES, name), 'utf8'), 'bash').join('');
}

/** What an approver has at hand: a key, and a payout that waits for it. */
async function waitingPayout({ merchant_id, api_key }: Merchant): Promise<NodeJS.ProcessEnv> {
  const client = new Client(testStack().base_url, api_key);
  await openWallet(client, { currency: 'USD' }, '1000');
  const approver = await addKey(merchant_id, 'read,approve');
  await setPolicy(merchant_id, {
    limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '1000' }],
    new_destination_wait_seconds: 0,
    approval: {
      ...{ above: [{ currency: 'USD', amount: '1' }], new_destination: false, new_rail: false },
      ...{ approvers: 1, expires_after_seconds: 600 },
    },
  });
  const body = { currency: 'USD', amount: '10', ...BANK };
  const { transaction_id, approval_hash } = await dataOf(
    client.post<Transaction & { approval_hash: string }>('/payouts/banks', body),
  );
  return { APPROVER_KEY: approver.api_key, TRANSACTION_ID: transaction_id, APPROVAL_HASH: approval_hash };
}
