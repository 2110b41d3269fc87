/** The auditor's program at `verify`, in a process of its own: what it needs of memory is free again when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { AuditOutcome, WorkProgress } from '@stablecoin/people-store/audit-work';
import { REPORT_BYTES_MAX, verifyReportOf } from '@stablecoin/people-store/verify-report';

/** How long it has to end when it is asked to. */
const STOP_MS = 5_000;
const PHASE_MAX = 40;
const EXIT = { ok: 0, finding: 1 } as const;
const SEE_LOG = "the runner's log says why";

export interface VerifyProcessOptions {
  program: string;
  env: NodeJS.ProcessEnv;
  /** A line of its stderr that is not progress: it may name machines, and goes to the log alone. */
  onLine: (line: string) => void;
}

export class VerifyProcess {
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<AuditOutcome>;
  private newest: WorkProgress | undefined;
  private readonly child: ChildProcess;
  private readonly printed: Buffer[] = [];
  private printedBytes = 0;

  constructor({ program, env, onLine }: VerifyProcessOptions) {
    const args = ['--enable-source-maps', program, 'verify', '--json', '--progress', 'json'];
    // The channel carries nothing: the auditor ends when it closes, so that none is left behind by a runner that was killed.
    this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.child.stdout?.on('data', (chunk: Buffer) => this.keep(chunk));
    if (this.child.stderr)
      createInterface({ input: this.child.stderr }).on('line', (line) => {
        const progress = progressOf(line);
        if (progress === undefined) onLine(line);
        else this.newest = progress;
      });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => {
        onLine(error.message);
        resolve(failed(`The auditor's program could not be started: ${SEE_LOG}.`));
      });
      this.child.once('close', (code, signal) => resolve(this.outcome(code, signal)));
    });
  }

  get progress(): WorkProgress | undefined {
    return this.newest;
  }

  /** Resolves when it has ended. */
  async stop(): Promise<AuditOutcome> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    const outcome = await this.ended;
    clearTimeout(timer);
    return outcome;
  }

  private keep(chunk: Buffer): void {
    this.printedBytes += chunk.length;
    if (this.printedBytes <= REPORT_BYTES_MAX) this.printed.push(chunk);
    else this.child.kill('SIGTERM');
  }

  private outcome(code: number | null, signal: NodeJS.Signals | null): AuditOutcome {
    if (this.printedBytes > REPORT_BYTES_MAX)
      return failed("The report has more than 5 MB: run audit verify beside the ledger's database, and read it there.");
    if (code === null)
      return failed(`The auditor's program was ended by ${signal ?? 'a signal'}, perhaps for want of memory.`);
    if (code !== EXIT.ok && code !== EXIT.finding)
      return failed(`The auditor's program could not finish (exit code ${code}): ${SEE_LOG}.`);
    const report = verifyReportOf(parsed(Buffer.concat(this.printed).toString('utf8')));
    // The exit code and the report say the same, or neither is believed.
    if (report === undefined || report.ok !== (code === EXIT.ok))
      return failed(`What the auditor's program printed is no report of this version: ${SEE_LOG}.`);
    return { state: report.ok ? 'sound' : 'finding', report };
  }
}

const failed = (failure: string): AuditOutcome => ({ state: 'failed', failure });

function progressOf(line: string): WorkProgress | undefined {
  const { phase, done, total } = (parsed(line) ?? {}) as Partial<Record<string, unknown>>;
  if (typeof phase !== 'string' || phase.length > PHASE_MAX) return undefined;
  if (!isCount(done) || !isCount(total)) return undefined;
  return { phase, done, total };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
