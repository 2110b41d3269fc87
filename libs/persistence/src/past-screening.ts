/**
 * Tells of what there was before it was screened, so that a later list is held against it too: once over all of it, in the order of ids,
 * and once more when instances of the version before have gone. How far it is stands in `past_screening` of the service's database;
 * several instances tell the same, which is taken once.
 */
import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Sql } from './sql';

export interface Past<Row extends { id: string }> {
  /** Such as `payouts`, for the log. */
  what: string;
  database: Sql;
  /** Those after an id that were there before this moment, in the order of ids; with those of merchants that are not screened. */
  after: (id: string, movedBefore: Date, limit: number) => Promise<Row[]>;
  /** What fails is told again in the next pass, and what comes after it. */
  tell: (row: Row) => Promise<void>;
}

const BATCH_ROWS = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';
const FIRST_PAUSE_MS = 1_000;
const AFTER_FAILURE_MS = 10_000;
const LOOK_AGAIN_MS = 3_600_000;

export class PastScreening<Row extends { id: string }> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(this.constructor.name);
  private readonly loop = new BackgroundLoop({
    firstPauseMs: FIRST_PAUSE_MS,
    pass: () => this.pass(),
    failed: (error) => {
      this.log.warn({ msg: `could not tell of ${this.past.what} of the past`, err: error });
      return AFTER_FAILURE_MS;
    },
  });

  constructor(private readonly past: Past<Row>) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns the pause until the next pass, in milliseconds */
  async pass(): Promise<number> {
    const { database, after, tell } = this.past;
    const [progress] = await database.$queryRaw<
      { after: string; moved_before: Date; rounds_left: number; is_over: boolean }[]
    >`
      SELECT after, moved_before, rounds_left, moved_before <= now() AS is_over FROM past_screening`;
    if (!progress || progress.rounds_left === 0) return LOOK_AGAIN_MS;
    // What ends until then is told when it is over.
    if (progress.rounds_left === 1 && !progress.is_over) return LOOK_AGAIN_MS;
    const rows = await after(progress.after, progress.moved_before, BATCH_ROWS);
    for (const row of rows) await tell(row);
    const last = rows.length === BATCH_ROWS ? rows.at(-1)?.id : undefined;
    await database.$executeRaw`
      UPDATE past_screening SET after = ${last ?? FIRST}::uuid, rounds_left = rounds_left - ${last === undefined ? 1 : 0}::int
      WHERE after = ${progress.after}::uuid AND rounds_left = ${progress.rounds_left}::int`;
    return 0;
  }
}
