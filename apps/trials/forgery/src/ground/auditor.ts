/** The auditor's own verdict, by its command line as an operator runs it. */
import { ProgramProcess } from '@stablecoin/testing/program-process';
import type { Database } from './databases';

const AUDITOR = { title: 'audit', file: 'apps/auditor/src/auditor.js', name: 'createAuditor' };
const FINDING = 1;

export interface AuditVerdict {
  isIntact: boolean;
  /** The lines that name what was found. */
  report: string;
  /** The sentences of advice. */
  advice: string[];
}

export class Auditor {
  private readonly now: ProgramProcess;
  private readonly later: ProgramProcess;

  /** @param clockAhead the option of Node that sets a program's clock two minutes ahead */
  constructor(environment: NodeJS.ProcessEnv, clockAhead: string) {
    this.now = new ProgramProcess(AUDITOR, environment);
    // Beside what plants a weakness, which is an option of Node too.
    const options = [environment['NODE_OPTIONS'], clockAhead].filter((option) => option !== undefined);
    this.later = new ProgramProcess(AUDITOR, { ...environment, NODE_OPTIONS: options.join(' ') });
  }

  /**
   * @param flags such as a key that was kept elsewhere
   * @param isLater as if it were asked two minutes later: what waits for a signature may wait for a minute and a half
   * @throws Error where it could not be verified
   */
  async verify(database: Database, flags: readonly string[] = [], { isLater = false } = {}): Promise<AuditVerdict> {
    const program = isLater ? this.later : this.now;
    const env = { AUDIT_DATABASE_URL: database.url('ledger_auditor') };
    const { code, stdout, stderr } = await program.answerTo(['verify', ...flags], env);
    if (code !== 0 && code !== FINDING) throw new Error(`audit verify ended with ${code}: ${stderr.trim()}`);
    const lines = stdout.split('\n');
    return {
      isIntact: code === 0,
      report: lines.filter((line) => line.startsWith('!!')).join('\n'),
      advice: lines.filter((line) => line.startsWith('What to do')),
    };
  }

  async run(args: readonly string[], database: Database): Promise<string> {
    const env = { AUDIT_DATABASE_URL: database.url('ledger_auditor') };
    const { code, stdout, stderr } = await this.now.answerTo(args, env);
    if (code !== 0) throw new Error(`audit ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
    return stdout;
  }

  async end(): Promise<void> {
    await Promise.all([this.now.end(), this.later.end()]);
  }
}
