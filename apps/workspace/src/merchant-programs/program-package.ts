// A merchant's program as the package that is installed: its compiled sources, which import the SDK by the name of its package, as
// written. Its types were checked with all others.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from '@stablecoin/command-line/root';
import { packFolder } from '../sdk-generator/typescript-package';

export const MERCHANT_PROGRAMS = ['merchant-cli', 'merchant-mcp'] as const;

const COPIED = ['package.json', 'README.md'];
const TIMEOUT_MS = 120_000;

/** Gives the path of the tarball in `folder`. */
export async function packProgram(name: (typeof MERCHANT_PROGRAMS)[number], folder: string): Promise<string> {
  const source = join(ROOT, 'apps', name);
  const built = mkdtempSync(join(tmpdir(), `${name}-`));
  try {
    const compiler = join(ROOT, 'node_modules/@swc/cli/bin/swc.js');
    const settings = [
      '--config-file',
      join(ROOT, '.swcrc'),
      '--source-maps',
      'false',
      '--strip-leading-paths',
      '--quiet',
    ];
    const compiling = [compiler, 'src', '--out-dir', join(built, 'cjs'), ...settings];
    await execa(process.execPath, compiling, { cwd: source, timeout: TIMEOUT_MS });
    for (const file of COPIED) cpSync(join(source, file), join(built, file));
    return await packFolder(built, folder);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
