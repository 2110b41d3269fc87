import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { testStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
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

describe('docs/MERCHANTS.md', () => {
  it('has a receiver on this machine whose lines work when pasted into bash', async () => {
    const page = readFileSync(join(ROOT, 'docs/MERCHANTS.md'), 'utf8');
    const [, lines = ''] = /^```bash\n(.*?)^```$/ms.exec(page) ?? [];
    expect(lines).toContain(':4000/');
    const { base_url, api_key } = testStack();
    const { stdout } = await promisify(execFile)('bash', ['-c', lines.replaceAll('4000', String(await getPort()))], {
      env: { ...process.env, BASE: base_url, KEY: api_key },
      timeout: 30_000,
    });
    expect(stdout).toMatch(
      /^\{"id":"[0-9a-f-]+","type":"webhook\.test".*\}\{"status":"success".*"outcome":"delivered"/,
    );
  }, 60_000);
});
