import { all, field, normalized } from './field';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MIDNIGHT_UTC = /^(\d{4}-\d{2}-\d{2})T00:00:00(\.000)?Z$/;

/** A real day as YYYY-MM-DD: 2000-02-31 and week dates are not. */
export function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !DATE.test(value) || value < '1000-01-01') return false;
  const time = Date.parse(`${value}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A day as YYYY-MM-DD; with `midnight`, also as the midnight UTC that responses print. */
export function IsDay(options: { midnight?: boolean } = {}): PropertyDecorator {
  return all(
    normalized((value) => (options.midnight && typeof value === 'string' ? value.replace(MIDNIGHT_UTC, '$1') : value)),
    field({
      name: 'isDay',
      code: 'invalid_date',
      message: 'must be a real day as YYYY-MM-DD',
      schema: options.midnight
        ? { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}(T00:00:00(\\.000)?Z)?$' }
        : { type: 'string', format: 'date' },
      check: isDay,
    }),
  );
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An instant as we print it: ISO 8601, UTC, milliseconds. */
export function IsTimestamp(): PropertyDecorator {
  return field({
    name: 'isTimestamp',
    code: 'invalid_timestamp',
    message: 'must be an ISO 8601 timestamp in UTC with milliseconds',
    schema: { type: 'string', format: 'date-time' },
    check: (value) => typeof value === 'string' && TIMESTAMP.test(value) && isDay(value.slice(0, 10)) && isTime(value),
  });
}

/** An invalid time, such as 24:00, differs from the text after it was parsed. */
function isTime(timestamp: string): boolean {
  const time = Date.parse(timestamp);
  return !Number.isNaN(time) && new Date(time).toISOString() === timestamp;
}

/** The day `years` years before `today`, both as YYYY-MM-DD; 29 February becomes 28 February in a common year. */
export function yearsBefore(today: string, years: number): string {
  const [year = '', month = '', day = ''] = today.split('-');
  const candidate = `${String(Number(year) - years).padStart(4, '0')}-${month}-${day}`;
  return isDay(candidate) ? candidate : candidate.replace(/-29$/, '-28');
}
