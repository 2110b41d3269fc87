/** The auditor's own verdict, by its command line as an operator runs it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { TrialStack } from '../trial-stack';

const COMMAND_TIMEOUT_MS = 15 * 60_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export interface AuditVerdict {
  ok: boolean;
  /** Of a finding: what the auditor said. */
  report: string;
}

/** `verify` is of all databases of the ledger at once, `replay` of one after the other. */
export async function audit(stack: TrialStack, command: 'verify' | 'replay'): Promise<AuditVerdict[]> {
  const { command_line: home, further_ledgers: further = [] } = stack;
  const AUDIT_DATABASES = further.map(({ name, auditor }) => `${name}=${auditor}`).join();
  if (command === 'verify') return [await run({ ...home, AUDIT_DATABASES }, command)];
  const verdicts: AuditVerdict[] = [];
  for (const own of [{}, ...further.map(({ auditor }) => ({ AUDIT_DATABASE_URL: auditor }))])
    verdicts.push(await run({ ...home, ...own }, command));
  return verdicts;
}

function run(environment: NodeJS.ProcessEnv, command: string): Promise<AuditVerdict> {
  const script = join(ROOT, 'dist/apps/auditor/src/main.js');
  const options = {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    timeout: COMMAND_TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES_MAX,
  };
  return new Promise((done) => {
    execFile(process.execPath, [script, command, '--json'], options, (error, stdout, stderr) => {
      const ok = error === null && (JSON.parse(stdout) as { ok: boolean }).ok;
      done({ ok, report: ok ? '' : `${error?.message ?? ''} ${stderr} ${stdout}`.trim().slice(0, 4_000) });
    });
  });
}
