/** The command line and the MCP server as a merchant gets them: packed, installed without a network, run by their names. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from '@stablecoin/command-line/root';
import { packFolder, packTypescriptSdk } from '../sdk-generator/typescript-package';
import { packProgram } from './program-package';

const TIMEOUT_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'programs-installed-'));
const modules = join(folder, 'node_modules');

interface Package {
  version: string;
  dependencies: Record<string, string>;
}
const packageOf = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Package;

const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  execa(program, args, {
    ...{ cwd: folder, reject: false, extendEnv: false, input: '' },
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  });

beforeAll(async () => {
  const tarballs = [
    await packTypescriptSdk(folder),
    await packFolder(join(ROOT, 'node_modules/commander'), folder),
    await packProgram('merchant-cli', folder),
  ];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const installing = ['install', ...tarballs, '--offline', '--no-audit', '--no-fund'];
  await execa('npm', installing, { cwd: folder, timeout: TIMEOUT_MS });
  // What the MCP server stands on is many packages: those of the checkout, beside the SDK that was just installed.
  const unpacked = join(modules, 'stablecoin-mcp');
  mkdirSync(unpacked);
  const tarball = await packProgram('merchant-mcp', folder);
  await execa('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  for (const name of ['@modelcontextprotocol', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

it('need what they say, in the versions of the checkout', () => {
  for (const name of ['stablecoin-cli', 'stablecoin-mcp']) {
    for (const [dependency, version] of Object.entries(packageOf(join(modules, name)).dependencies)) {
      expect([name, dependency, version]).toEqual([name, dependency, packageOf(join(modules, dependency)).version]);
    }
  }
});

it('the command line runs by its name, says its version, and asks for a key', async () => {
  const program = join(modules, '.bin/stablecoin');
  expect((await run(program, ['--version'])).stdout).toBe(packageOf(join(modules, 'stablecoin-cli')).version);
  expect((await run(program, ['payouts', 'create-to-bank', '--help'])).stdout).toContain('--account-number <value>');
  expect(await run(program, ['wallets', 'list'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('login'),
  });
});

it('the MCP server says its version, and does not start without a key', async () => {
  const program = [join(modules, 'stablecoin-mcp/cjs/main.js')];
  const version = await run(process.execPath, [...program, '--version']);
  expect(version.stdout).toBe(packageOf(join(modules, 'stablecoin-mcp')).version);
  const started = await run(process.execPath, program);
  expect(started).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('STABLECOIN_API_KEY') });
  const withKey = await run(process.execPath, program, { STABLECOIN_API_KEY: `sk_test_${'0'.repeat(64)}` });
  expect(withKey).toMatchObject({ exitCode: 0, stderr: '' });
});
