/**
 * Shared by the programs of this application: streams, the ledger's database, the printing of reports, and the exit
 * codes. 0: all is well. 1: a finding, or nothing found. 2: wrong usage, or an outage.
 */
import { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { ENVIRONMENT, LedgerDatabases, withLedgers } from '../database/ledger';
import { AuditFailure, EXIT, Report } from '../report/report';

export class CommandLine {
  private exitCode: number = EXIT.ok;

  /** @param databaseVariables the environment variables that may name the database; the first one that is set counts */
  constructor(
    readonly env: NodeJS.ProcessEnv,
    readonly stdout: Writable,
    private readonly stderr: Writable,
    private readonly databaseVariables: readonly string[] = ENVIRONMENT,
  ) {}

  /** To stderr, beside the report. */
  readonly tell = (text: string): boolean => this.stderr.write(text);

  /** A commander program that writes to these streams and throws where commander would end the process. */
  program(name: string, description: string, help: string): Command {
    return new Command(name)
      .description(description)
      .addHelpText('after', help)
      .configureOutput({ writeOut: (text) => this.stdout.write(text), writeErr: (text) => this.stderr.write(text) })
      .exitOverride();
  }

  withLedgers<Result>(work: (databases: LedgerDatabases) => Promise<Result>): Promise<Result> {
    return withLedgers(this.env, work, this.databaseVariables);
  }

  /** Prints the report as one JSON object or as text; a report that is not `ok` ends the program with 1. */
  async print(json: boolean | undefined, work: (databases: LedgerDatabases) => Promise<Report>): Promise<void> {
    this.show(json, await this.withLedgers(work));
  }

  private show(json: boolean | undefined, report: Report): void {
    this.stdout.write(json ? `${JSON.stringify({ ok: report.ok, ...report.json })}\n` : `${report.text}\n`);
    if (!report.ok) this.exitCode = EXIT.finding;
  }

  /** @returns the exit code */
  async run(program: Command, args: readonly string[]): Promise<number> {
    try {
      await program.parseAsync(args, { from: 'user' });
      return this.exitCode;
    } catch (error) {
      // Commander has already printed the mistake and where help is.
      if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failure;
      this.stderr.write(`${messageOf(error)}\n`);
      return error instanceof AuditFailure ? error.exitCode : EXIT.failure;
    }
  }
}

/** One line, whatever the error is. */
function messageOf(error: unknown): string {
  if (error instanceof AuditFailure) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return `The audit could not be finished: ${text.trim().split('\n').at(-1) ?? ''}`;
}
