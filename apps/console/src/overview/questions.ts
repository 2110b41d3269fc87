import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { daysBefore, todayInUtc } from '../charts/days';
import { choiceIn } from '../shell/search';

/** How many days, today included. */
export const RANGES = [7, 30, 90, 366] as const;
export const RANGE = 30;
const CURRENCY = /^[A-Z]{3,5}$/;

export interface OverviewSearch {
  days?: number;
  currency?: string;
}

/** What an address holds that is no choice is left out. */
export function overviewSearchOf({ days, currency }: Record<string, unknown>): OverviewSearch {
  const count = choiceIn(RANGES, days);
  return {
    ...(count !== undefined && { days: count }),
    ...(typeof currency === 'string' && CURRENCY.test(currency) ? { currency } : {}),
  };
}

export function figuresQuestion({ days = RANGE, currency }: OverviewSearch) {
  const end_date = todayInUtc();
  const query = { start_date: daysBefore(end_date, days - 1), end_date, ...(currency !== undefined && { currency }) };
  return queryOptions({
    queryKey: ['figures', query],
    queryFn: async ({ signal }) => (await answered(backOffice.GET('/api/figures', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
  });
}
