const DAY_MS = 24 * 3_600_000;

/** The moment since which events are kept. The clocks of services differ a little: the purge keeps a day more. */
export function retainedSince(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}

export const PURGE_MARGIN_DAYS = 1;
