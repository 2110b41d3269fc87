/** Runs of the auditor's verify, as the runner beside the auditor does them, with a login of its own. */
import { Prisma } from './generated/client';
import { PeopleDatabase } from './people-database';
import { VerifyReport } from './verify-report';

/** How long after its last sign of life another instance takes the runner's place, by the clock of the database. */
export const LEASE_SECONDS = 10;
const INTERRUPTED = 'The runner was interrupted in the midst of it: ask for another run.';

export type AuditOutcome =
  | { state: 'sound' | 'finding'; report: VerifyReport }
  | { state: 'failed' | 'interrupted'; failure: string }
  | { state: 'cancelled' };

export interface WorkProgress {
  phase: string;
  done: number;
  total: number;
}

/** @param instance another one for each process: what it says counts while it holds the lease, or for the run that it began. */
export class AuditWork {
  private readonly isHolder: Prisma.Sql;

  constructor(
    private readonly database: PeopleDatabase,
    private readonly instance: string,
  ) {
    this.isHolder = Prisma.sql`EXISTS (SELECT FROM audit_runner WHERE instance = ${instance}::uuid)`;
  }

  /** Takes the lease, or prolongs it. @returns false while another instance has it */
  async hold(): Promise<boolean> {
    const held = await this.database.sql.$executeRaw`
      UPDATE audit_runner SET instance = ${this.instance}::uuid, alive_at = clock_timestamp()
      WHERE instance IS NULL OR instance = ${this.instance}::uuid
        OR alive_at < clock_timestamp() - ${LEASE_SECONDS}::int * interval '1 second'`;
    return held > 0;
  }

  async letGo(): Promise<void> {
    await this.database.sql.$executeRaw`
      UPDATE audit_runner SET instance = NULL WHERE instance = ${this.instance}::uuid`;
  }

  /**
   * What runs by the database and is in no one's hands: another instance left it behind, or this one never heard that it
   * took it. For the instance that holds the lease.
   *
   * @param inHand the run that this instance does
   * @returns the numbers of the runs
   */
  async endInterrupted(inHand: number | undefined): Promise<number[]> {
    const ended = await this.database.sql.$queryRaw<{ number: number }[]>`
      UPDATE audit_runs SET state = 'interrupted', failure = ${INTERRUPTED}, ended_at = clock_timestamp()
      WHERE state = 'running' AND ${this.isHolder}
        AND (runner <> ${this.instance}::uuid OR number IS DISTINCT FROM ${inHand ?? null}::bigint)
      RETURNING number::float8 AS number`;
    return ended.map(({ number }) => number);
  }

  /** Begins what was asked for. @returns undefined where nothing waits, or the lease is another one's */
  async take(): Promise<number | undefined> {
    const [taken] = await this.database.sql.$queryRaw<{ number: number }[]>`
      UPDATE audit_runs SET state = 'running', runner = ${this.instance}::uuid, began_at = clock_timestamp(),
        alive_at = clock_timestamp()
      WHERE state = 'asked' AND ${this.isHolder}
      RETURNING number::float8 AS number`;
    return taken?.number;
  }

  /** A sign of life. @returns what has become of the run meanwhile: `gone` where it is not this instance's any more */
  async tell(number: number, progress: WorkProgress | undefined): Promise<'goes-on' | 'cancelled' | 'gone'> {
    const { phase = null, done = null, total = null } = progress ?? {};
    const [run] = await this.database.sql.$queryRaw<{ is_cancelled: boolean }[]>`
      UPDATE audit_runs SET alive_at = clock_timestamp(), phase = ${phase}, done = ${done}::bigint, total = ${total}::bigint
      WHERE number = ${number}::bigint AND runner = ${this.instance}::uuid AND state = 'running'
      RETURNING cancelled_by IS NOT NULL AS is_cancelled`;
    if (run === undefined) return 'gone';
    return run.is_cancelled ? 'cancelled' : 'goes-on';
  }

  /** @returns whether it was still this instance's to end */
  async end(number: number, outcome: AuditOutcome): Promise<boolean> {
    const report = 'report' in outcome ? JSON.stringify(outcome.report) : null;
    const failure = 'failure' in outcome ? outcome.failure : null;
    const ended = await this.database.sql.$executeRaw`
      UPDATE audit_runs SET state = ${outcome.state}, report = ${report}::jsonb, failure = ${failure}, ended_at = clock_timestamp(),
        alive_at = clock_timestamp()
      WHERE number = ${number}::bigint AND runner = ${this.instance}::uuid AND state = 'running'`;
    return ended > 0;
  }
}
