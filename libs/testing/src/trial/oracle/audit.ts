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

/** Of all databases of the ledger. */
export function audit(stack: TrialStack, command: 'verify' | 'replay'): Promise<AuditVerdict> {
  const further = stack.further_ledgers?.map(({ name, auditor }) => `${name}=${auditor}`) ?? [];
  const script = join(ROOT, 'dist/apps/auditor/src/main.js');
  const options = {
    cwd: ROOT,
    env: { ...process.env, ...stack.command_line, AUDIT_DATABASES: further.join() },
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
