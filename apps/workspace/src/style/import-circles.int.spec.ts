// .dependency-cruiser.js finds circles between files, and circles between folders without one between files.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';

const PROGRAM = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = join(ROOT, '.dependency-cruiser.js');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'circles-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The rules that a tree of these files breaks; each file imports the given ones. */
function brokenRules(files: Record<string, string[]>): string[] {
  const written = Object.entries(files).map(([name, imports]) => ({
    path: join(folder, 'apps/shop/src', name),
    text: imports.map((imported) => `import type { x as _ } from '${imported}';\n`).join('') + 'export type x = 1;\n',
  }));
  for (const { path, text } of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(folder, 'tsconfig.json'), '{}');
  const output = execFileSync(
    process.execPath,
    [PROGRAM, 'apps', '--config', RULES, '--output-type', 'json'],
    // The reporter's exit code is 0, whatever it found.
    { cwd: folder, encoding: 'utf8' },
  );
  const { summary } = JSON.parse(output) as { summary: { violations: { rule: { name: string } }[] } };
  return [...new Set(summary.violations.map(({ rule }) => rule.name))];
}

it('passes a tree without circles', () => {
  expect(brokenRules({ 'orders/order.ts': ['../prices/price'], 'prices/price.ts': [] })).toEqual([]);
});

it('refuses two files that import each other', () => {
  expect(brokenRules({ 'orders/order.ts': ['./line'], 'orders/line.ts': ['./order'] })).toEqual(['no-circle-of-files']);
});

it('refuses two folders that depend on each other through different files', () => {
  const files = {
    'orders/order.ts': ['../prices/price'],
    'orders/currency.ts': [],
    'prices/price.ts': [],
    'prices/fee.ts': ['../orders/currency'],
  };
  expect(brokenRules(files)).toEqual(['no-circle-of-folders']);
});
