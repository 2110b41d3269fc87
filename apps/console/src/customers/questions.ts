import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { choiceIn, pageIn, type PageSearch, textIn } from '../shell/search';

const PAGE = 50;
const SEARCH_MAX = 254;
const CHOICES = { status: ['active', 'closed'], customer_type: ['individual', 'business'] } as const;

export interface CustomersSearch extends PageSearch {
  status?: string;
  customer_type?: string;
  search?: string;
}

/** What an address holds that is no filter is left out. */
export function customersSearchOf(asked: Record<string, unknown>): CustomersSearch {
  const found: CustomersSearch = pageIn(asked);
  for (const name of ['status', 'customer_type'] as const) {
    const value = choiceIn<string>(CHOICES[name], asked[name]);
    if (value !== undefined) found[name] = value;
  }
  const search = textIn(asked['search'], SEARCH_MAX);
  if (search !== undefined) found.search = search;
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
