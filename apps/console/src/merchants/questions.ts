import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { pageIn, type PageSearch, textIn } from '../shell/search';

const PAGE = '50';
const SEARCH_MAX = 200;

interface MerchantsSearch extends PageSearch {
  search?: string;
}

export function merchantsSearchOf({ search, ...others }: Record<string, unknown>): MerchantsSearch {
  const text = textIn(search, SEARCH_MAX);
  return { ...(text !== undefined && { search: text }), ...pageIn(others) };
}

export const merchantsQuestion = ({ page = 1, ...search }: MerchantsSearch) =>
  queryOptions({
    queryKey: ['merchants', search, page],
    queryFn: () => {
      const query = { ...search, page: String(page), limit: PAGE };
      return answered(backOffice.GET('/api/merchants', { params: { query } }));
    },
  });

export const merchantQuestion = (merchantId: string) =>
  queryOptions({
    queryKey: ['merchant', merchantId],
    queryFn: async () => {
      const params = { path: { merchant_id: merchantId } };
      return (await answered(backOffice.GET('/api/merchants/{merchant_id}', { params }))).data;
    },
  });
