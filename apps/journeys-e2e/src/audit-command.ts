import { execFile } from 'node:child_process';
import type { TestStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

const COMMAND_TIMEOUT_MS = 60_000;
const WITH_STACK = 'dist/apps/workspace/src/stack/with-stack.main.js';

export interface AuditRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the auditor's command line on a stack's ledger, as npm run audit does. */
export const audit = (stack: TestStack, ...args: string[]) => onLedger(stack, 'dist/apps/auditor/src/main.js', args);

/** The same, with settings that the stack does not have. */
export const auditWith = (settings: NodeJS.ProcessEnv, stack: TestStack, ...args: string[]) =>
  onLedger(stack, 'dist/apps/auditor/src/main.js', args, settings);

/** Makes the projections anew, as npm run rebuild does. */
export const rebuild = (stack: TestStack, ...args: string[]) =>
  onLedger(stack, 'dist/apps/auditor/src/rebuild.main.js', args);

function onLedger(
  stack: TestStack,
  program: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<AuditRun> {
  const offline = 'verify-proof,verify-consistency,verify-liability';
  const script = [WITH_STACK, '--with-postgres', '--offline', offline, program];
  const env = { ...process.env, ...settings, DATA_DIR: stack.data_dir };
  return new Promise((done) => {
    const options = { cwd: ROOT, env, timeout: COMMAND_TIMEOUT_MS };
    const child = execFile(process.execPath, [...script, ...args], options, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** The one JSON object that a command prints with --json. */
export async function auditJson<Report>(
  stack: TestStack,
  ...args: string[]
): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await audit(stack, ...args, '--json');
  if (!stdout.startsWith('{')) throw new Error(`audit ${args.join(' ')} printed no report: ${stderr}`);
  return { code, report: JSON.parse(stdout) as Report };
}
