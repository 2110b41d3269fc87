import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as Sdk from '@stablecoin/sdk-typescript/index';
import { ROOT } from './merchants';

const run = promisify(execFile);
const PACK = join(ROOT, 'dist/apps/workspace/src/sdk-generator/package.main.js');
const TIMEOUT_MS = 300_000;

/** The TypeScript SDK as a merchant installs it: packed, and installed into a folder of its own without a network. */
export class PackedSdk {
  private constructor(
    readonly folder: string,
    readonly sdk: typeof Sdk,
  ) {}

  static async install(): Promise<PackedSdk> {
    const folder = mkdtempSync(join(tmpdir(), 'packed-sdk-'));
    const { stdout } = await run(process.execPath, [PACK, '--out', folder], { cwd: ROOT, timeout: TIMEOUT_MS });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const installing = ['install', stdout.trim(), '--offline', '--no-audit', '--no-fund'];
    await run('npm', installing, { cwd: folder, timeout: TIMEOUT_MS });
    // By its file: Jest finds no package in a folder that came while it runs.
    const installed = join(folder, 'node_modules/stablecoin-sdk/cjs/index.js');
    return new PackedSdk(folder, createRequire(__filename)(installed) as typeof Sdk);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
