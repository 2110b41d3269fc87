// npm run dev, in a copy of the checkout: a change of a source file runs within three seconds, in the services that
// load it and in no other.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from '@stablecoin/images/imports';
import { type StackDescription, readStack } from '@stablecoin/local-stack/description';
import { withoutAnyStack } from '@stablecoin/local-stack/environment';
import { nodeCommand, ServiceProcess } from '@stablecoin/local-stack/service-process';
import { SERVICES, type ServiceName } from '@stablecoin/local-stack/services';
import { eventually } from '@stablecoin/testing/eventually';
import { CheckoutCopy } from '../testing/checkout-copy';

const START_TIMEOUT_MS = 120_000;
const CHANGE_TIMEOUT_MS = 60_000;
const RUNS_WITHIN_MS = 3_000;
/** How long payout's program takes to load on an idle machine; on a busier machine the test allows more time. */
const LOADS_WITHIN_MS = 1_000;
const TRIES = 4;
const PAYOUT_SOURCE = 'apps/payout/src/payout.configuration.ts';

let copy: CheckoutCopy;
let dev: ServiceProcess;
let env: NodeJS.ProcessEnv;

const terminal = () => readFileSync(join(copy.dataDir, 'terminal.log'), 'utf8');

function description(): StackDescription {
  const stored = readStack(env);
  if (stored === undefined) throw new Error('npm run dev wrote no description');
  return stored;
}

beforeAll(async () => {
  copy = new CheckoutCopy();
  mkdirSync(copy.dataDir, { mode: 0o711 });
  env = { ...withoutAnyStack(process.env), PORT: '0', DATA_DIR: copy.dataDir };
  dev = new ServiceProcess({
    title: 'npm run dev',
    command: nodeCommand(join(copy.root, 'dist/apps/workspace/src/stack/dev.main.js')),
    cwd: copy.root,
    env,
    output: { log: join(copy.dataDir, 'terminal.log') },
  });
  await eventually('the stack to run and be watched', () => terminal().includes('Watching apps/*/src'), {
    timeoutMs: START_TIMEOUT_MS,
  });
}, START_TIMEOUT_MS);

afterAll(async () => {
  await dev.stop({ timeoutMs: CHANGE_TIMEOUT_MS });
  copy.remove();
}, START_TIMEOUT_MS);

/** The services that have another process than before, once `change` runs. */
async function restartedBy(change: () => void, expected: readonly ServiceName[]) {
  const before = description().pids;
  const startedAt = Date.now();
  change();
  const isRestarted = (service: ServiceName) => description().pids[service] !== before[service];
  await eventually(`${expected.join(', ')} to be restarted`, () => expected.every(isRestarted), {
    timeoutMs: CHANGE_TIMEOUT_MS,
  });
  return { restarted: SERVICES.filter(isRestarted), durationMs: Date.now() - startedAt };
}

/** How long a process takes to load payout's program and find no settings. */
function loadingMs(): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, [join(copy.root, 'dist/apps/payout/src/main.js')], { env: {} });
  return performance.now() - startedAt;
}

it(
  'a change in payout restarts only payout, on the same port, within three seconds',
  async () => {
    const operationsUrl = description().operations_urls?.payout ?? '';
    const shares: number[] = [];
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const limitMs = RUNS_WITHIN_MS * Math.max(1, loadingMs() / LOADS_WITHIN_MS);
      const { restarted, durationMs } = await restartedBy(() => {
        copy.append(PAYOUT_SOURCE, `// change ${attempt}\n`);
      }, ['payout']);
      expect(restarted).toEqual(['payout']);
      expect((await fetch(`${operationsUrl}/live`)).status).toBe(200);
      shares.push(durationMs / limitMs);
      if (durationMs <= limitMs) break;
    }
    expect(Math.min(...shares)).toBeLessThanOrEqual(1);
  },
  TRIES * CHANGE_TIMEOUT_MS,
);

it(
  'a source that does not compile is named, and no service is restarted until it does',
  async () => {
    const { pids } = description();
    const before = copy.read(PAYOUT_SOURCE);
    copy.append(PAYOUT_SOURCE, 'const = broken;\n');
    await eventually('the fault to be shown', () => terminal().includes('const = broken;'), {
      timeoutMs: CHANGE_TIMEOUT_MS,
    });
    expect(terminal()).toMatch(/payout\.configuration\.ts[^]*Nothing was restarted\./);
    expect(description().pids).toEqual(pids);
    const { restarted } = await restartedBy(() => {
      copy.write(PAYOUT_SOURCE, before);
    }, ['payout']);
    expect(restarted).toEqual(['payout']);
  },
  2 * CHANGE_TIMEOUT_MS,
);

it(
  'a change in a library restarts each service that loads it, and no other',
  async () => {
    const library = 'libs/money/src/money';
    const loads = (service: ServiceName) =>
      programOf([`dist/apps/${service}/src/main.js`]).files.includes(`dist/${library}.js`);
    const { restarted } = await restartedBy(() => {
      copy.append(`${library}.ts`, '// change\n');
    }, SERVICES.filter(loads));
    expect(restarted).toEqual(SERVICES.filter(loads));
    expect(restarted.length).toBeGreaterThan(1);
  },
  2 * CHANGE_TIMEOUT_MS,
);

it(
  'a change that no service loads restarts none',
  async () => {
    const { pids } = description();
    copy.append('apps/auditor/src/main.ts', '// change\n');
    await eventually(
      'the change to be taken up',
      () => terminal().includes('apps/auditor/src/main.ts changed, which no service loads'),
      {
        timeoutMs: CHANGE_TIMEOUT_MS,
      },
    );
    expect(description().pids).toEqual(pids);
  },
  2 * CHANGE_TIMEOUT_MS,
);
