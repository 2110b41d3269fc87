// Nx's project graph is right: a fault in a library fails the tests of its dependents, also with a warm cache, and Nx
// runs the specs of every project that has some.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { filesUnder } from '@stablecoin/local-stack/files';
import { runTool } from '@stablecoin/local-stack/run-tool';
import { CheckoutCopy } from '../testing/checkout-copy';

const NX_TIMEOUT_MS = 170_000;
const CACHED = 'from the cache';
const PLANTED = 'a fault that was planted in money';

let copy: CheckoutCopy;

beforeAll(() => {
  copy = new CheckoutCopy();
});

afterAll(() => {
  copy.remove();
});

async function nx(...args: string[]) {
  // The run that this spec starts must not inherit the variables of its own run.
  const { NODE_ENV: _, JEST_WORKER_ID: __, ...inherited } = process.env;
  const env = { ...inherited, NX_DAEMON: 'false', FORCE_COLOR: '0', CI: 'true' };
  const program = [join('node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args];
  return runTool(process.execPath, program, { cwd: copy.root, env, timeoutMs: NX_TIMEOUT_MS });
}

it(
  'a fault in libs/money fails the tests of the ledger’s rules, although the cache has passed results',
  async () => {
    const first = await nx('test', 'ledger-domain');
    expect(first).toEqual({ code: 0, output: expect.not.stringContaining(CACHED) as string });
    const second = await nx('test', 'ledger-domain');
    expect(second).toEqual({ code: 0, output: expect.stringContaining(CACHED) as string });

    copy.append('libs/money/src/money.ts', `\nthrow new Error('${PLANTED}');\n`);
    const third = await nx('test', 'ledger-domain');
    expect(third.code).not.toBe(0);
    expect(third.output).toContain(PLANTED);

    const affected = await nx(
      'show',
      'projects',
      '--affected',
      '--files=libs/money/src/money.ts',
      '--with-target=test',
    );
    const projects = affected.output.trim().split('\n');
    for (const project of ['money', 'ledger-domain', 'wallet-ledger', 'gateway', 'payout', 'swap-pricing'])
      expect(projects).toContain(project);
    expect(projects).not.toContain('event-chain');
  },
  4 * NX_TIMEOUT_MS,
);

describe('every project', () => {
  const projects = ['apps', 'libs']
    .flatMap((folder) => filesUnder(folder, (file) => file.endsWith('/project.json'), ['node_modules', 'src']))
    .map((file) => ({ root: dirname(file), targets: targetsIn(file) }));

  it.each(projects)('$root has a target "test" if, and only if, it has specs for it', ({ root, targets }) => {
    const specs = filesUnder(root, (file) => /(?<!\.(?:int|e2e))\.spec\.ts$/.test(file), ['node_modules']);
    expect('test' in targets).toBe(specs.length > 0);
  });
});

function targetsIn(file: string): object {
  const { targets } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { targets: object };
  return targets;
}
