import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

const PAGE = '50';

export interface MerchantsSearch {
  search?: string;
  page?: string;
}

export function merchantsSearchOf({ search, page }: Record<string, unknown>): MerchantsSearch {
  const text = typeof search === 'string' ? search.trim() : '';
  return {
    ...(text === '' ? {} : { search: text }),
    ...(typeof page === 'string' && /^[1-9]\d{0,4}$/.test(page) && page !== '1' ? { page } : {}),
  };
}

export const merchantsQuestion = (query: MerchantsSearch) =>
  queryOptions({
    queryKey: ['merchants', query],
    queryFn: () => answered(backOffice.GET('/api/merchants', { params: { query: { ...query, limit: PAGE } } })),
  });

export const merchantQuestion = (merchantId: string) =>
  queryOptions({
    queryKey: ['merchant', merchantId],
    queryFn: async () => {
      const params = { path: { merchant_id: merchantId } };
      return (await answered(backOffice.GET('/api/merchants/{merchant_id}', { params }))).data;
    },
  });
