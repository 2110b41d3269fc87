/** What is asked about transactions, each with the key under which the answer is kept. */
import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice, backOfficeOf } from '../api/client';
import { filterParameters, type TransactionFilters } from './filters';

/** @param merchantId as `useNamedMerchant` has it, for each of these */
export const transactionsQuestion = (merchantId: string | undefined, filters: TransactionFilters) =>
  queryOptions({
    queryKey: ['transactions', merchantId ?? null, filterParameters(filters)],
    queryFn: ({ signal }) => {
      const params = { query: filterParameters(filters) };
      return answered(backOfficeOf(merchantId).GET('/api/transactions', { params, signal }));
    },
  });

const byTransaction = (transactionId: string) => ({ params: { path: { transaction_id: transactionId } } });

export const transactionQuestion = (merchantId: string | undefined, transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId, merchantId ?? null],
    queryFn: async () => {
      const asked = backOfficeOf(merchantId).GET('/api/transactions/{transaction_id}', byTransaction(transactionId));
      return (await answered(asked)).data;
    },
  });

export const eventsQuestion = (merchantId: string | undefined, transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId, merchantId ?? null, 'events'],
    queryFn: async () => {
      const of = byTransaction(transactionId);
      return (await answered(backOfficeOf(merchantId).GET('/api/transactions/{transaction_id}/events', of))).data;
    },
  });

/** Who asked for it and who approved it: of a member's own merchant. */
export const signersQuestion = (transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId, 'signers'],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/transactions/{transaction_id}/signers', byTransaction(transactionId)))).data,
  });
