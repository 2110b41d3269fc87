import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

const PAGE = 50;
const PAGE_MAX = 9_999;

export interface CasesSearch {
  page?: number;
}

export function casesSearchOf({ page }: Record<string, unknown>): CasesSearch {
  const number = Number(page);
  return Number.isInteger(number) && number > 1 && number <= PAGE_MAX ? { page: number } : {};
}

export const casesQuestion = ({ page = 1 }: CasesSearch) =>
  queryOptions({
    queryKey: ['cases', 'list', page],
    queryFn: () =>
      answered(backOffice.GET('/api/cases', { params: { query: { page: String(page), limit: String(PAGE) } } })),
  });

export const caseQuestion = (customer_id: string) =>
  queryOptions({
    queryKey: ['cases', customer_id],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/cases/{customer_id}', { params: { path: { customer_id } } }))).data,
  });

export const caseFileQuestion = (customer_id: string) =>
  queryOptions({
    queryKey: ['cases', customer_id, 'file'],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/cases/{customer_id}/file', { params: { path: { customer_id } } }))).data,
  });
