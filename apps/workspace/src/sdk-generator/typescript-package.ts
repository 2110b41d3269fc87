// libs/sdk-typescript as the package that a merchant installs: compiled to CommonJS, with the ES module that hands the same code
// on, and packed by npm.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { ROOT } from '@stablecoin/command-line/root';

const SOURCE = join(ROOT, 'libs/sdk-typescript');
const COPIED = ['package.json', 'README.md', 'esm'];
const TIMEOUT_MS = 300_000;

/** Gives the path of the tarball in `folder`. */
export async function packTypescriptSdk(folder: string): Promise<string> {
  const built = mkdtempSync(join(tmpdir(), 'stablecoin-sdk-'));
  try {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const project = join(SOURCE, 'tsconfig.package.json');
    await execa(process.execPath, [compiler, '-p', project, '--outDir', join(built, 'cjs')], { timeout: TIMEOUT_MS });
    for (const name of COPIED) cpSync(join(SOURCE, name), join(built, name), { recursive: true });
    return await packFolder(built, folder);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** What npm makes of a package's folder: the path of the tarball in `folder`. */
export async function packFolder(built: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const packing = ['pack', built, '--pack-destination', resolve(folder), '--json', '--offline'];
  const { stdout } = await execa('npm', packing, { timeout: TIMEOUT_MS });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  if (packed === undefined) throw new Error('npm packed nothing');
  return join(resolve(folder), packed.filename);
}
