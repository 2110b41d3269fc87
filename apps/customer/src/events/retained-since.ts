const DAY_MS = 24 * 3_600_000;

/** Since when events are kept. Clocks of services differ a little: the purge leaves a day more than this. */
export function retainedSince(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}

export const PURGE_MARGIN_DAYS = 1;
