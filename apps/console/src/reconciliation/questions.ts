import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

export const reportsQuestion = queryOptions({
  queryKey: ['reconciliation'],
  queryFn: async () => (await answered(backOffice.GET('/api/reconciliation'))).data,
});

/** A report that was kept never changes. */
export const reportQuestion = (number: number) =>
  queryOptions({
    queryKey: ['reconciliation-report', number],
    queryFn: async () => {
      const params = { path: { number: String(number) } };
      return (await answered(backOffice.GET('/api/reconciliation/{number}', { params }))).data;
    },
    staleTime: Infinity,
  });
