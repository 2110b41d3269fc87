import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './merchants';
import { PackedSdk } from './packed-sdk';

/** Runs samples as somebody would who copied them: curl in bash, the others with their SDK installed and nothing else. */
export interface SampleRunner {
  /** What a sample prints. Throws when it fails. */
  run(sample: string, env: NodeJS.ProcessEnv): Promise<string>;
  remove(): void;
}

const TIMEOUT_MS = 60_000;
const PYTHON_SDK = join(ROOT, 'libs/sdk-python/src');
const nothing = () => undefined;

async function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: TIMEOUT_MS });
  return stdout;
}

async function typescriptRunner(): Promise<SampleRunner> {
  const packed = await PackedSdk.install();
  // Node runs no TypeScript: what the samples have of it is that of a module.
  const file = join(packed.folder, 'sample.mjs');
  return {
    run: (sample, env) => {
      writeFileSync(file, sample);
      return output(process.execPath, [file], env);
    },
    remove: () => packed.remove(),
  };
}

/** By language, as the page names it. */
export const SAMPLE_RUNNERS: readonly (readonly [language: string, install: () => Promise<SampleRunner>])[] = [
  ['curl', () => Promise.resolve({ run: (sample, env) => output('bash', ['-c', sample], env), remove: nothing })],
  ['TypeScript', typescriptRunner],
  [
    'Python',
    () =>
      Promise.resolve({
        run: (sample, env) => output('python3', ['-c', sample], { ...env, PYTHONPATH: PYTHON_SDK }),
        remove: nothing,
      }),
  ],
];
