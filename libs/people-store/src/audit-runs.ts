/** Runs of the auditor's verify, as people at the console ask for them and look at them. Who does them: audit-work.ts. */
import { ActingMember, recordAct } from './acts';
import { LEASE_SECONDS, WorkProgress } from './audit-work';
import { Prisma } from './generated/client';
import { PeopleDatabase } from './people-database';
import { VerifyReport } from './verify-report';

type AuditRunState = 'asked' | 'running' | 'sound' | 'finding' | 'failed' | 'interrupted' | 'cancelled';

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
  /** How far it is: what is counted, and the part that it is in. */
  progress: WorkProgress | null;
  ended_at: Date | null;
  failure: string | null;
}

/** The program that does the runs, as it is now. */
interface AuditRunnerSign {
  is_there: boolean;
  /** Null where none has ever been there. */
  alive_at: Date | null;
}

const LISTED_MAX = 50;
/** Whether a runner is at it: at one moment for the whole statement. */
const IS_RUN = Prisma.sql`(
  runner IS NOT NULL AND alive_at > statement_timestamp() - ${LEASE_SECONDS}::int * interval '1 second'
)`;
type Row = Omit<AuditRun, 'progress'> & { phase: string | null; done: number | null; total: number | null };
const COLUMNS = Prisma.sql`number::float8 AS number, state, asked_by::text AS asked_by, asked_at, cancelled_at, began_at, alive_at,
  ended_at, failure, extract(epoch FROM COALESCE(ended_at, clock_timestamp()) - began_at)::float8 AS running_seconds,
  phase, done::float8 AS done, total::float8 AS total`;

export class AuditRuns {
  constructor(private readonly database: PeopleDatabase) {}

  /** On the record of acts in the same commit. @returns undefined while another one waits or runs */
  async ask(by: ActingMember): Promise<number | undefined> {
    return this.database.sql.$transaction(async (sql) => {
      // Its one unique constraint that a run can meet: audit_runs_one_at_a_time.
      const [asked] = await sql.$queryRaw<{ number: number }[]>`
        INSERT INTO audit_runs (asked_by) VALUES (${by.member_id}::uuid)
        ON CONFLICT DO NOTHING RETURNING number::float8 AS number`;
      if (!asked) return undefined;
      await recordAct(sql, { action: 'audit-run-asked', details: { number: asked.number } }, by);
      return asked.number;
    });
  }

  /**
   * One that waits, or whose runner gives no sign of life any more, has ended with it. One that runs is ended by its runner, which sees
   * it within a second; where that one dies before it does, another cancellation ends the run. Who cancelled first stays.
   *
   * @returns over for one that has ended, or that its runner is about to end
   */
  async cancel(number: number, by: ActingMember): Promise<'cancelled' | 'over' | 'none'> {
    return this.database.sql.$transaction(async (sql) => {
      const cancelled = await sql.$executeRaw`
        UPDATE audit_runs SET cancelled_by = COALESCE(cancelled_by, ${by.member_id}::uuid),
          cancelled_at = COALESCE(cancelled_at, clock_timestamp()),
          state = CASE WHEN ${IS_RUN} THEN state ELSE 'cancelled' END,
          ended_at = CASE WHEN ${IS_RUN} THEN NULL ELSE clock_timestamp() END
        WHERE number = ${number}::bigint AND ended_at IS NULL AND (cancelled_by IS NULL OR NOT ${IS_RUN})`;
      if (cancelled > 0) {
        await recordAct(sql, { action: 'audit-run-cancelled', details: { number } }, by);
        return 'cancelled';
      }
      const there = await sql.$queryRaw<unknown[]>`SELECT FROM audit_runs WHERE number = ${number}::bigint`;
      return there.length > 0 ? 'over' : 'none';
    });
  }

  /** The newest, newest first, without their reports, which are large. */
  list(): Promise<AuditRun[]> {
    return this.newestOf(LISTED_MAX);
  }

  async newest(): Promise<AuditRun | undefined> {
    const [run] = await this.newestOf(1);
    return run;
  }

  async find(number: number): Promise<(AuditRun & { report: VerifyReport | null }) | undefined> {
    const [row] = await this.database.sql.$queryRaw<(Row & { report: VerifyReport | null })[]>`
      SELECT ${COLUMNS}, report FROM audit_runs WHERE number = ${number}::bigint`;
    if (row === undefined) return undefined;
    const { report, ...run } = row;
    return { ...runOf(run), report };
  }

  async runner(): Promise<AuditRunnerSign> {
    const [sign] = await this.database.sql.$queryRaw<AuditRunnerSign[]>`
      SELECT alive_at, COALESCE(instance IS NOT NULL
        AND alive_at > clock_timestamp() - ${LEASE_SECONDS}::int * interval '1 second', false) AS is_there
      FROM audit_runner`;
    return sign ?? { is_there: false, alive_at: null };
  }

  private async newestOf(limit: number): Promise<AuditRun[]> {
    const rows = await this.database.sql.$queryRaw<Row[]>`
      SELECT ${COLUMNS} FROM audit_runs ORDER BY number DESC LIMIT ${limit}::int`;
    return rows.map(runOf);
  }
}

const runOf = ({ phase, done, total, ...run }: Row): AuditRun => ({
  ...run,
  progress: phase === null ? null : { phase, done: done ?? 0, total: total ?? 0 },
});
