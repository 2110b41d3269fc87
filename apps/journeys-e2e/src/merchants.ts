import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { CreatedMerchant, operatorCommand } from '@stablecoin/testing/operator-command';
import { OperatorProcess } from '@stablecoin/testing/operator-process';
import { TestStack, testStack } from '@stablecoin/testing/stack';
import { Client } from './client';

export { ROOT };

/** The merchant that every stack starts with. */
export function sandboxMerchant(stack = testStack()): Client {
  return new Client(stack.base_url, stack.api_key);
}

export type Merchant = CreatedMerchant;

/** By the stack's folder. Specs make many merchants, and starting the operator's program would cost the most time. */
const operators = new Map<string, OperatorProcess>();
afterAll(async () => {
  await Promise.all([...operators.values()].map((operator) => operator.end()));
});

export function operatorOf(stack = testStack()): OperatorProcess {
  const operator = operators.get(stack.data_dir) ?? new OperatorProcess(environmentOf(stack));
  operators.set(stack.data_dir, operator);
  return operator;
}

/** A merchant made through the operator's command line, so that a spec's lists hold nothing but its own. */
export async function createMerchant(
  flags: readonly string[] = [],
  stack = testStack(),
  name = 'Other',
): Promise<Merchant> {
  return JSON.parse(await operatorOf(stack).run(['merchants', 'create', '--name', name, ...flags])) as Merchant;
}

/** The same, as the client it would be used with. */
export async function newClient(flags: string[] = [], stack = testStack()): Promise<Client> {
  const { api_key } = await createMerchant(flags, stack);
  return new Client(stack.base_url, api_key);
}

/**
 * The operator's command line as a process of its own, with the environment that the stack wrote for it; `settings`
 * override it.
 */
export function merchantsCommand(
  args: readonly string[],
  stack = testStack(),
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  return operatorCommand(args, { ...environmentOf(stack), ...settings });
}

function environmentOf(stack: TestStack): NodeJS.ProcessEnv {
  const file = readFileSync(join(stack.data_dir, 'stack.json'), 'utf8');
  return (JSON.parse(file) as { environment: Record<string, string> }).environment;
}

/** Sets a merchant's policy as an operator does, from a file. */
export async function setPolicy(merchantId: string, policy: object, stack = testStack()): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  const file = join(folder, 'policy.json');
  writeFileSync(file, JSON.stringify(policy));
  const command = ['policies', 'set', '--merchant', merchantId, '--file', file, '--reason', 'a journey'];
  await operatorOf(stack).run(command);
  rmSync(folder, { recursive: true });
}

/** A further key of a merchant, as the client it would be used with, and its id. */
export async function addKey(
  merchantId: string,
  scopes: string,
  flags: readonly string[] = [],
  stack = testStack(),
): Promise<{ client: Client; api_key: string; key_id: string }> {
  const added = await operatorOf(stack).run([
    'merchants',
    'add-key',
    '--merchant',
    merchantId,
    '--scopes',
    scopes,
    ...flags,
  ]);
  const { api_key, key_id } = JSON.parse(added) as { api_key: string; key_id: string };
  return { client: new Client(stack.base_url, api_key), api_key, key_id };
}
