// The walls between the parts are a failing check: each case is a line that must not pass the lint, and beside it one
// that may. The fixture never touches the disk.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { ROOT } from '../stack/paths.mjs';

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
];
const RULES = new Set(['@nx/enforce-module-boundaries', 'no-restricted-imports']);
let eslint;

before(() => {
  // The rule reads Nx's project graph from its cache and passes everything where there is none.
  execFileSync(process.execPath, [join(ROOT, 'node_modules/.bin/nx'), 'show', 'projects'], {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: 'false' },
    timeout: 120_000,
  });
  eslint = new ESLint({ cwd: ROOT });
});

for (const [file, imported, allowed] of CASES) {
  test(`${file} ${allowed ? 'may' : 'may not'} import ${imported}`, async () => {
    const code = `import * as imported from '${imported}';\nexport default imported;\n`;
    const [result] = await eslint.lintText(code, { filePath: join(ROOT, file) });
    const broken = result.messages.filter(({ ruleId, fatal }) => fatal || RULES.has(ruleId));
    assert.equal(broken.length === 0, allowed, JSON.stringify(broken));
  });
}
