/** Days of charts and statements are whole days in UTC, as YYYY-MM-DD. */

const DAY_MS = 86_400_000;
const FORMATS = {
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export const todayInUtc = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10);

export function dayText(day: string, style: keyof typeof FORMATS = 'long'): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat('en-GB', { ...FORMATS[style], timeZone: 'UTC' }).format(date);
}

export const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

/** Each day from one to another, both included. */
export const daysBetween = (start: string, end: string): string[] =>
  Array.from({ length: Math.max(0, (Date.parse(end) - Date.parse(start)) / DAY_MS + 1) }, (_, number) =>
    daysBefore(start, -number),
  );
