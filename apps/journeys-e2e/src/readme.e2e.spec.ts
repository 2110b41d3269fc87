import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { testStack } from '@stablecoin/testing/stack';
import { createMerchant, ROOT } from './merchants';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const GUIDES = join(ROOT, 'apps/documentation/guides');
const WALK = '## A walk through the main job';

describe('README.md', () => {
  it('has a walk whose lines work when pasted into bash, in order', async () => {
    const [, walk = ''] = readme.split(WALK);
    const [section = ''] = walk.split('\n## ');
    const lines = [...section.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join('');
    const { base_url, api_key } = testStack();
    const env = { ...process.env, BASE: base_url, KEY: api_key };
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', lines], {
      cwd: ROOT,
      env,
      timeout: 60_000,
    });
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^customer [0-9a-f-]{36}$/),
      expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
      '100.00000000',
      '100.00000000',
      expect.stringMatching(/^\d+\.\d{8}$/),
      expect.stringMatching(/^\d+\.\d{8}$/),
      expect.stringMatching(/^payout ([A-Z0-9]{10}), sent twice, is one: \1$/),
      expect.stringMatching(/^(PENDING|COMPLETED)$/),
      'DEBIT 5000.00000000 NGN PAYOUT',
      expect.stringMatching(/^CREDIT \d+\.\d{8} NGN INTERNAL TRANSFER$/),
      'DEBIT 40.00000000 USDT INTERNAL TRANSFER',
      'CREDIT 100.00000000 USDT DEPOSIT',
      '2',
    ]);
  }, 90_000);

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
      const { api_key } = await createMerchant();
      const env = {
        ...process.env,
        STABLECOIN_BASE_URL: testStack().base_url,
        STABLECOIN_API_KEY: api_key,
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

function linesOf(name: string): string {
  const page = readFileSync(join(GUIDES, name), 'utf8');
  return [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join('');
}
