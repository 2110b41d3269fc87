import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import type { PageSearch } from '../shell/search';

const PAGE = 50;

export const casesQuestion = ({ page = 1 }: PageSearch) =>
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
