/** What is asked about transactions, each with the key under which the answer is kept. */
import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { filterParameters, type TransactionFilters } from './filters';

export const transactionsQuestion = (filters: TransactionFilters) =>
  queryOptions({
    queryKey: ['transactions', filterParameters(filters)],
    queryFn: ({ signal }) =>
      answered(backOffice.GET('/api/transactions', { params: { query: filterParameters(filters) }, signal })),
  });

const byTransaction = (transactionId: string) => ({ params: { path: { transaction_id: transactionId } } });

export const transactionQuestion = (transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/transactions/{transaction_id}', byTransaction(transactionId)))).data,
  });

export const eventsQuestion = (transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId, 'events'],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/transactions/{transaction_id}/events', byTransaction(transactionId)))).data,
  });
