/** Runs of the auditor's verify, as people at the console ask for them and look at them. Who does them: audit-work.ts. */
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { ActingMember, recordAct } from './acts';
import { LEASE_SECONDS } from './audit-work';
import { Prisma } from './generated/client';
import { PeopleDatabase } from './people-database';
import { VerifyReport } from './verify-report';

export type AuditRunState = 'asked' | 'running' | 'sound' | 'finding' | 'failed' | 'interrupted' | 'cancelled';

/** How far a run is: what is counted, and the part that it is in. */
export interface AuditProgress {
  phase: string;
  done: number;
  total: number;
}

export interface AuditRun {
  number: number;
  state: AuditRunState;
  asked_by: string;
  asked_at: Date;
  cancelled_at: Date | null;
  began_at: Date | null;
  alive_at: Date | null;
  /** By the clock of the database, like the times; null while it waits. */
  running_seconds: number | null;
  progress: AuditProgress | null;
  ended_at: Date | null;
  failure: string | null;
}

/** The program that does the runs, as it is now. */
export interface AuditRunnerSign {
  is_there: boolean;
  /** Null where none has ever been there. */
  alive_at: Date | null;
}

const LISTED_MAX = 50;
/** Whether a runner is at it. */
const IS_RUN = Prisma.sql`(
  runner IS NOT NULL AND alive_at > clock_timestamp() - ${LEASE_SECONDS}::int * interval '1 second'
)`;
type Row = Omit<AuditRun, 'progress'> & { phase: string | null; done: number | null; total: number | null };

export class AuditRuns {
  constructor(private readonly database: PeopleDatabase) {}

  /** On the record of acts in the same commit. @returns undefined while another one waits or runs */
  async ask(by: ActingMember): Promise<number | undefined> {
    try {
      return await this.database.sql.$transaction(async (sql) => {
        const [asked] = await sql.$queryRaw<{ number: number }[]>`
          INSERT INTO audit_runs (asked_by) VALUES (${by.member_id}::uuid) RETURNING number::float8 AS number`;
        if (asked === undefined) throw new Error('the run was not asked for');
        await recordAct(sql, { action: 'audit-run-asked', details: { number: asked.number } }, by);
        return asked.number;
      });
    } catch (error) {
      // Its one constraint that a run can meet: audit_runs_one_at_a_time.
      if (databaseFailure(error).kind === 'constraint') return undefined;
      throw error;
    }
  }

  /**
   * One that waits, or whose runner gives no sign of life any more, has ended with it. One that runs is ended by its runner, which sees
   * it within a second.
   *
   * @returns whether there was one to cancel
   */
  async cancel(number: number, by: ActingMember): Promise<boolean> {
    return this.database.sql.$transaction(async (sql) => {
      const cancelled = await sql.$executeRaw`
        UPDATE audit_runs SET cancelled_by = ${by.member_id}::uuid, cancelled_at = clock_timestamp(),
          state = CASE WHEN ${IS_RUN} THEN state ELSE 'cancelled' END,
          ended_at = CASE WHEN ${IS_RUN} THEN NULL ELSE clock_timestamp() END
        WHERE number = ${number}::bigint AND ended_at IS NULL AND cancelled_by IS NULL`;
      if (cancelled > 0) await recordAct(sql, { action: 'audit-run-cancelled', details: { number } }, by);
      return cancelled > 0;
    });
  }

  /** The newest, newest first. */
  list(): Promise<AuditRun[]> {
    return this.read(null, LISTED_MAX);
  }

  async newest(): Promise<AuditRun | undefined> {
    const [run] = await this.read(null, 1);
    return run;
  }

  async find(number: number): Promise<(AuditRun & { report: VerifyReport | null }) | undefined> {
    const [run] = await this.read(number, 1);
    if (run === undefined) return undefined;
    const [kept] = await this.database.sql.$queryRaw<{ report: VerifyReport | null }[]>`
      SELECT report FROM audit_runs WHERE number = ${number}::bigint`;
    return { ...run, report: kept?.report ?? null };
  }

  async runner(): Promise<AuditRunnerSign> {
    const [sign] = await this.database.sql.$queryRaw<AuditRunnerSign[]>`
      SELECT alive_at, COALESCE(instance IS NOT NULL
        AND alive_at > clock_timestamp() - ${LEASE_SECONDS}::int * interval '1 second', false) AS is_there
      FROM audit_runner`;
    return sign ?? { is_there: false, alive_at: null };
  }

  private async read(number: number | null, limit: number): Promise<AuditRun[]> {
    const rows = await this.database.sql.$queryRaw<Row[]>`
      SELECT number::float8 AS number, state, asked_by::text AS asked_by, asked_at, cancelled_at, began_at, alive_at, ended_at, failure,
        extract(epoch FROM COALESCE(ended_at, clock_timestamp()) - began_at)::float8 AS running_seconds,
        phase, done::float8 AS done, total::float8 AS total
      FROM audit_runs WHERE ${number}::bigint IS NULL OR number = ${number}::bigint
      ORDER BY number DESC LIMIT ${limit}::int`;
    return rows.map(({ phase, done, total, ...run }) => ({
      ...run,
      progress: phase === null ? null : { phase, done: done ?? 0, total: total ?? 0 },
    }));
  }
}
