// ESLint enforces the boundaries between modules: each case is a line that must not pass, and beside it one that may.
// The fixture is never written to disk.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import type { LintMessage, TextToLint } from '../testing/lint-texts.main';

const CASES = [
  ['libs/ledger-domain/src/decide.ts', '@stablecoin/money/money', true],
  ['libs/ledger-domain/src/decide.ts', '@stablecoin/contracts/wire/refusal', false],
  ['libs/ledger-domain/src/decide.ts', '@nestjs/common', false],
  ['libs/contracts/wallet/src/views.ts', '@stablecoin/ledger-domain/events', false],
  ['libs/event-chain/src/event-hash.ts', '@stablecoin/money/money', false],
  ['libs/event-proofs/src/verify-proof.ts', '@stablecoin/event-chain/event-hash', false],
  ['apps/gateway/src/main.ts', '@stablecoin/contracts/wallet/hold-payout', true],
  ['apps/gateway/src/main.ts', '@stablecoin/ledger-domain/decide', false],
  ['apps/payout/src/main.ts', '@stablecoin/ledger-store/ledger-database', false],
  ['apps/wallet-ledger/src/main.ts', '@stablecoin/ledger-store/ledger-database', true],
  ['apps/customer/src/main.ts', '@stablecoin/customer-store/customer-database', true],
  ['apps/customer/src/main.ts', '@stablecoin/ledger-store/ledger-database', false],
  ['apps/payout/src/main.ts', '@stablecoin/customer-store/customer-database', false],
  ['apps/wallet-ledger/src/main.ts', '@stablecoin/customer-store/customer-database', false],
  ['libs/customer-store/src/customer-database.ts', '@nestjs/common', false],
  ['libs/customer-store/src/merchants/merchant-registry.ts', '@stablecoin/command-line/operator-error', true],
  ['libs/customer-store/src/merchants/merchant-registry.ts', '@stablecoin/local-stack/stack', false],
  ['apps/wallet-ledger/src/main.ts', 'decimal.js', false],
  ['libs/messaging/src/bus-client.ts', '@stablecoin/telemetry/metrics/instruments', true],
  ['libs/telemetry/src/metrics/instruments.ts', '@stablecoin/contracts/wire/refusal', false],
  ['libs/ledger-domain/src/decide.ts', '@stablecoin/telemetry/metrics/instruments', false],
  ['apps/gateway/src/main.ts', 'prom-client', false],
  ['libs/messaging/src/bus-client.ts', '@opentelemetry/api', false],
  ['libs/local-stack/src/stack.ts', '@stablecoin/command-line/terminal', true],
  ['libs/local-stack/src/stack.ts', '@stablecoin/service-host/setting', false],
  ['apps/payout/src/main.ts', '@stablecoin/local-stack/stack', false],
  ['apps/merchant-cli/src/main.ts', 'stablecoin-sdk', true],
  ['apps/merchant-cli/src/main.ts', 'stablecoin-sdk/operations', true],
  ['apps/merchant-cli/src/main.ts', '@stablecoin/command-line/terminal', false],
  ['apps/workspace/src/stack/dev.main.ts', '@stablecoin/local-stack/stack', true],
] as const;
const RULES = new Set<string | null>(['@nx/enforce-module-boundaries', 'no-restricted-imports']);
const PROGRAM = join(ROOT, 'dist/apps/workspace/src/testing/lint-texts.main.js');
const TIMEOUT_MS = 120_000;

let results: LintMessage[][];

beforeAll(() => {
  // The rule reads Nx's project graph from its cache; without one it passes everything.
  const env = { ...process.env, NX_DAEMON: 'false' };
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
  execFileSync(process.execPath, [nx, 'show', 'projects'], { cwd: ROOT, env, timeout: TIMEOUT_MS });
  const texts: TextToLint[] = CASES.map(([file, imported]) => ({
    file: join(ROOT, file),
    code: `import * as imported from '${imported}';\nexport default imported;\n`,
  }));
  const output = execFileSync(process.execPath, [PROGRAM], {
    ...{ cwd: ROOT, env, timeout: TIMEOUT_MS, encoding: 'utf8' },
    input: JSON.stringify(texts),
  });
  results = JSON.parse(output) as LintMessage[][];
}, 2 * TIMEOUT_MS);

it.each(
  CASES.map(([file, imported, allowed], index) => ({
    file,
    imported,
    may: allowed ? 'may' : 'may not',
    allowed,
    index,
  })),
)('$file $may import $imported', ({ index, allowed }) => {
  const broken = results[index]?.filter(({ ruleId, fatal }) => fatal === true || RULES.has(ruleId));
  expect(broken).toEqual(allowed ? [] : [expect.anything()]);
});
