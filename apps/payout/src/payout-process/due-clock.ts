import { Injectable } from '@nestjs/common';
import { Prisma } from '../persistence/generated/client';
import { PayoutDatabase } from '../persistence/payout-database';
import { DueLane, IN_LANE } from './due-lane';

/** Work that falls due: the tables of its rows. */
const TABLES = {
  payouts: Prisma.sql`payouts`,
  confirmations: Prisma.sql`deposit_confirmations`,
  waits: Prisma.sql`waiting_payouts`,
} as const;

export type DueKind = keyof typeof TABLES;

/** Milliseconds until the first row of the kind and lane is due, below 0 if it is overdue; null where there is none. */
export type DueTimes = Readonly<Record<`${DueKind}_${DueLane}`, number | null>>;

/** When something is due, of all kinds and lanes in one question: every pass asks it, and mostly little is due. */
@Injectable()
export class DueClock {
  constructor(private readonly database: PayoutDatabase) {}

  async read(): Promise<DueTimes> {
    const [times] = await this.database.$queryRaw<[DueTimes]>`
      SELECT ${untilFirst('payouts', 'fresh')}, ${untilFirst('payouts', 'retried')},
        ${untilFirst('confirmations', 'fresh')}, ${untilFirst('confirmations', 'retried')},
        ${untilFirst('waits', 'fresh')}, ${untilFirst('waits', 'retried')}`;
    return times;
  }
}

const untilFirst = (kind: DueKind, lane: DueLane): Prisma.Sql => Prisma.sql`
  (
    SELECT extract(epoch FROM min(next_step_at) - clock_timestamp()) * 1000 FROM ${TABLES[kind]} WHERE ${IN_LANE[lane]}
  )::float8 AS ${Prisma.raw(`${kind}_${lane}`)}`;
