import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { anvilPackage, requireAnvil } from './anvil-binary';

const folder = mkdtempSync(join(tmpdir(), 'anvil-binary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

it('is the one that ANVIL names, then the one on PATH, then that of the npm package', () => {
  const root = join(folder, 'checkout');
  const packed = program('checkout', 'node_modules', anvilPackage(process.platform, process.arch), 'bin', 'anvil');
  const onPath = program('path', 'anvil');
  const named = program('named');
  expect(requireAnvil({ PATH: '/nowhere' }, root)).toBe(packed);
  expect(requireAnvil({ PATH: `/nowhere:${dirname(onPath)}` }, root)).toBe(onPath);
  expect(requireAnvil({ PATH: dirname(onPath), ANVIL: named }, root)).toBe(named);
});

it('where there is none, says each way out', () => {
  const way = /npm install --no-save @foundry-rs\/anvil-.* brings it.*ANVIL=.*LOCAL_CHAINS=false does without/;
  expect(() => requireAnvil({ PATH: '/nowhere' }, '/nowhere')).toThrow(way);
});

it('refuses an ANVIL that is no program', () =>
  expect(() => requireAnvil({ ANVIL: '/nowhere/anvil' })).toThrow(/correct it, or leave ANVIL out/));

it.each([
  ['linux', 'x64', '@foundry-rs/anvil-linux-amd64'],
  ['darwin', 'arm64', '@foundry-rs/anvil-darwin-arm64'],
])('on %s %s is the package %s', (platform, architecture, name) =>
  expect(anvilPackage(platform, architecture)).toBe(name),
);
