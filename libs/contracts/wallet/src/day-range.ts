import { IsDay, isDay } from '@stablecoin/contracts/wire/fields/date';
import { all, field } from '@stablecoin/contracts/wire/fields/field';

/** The most days that one question may ask for. */
export const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Whole UTC days, both included. */
export interface DayRange {
  start_date: string;
  end_date: string;
}

const daysOf = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;

/** The last of at most `DAYS_MAX` days, of which `start_date` is the first. */
export function IsEndOfRange(): PropertyDecorator {
  return all(
    field({
      name: 'isEndOfRange',
      code: 'invalid_date_range',
      message: `must not be before start_date, nor ${DAYS_MAX} days or more after it`,
      schema: {},
      check: (value, args) => {
        const { start_date } = args.object as Partial<DayRange>;
        if (!isDay(start_date) || !isDay(value)) return true;
        const days = daysOf(start_date as string, value as string);
        return days >= 1 && days <= DAYS_MAX;
      },
    }),
    IsDay(),
  );
}

/** Each of the days, oldest first. */
export const daysIn = ({ start_date, end_date }: DayRange): string[] =>
  Array.from({ length: daysOf(start_date, end_date) }, (_, index) =>
    new Date(Date.parse(start_date) + index * DAY_MS).toISOString().slice(0, 10),
  );
