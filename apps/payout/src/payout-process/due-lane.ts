import { Prisma } from '../persistence/generated/client';

/**
 * Two lanes, each with a bound of its own: steps that are new, and steps that failed and are tried again. However many
 * are held up, they neither take the room of the new ones nor stand before them in the table.
 */
export const DUE_LANES = ['fresh', 'retried'] as const;
export type DueLane = (typeof DUE_LANES)[number];

/** As in the indexes of each lane: only then does Postgres use them. */
export const IN_LANE: Readonly<Record<DueLane, Prisma.Sql>> = {
  fresh: Prisma.sql`next_step_at IS NOT NULL AND attempts = 0`,
  retried: Prisma.sql`next_step_at IS NOT NULL AND attempts > 0`,
};
