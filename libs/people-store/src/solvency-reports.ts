import { PeopleDatabase } from './people-database';
import { SolvencyReport, withAges } from './solvency-report';

export interface KeptReport {
  number: number;
  kept_at: Date;
  is_sound: boolean;
}

const LISTED_MAX = 100;

/** Reports of holdings against the books, as the auditor's program printed them. */
export class SolvencyReports {
  constructor(private readonly database: PeopleDatabase) {}

  async keep(report: SolvencyReport): Promise<KeptReport> {
    const before = await this.find();
    const aged = JSON.stringify(withAges(report, before?.report, new Date().toISOString()));
    const [kept] = await this.database.sql.$queryRaw<KeptReport[]>`
      INSERT INTO solvency_reports (is_sound, report) VALUES (${report.ok}, ${aged}::jsonb)
      RETURNING number::float8 AS number, kept_at, is_sound`;
    if (kept === undefined) throw new Error('the report was not kept');
    return kept;
  }

  /** The newest, newest first. */
  async list(): Promise<KeptReport[]> {
    return this.database.sql.$queryRaw<KeptReport[]>`
      SELECT number::float8 AS number, kept_at, is_sound FROM solvency_reports ORDER BY number DESC LIMIT ${LISTED_MAX}::int`;
  }

  /** The newest, or the one of this number. */
  async find(number?: number): Promise<(KeptReport & { report: SolvencyReport }) | undefined> {
    const [found] = await this.database.sql.$queryRaw<(KeptReport & { report: SolvencyReport })[]>`
      SELECT number::float8 AS number, kept_at, is_sound, report FROM solvency_reports
      WHERE ${number ?? null}::bigint IS NULL OR number = ${number ?? null}::bigint ORDER BY number DESC LIMIT 1`;
    return found;
  }
}
