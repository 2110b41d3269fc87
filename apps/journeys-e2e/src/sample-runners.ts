import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './merchants';

/** Runs a sample as somebody would who copied it: curl in bash, the others with their SDK installed and nothing else. */
export interface SampleRunner {
  language: string;
  /** What it prints. Throws when it fails. */
  run(sample: string, env: NodeJS.ProcessEnv): Promise<string>;
}

const TIMEOUT_MS = 60_000;
const TYPESCRIPT_SDK = 'libs/sdk-typescript';
const PYTHON_SDK = 'libs/sdk-python';

async function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: TIMEOUT_MS });
  return stdout;
}

/** A folder with the sample and the SDK where `import` looks for it: what is not TypeScript alone runs as a module. */
function moduleOf(sample: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  const sdk = join(folder, 'node_modules', 'stablecoin-sdk');
  mkdirSync(sdk, { recursive: true });
  writeFileSync(join(sdk, 'package.json'), '{"name":"stablecoin-sdk","main":"index.js"}');
  const built = join(ROOT, 'dist', TYPESCRIPT_SDK, 'src/index.js');
  writeFileSync(join(sdk, 'index.js'), `module.exports = require(${JSON.stringify(built)});\n`);
  const file = join(folder, 'sample.mjs');
  writeFileSync(file, sample);
  return file;
}

/** Each language whose SDK is in this checkout. */
export const SAMPLE_RUNNERS: readonly SampleRunner[] = [
  {
    language: 'curl',
    needs: 'README.md',
    run: (sample: string, env: NodeJS.ProcessEnv) => output('bash', ['-c', sample], env),
  },
  {
    language: 'TypeScript',
    needs: TYPESCRIPT_SDK,
    run: (sample: string, env: NodeJS.ProcessEnv) => output(process.execPath, [moduleOf(sample)], env),
  },
  {
    language: 'Python',
    needs: PYTHON_SDK,
    run: (sample: string, env: NodeJS.ProcessEnv) =>
      output('python3', ['-c', sample], { ...env, PYTHONPATH: join(ROOT, PYTHON_SDK, 'src') }),
  },
].filter(({ needs }) => existsSync(join(ROOT, needs)));
