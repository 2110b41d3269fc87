import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

const PAGE = 50;
const PAGE_MAX = 9_999;
const SEARCH_MAX = 254;
const CHOICES = { status: ['active', 'closed'], customer_type: ['individual', 'business'] } as const;

export interface CustomersSearch {
  status?: string;
  customer_type?: string;
  search?: string;
  page?: number;
}

/** What an address holds that is no filter is left out. */
export function customersSearchOf(asked: Record<string, unknown>): CustomersSearch {
  const found: CustomersSearch = {};
  for (const name of ['status', 'customer_type'] as const) {
    const value = CHOICES[name].find((choice) => choice === asked[name]);
    if (value !== undefined) found[name] = value;
  }
  const search = typeof asked['search'] === 'string' ? asked['search'].trim().slice(0, SEARCH_MAX) : '';
  if (search !== '') found.search = search;
  const page = Number(asked['page']);
  if (Number.isInteger(page) && page > 1 && page <= PAGE_MAX) found.page = page;
  return found;
}

export const customersQuestion = ({ page = 1, ...filters }: CustomersSearch) =>
  queryOptions({
    queryKey: ['customers', 'list', filters, page],
    queryFn: () => {
      const query = { ...filters, page: String(page), limit: String(PAGE) };
      return answered(backOffice.GET('/api/customers', { params: { query } }));
    },
  });

export const customerQuestion = (customer_id: string) =>
  queryOptions({
    queryKey: ['customers', customer_id],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/customers/{customer_id}', { params: { path: { customer_id } } }))).data,
  });

export const customerFileQuestion = (customer_id: string) =>
  queryOptions({
    queryKey: ['customers', customer_id, 'file'],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/customers/{customer_id}/file', { params: { path: { customer_id } } }))).data,
  });
