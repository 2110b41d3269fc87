/**
 * The filters of the transactions are the page's address: one can be sent to a colleague, kept, and gone back from. What an
 * address holds that is no filter is left out rather than sent on.
 */

import { choiceIn, pageIn, uuidIn } from '../shell/search';

export const CHOICES = {
  status: ['PENDING', 'COMPLETED', 'REVERSED', 'FAILED'],
  transaction_type: ['DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER'],
  transaction_mode: ['CREDIT', 'DEBIT'],
  currency: ['USDC', 'USDT', 'USD', 'NGN', 'GBP', 'EUR', 'CAD'],
  waiting_for: ['approval', 'cooling_off'],
} as const;
export type ChoiceFilter = keyof typeof CHOICES;

const TEXT_MAX = 64;
export const PAGE_SIZES = [20, 50, 100] as const;

export interface TransactionFilters {
  status?: string;
  transaction_type?: string;
  transaction_mode?: string;
  currency?: string;
  waiting_for?: string;
  customer_id?: string;
  transaction_id?: string;
  search?: string;
  start_date?: string;
  end_date?: string;
  page: number;
  limit: number;
}
export type FilterName = Exclude<keyof TransactionFilters, 'page' | 'limit'>;
const FILTER_NAMES: readonly FilterName[] = [
  ...(['status', 'transaction_type', 'transaction_mode', 'currency', 'waiting_for'] as const),
  ...(['customer_id', 'transaction_id', 'search', 'start_date', 'end_date'] as const),
];

/** The filters that an address names. */
export function filtersOf(parameters: Readonly<Record<string, unknown>>): TransactionFilters {
  const filters: TransactionFilters = {
    page: pageIn(parameters).page ?? 1,
    limit: choiceIn(PAGE_SIZES, parameters['limit']) ?? PAGE_SIZES[0],
  };
  for (const name of FILTER_NAMES) {
    const value = parameters[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text !== '' && isValid(name, text)) filters[name] = name === 'customer_id' ? uuidIn(text) : text;
  }
  // The back office refuses a range that ends before it begins: the end gives way.
  if (filters.start_date && filters.end_date && filters.end_date < filters.start_date) delete filters.end_date;
  return filters;
}

function isValid(name: FilterName, text: string): boolean {
  if (name in CHOICES) return (CHOICES[name as ChoiceFilter] as readonly string[]).includes(text);
  if (name === 'customer_id') return uuidIn(text) !== undefined;
  if (name === 'start_date' || name === 'end_date') return isDate(text);
  return text.length <= TEXT_MAX;
}

/** A day of the calendar: a date that is none has no text of its own, or another one. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** For the address and for the back office: only what differs from the first page of everything. */
export function filterParameters(filters: TransactionFilters): Record<string, string> {
  const named = FILTER_NAMES.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  return {
    ...Object.fromEntries(named),
    ...(filters.page === 1 ? {} : { page: String(filters.page) }),
    limit: String(filters.limit),
  };
}

export const addressOf = (filters: TransactionFilters): Record<string, string> => {
  const { limit, ...rest } = filterParameters(filters);
  return filters.limit === PAGE_SIZES[0] ? rest : { ...rest, limit: limit ?? '' };
};

/** A changed filter begins at the first page: the page that was shown is one of another list. */
export const withFilter = (filters: TransactionFilters, name: FilterName, value: string | undefined) =>
  filtersOf({ ...filters, [name]: value, page: 1 });

export const activeFilters = (filters: TransactionFilters): FilterName[] =>
  FILTER_NAMES.filter((name) => filters[name] !== undefined);

/** All that the filters find, as CSV. */
export function csvAddress(merchantId: string | undefined, filters: TransactionFilters): string {
  const parameters = new URLSearchParams(filterParameters(filters));
  parameters.delete('page');
  parameters.delete('limit');
  const query = parameters.toString();
  const of = merchantId === undefined ? '' : `/merchants/${encodeURIComponent(merchantId)}`;
  return `/api${of}/transactions.csv${query === '' ? '' : `?${query}`}`;
}
