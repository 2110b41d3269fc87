import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { testStack } from '@stablecoin/testing/stack';
import { Client } from './client';

export const ROOT = resolve(__dirname, '../../..');
const COMMAND_TIMEOUT_MS = 60_000;

/** The merchant that every stack starts with. */
export function sandboxMerchant(stack = testStack()): Client {
  return new Client(stack.base_url, stack.api_key);
}

export interface Merchant {
  merchant_id: string;
  api_key: string;
}

/** A merchant made through the operator's command line, so that a spec's lists hold nothing but its own. */
export async function createMerchant(flags: string[] = [], stack = testStack()): Promise<Merchant> {
  return JSON.parse(await merchantsCommand(['merchants', 'create', '--name', 'Other', ...flags], stack)) as Merchant;
}

/** The same, as the client it would be used with. */
export async function newClient(flags: string[] = [], stack = testStack()): Promise<Client> {
  const { api_key } = await createMerchant(flags, stack);
  return new Client(stack.base_url, api_key);
}

/** The operator's command line, with the environment that the stack wrote down for it, less what `settings` say otherwise. */
export async function merchantsCommand(
  args: string[],
  stack = testStack(),
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { environment } = JSON.parse(readFileSync(join(stack.data_dir, 'stack.json'), 'utf8')) as StackFile;
  const env = { ...process.env, ...environment, ...settings };
  const script = 'dist/apps/operator/src/main.js';
  const options = { cwd: ROOT, env, timeout: COMMAND_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], options);
  return stdout.trim();
}

interface StackFile {
  environment: Record<string, string>;
}
