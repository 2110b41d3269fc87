import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '@stablecoin/command-line/root';
import { bundledMain } from '@stablecoin/local-stack/service-process';

const PROGRAM = bundledMain('operator');
const TIMEOUT_MS = 60_000;

/** What the operator's command line says of a merchant that it made. */
export interface CreatedMerchant {
  merchant_id: string;
  api_key: string;
}

/**
 * Runs the operator's command line as a program of its own.
 * @param environment what a stack wrote down for command lines on this machine
 * @returns what it printed
 */
export async function operatorCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, ...environment }, timeout: TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], options);
  return stdout.trim();
}

/** @param flags such as those of a fee */
export async function createMerchant(
  name: string,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<CreatedMerchant> {
  return JSON.parse(
    await operatorCommand(['merchants', 'create', '--name', name, ...flags], environment),
  ) as CreatedMerchant;
}
