/** The auditor's own verdicts over the whole ledger and all that is held, by its command line as an operator runs it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { eventually } from '@stablecoin/testing/eventually';
import type { Databases } from '../ground/databases';
import type { Ground } from '../ground/ground';
import { findingsOfSolvency, type SolvencyReport } from './solvency';

const TIMEOUT_MS = 15 * 60_000;
const OUTPUT_MAX = 16 * 1024 * 1024;
const STATED_TIMEOUT_MS = 60_000;

/** With nothing under way, and all nodes healed. */
export async function findingsOfAudits({ commandLine, databases }: Ground): Promise<string[]> {
  const { report, said } = await audit(commandLine, 'verify');
  const findings = report?.ok === true ? [] : [`audit verify: ${said}`];
  return [...findings, ...(await findingsOfHoldings(commandLine, databases))];
}

async function findingsOfHoldings(commandLine: NodeJS.ProcessEnv, databases: Databases): Promise<string[]> {
  const stated = () => isAllStated(databases);
  try {
    await eventually('what is owed is stated up to the end of the log', stated, { timeoutMs: STATED_TIMEOUT_MS });
  } catch (error) {
    return [`audit solvency: ${String(error)}`];
  }
  const { report, said } = await audit(commandLine, 'solvency');
  return report ? findingsOfSolvency(report as SolvencyReport) : [`audit solvency: ${said}`];
}

interface Verdict {
  /** Undefined where it could not be looked at, and where the exit code says otherwise. */
  report: { ok: boolean } | undefined;
  said: string;
}

function audit(env: NodeJS.ProcessEnv, command: 'verify' | 'solvency'): Promise<Verdict> {
  const script = join(ROOT, 'dist/apps/auditor/src/main.js');
  const options = { cwd: ROOT, env, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_MAX };
  return new Promise((done) => {
    execFile(process.execPath, [script, command, '--json'], options, (error, stdout, stderr) => {
      const said = `${error?.message ?? ''} ${stderr} ${stdout}`.trim().slice(0, 4_000);
      const report = stdout.startsWith('{') ? (JSON.parse(stdout) as { ok: boolean }) : undefined;
      done({ report: report?.ok === (error === null) ? report : undefined, said });
    });
  });
}

async function isAllStated(databases: Databases): Promise<boolean> {
  const [statement] = await databases.read<{ note: string }>(
    'ledger',
    'SELECT note FROM ledger_liabilities ORDER BY number DESC LIMIT 1',
  );
  const shards = statement && readLiabilities(statement.note)?.shards;
  const heads = await databases.read<{ shard: number; size: number }>(
    'ledger',
    'SELECT shard, max(position)::int AS size FROM ledger_events GROUP BY shard',
  );
  return heads.every(({ shard, size }) => shards?.some((stated) => stated.shard === shard && stated.size === size));
}
