import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, backOffice, type Transaction } from '../api/client';

const PAGE = 20;
const PAGE_MAX = 9_999;
/** Confirmations grow block by block, of which the ledger says nothing. */
const UNDER_WAY_MS = 10_000;
export const STATUSES = ['PENDING', 'COMPLETED', 'FAILED', 'REVERSED'] as const;

export interface DepositsSearch {
  status?: Transaction['status'];
  page?: number;
}

/** What an address holds that is no filter is left out. */
export function depositsSearchOf({ status, page }: Record<string, unknown>): DepositsSearch {
  const number = Number(page);
  const known = STATUSES.find((one) => one === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(Number.isInteger(number) && number > 1 && number <= PAGE_MAX ? { page: number } : {}),
  };
}

/** Under `transactions`, so that each change of one asks again. */
export const depositsQuestion = ({ status, page = 1 }: DepositsSearch) =>
  queryOptions({
    queryKey: ['transactions', 'deposits', status ?? null, page],
    queryFn: () => {
      const query = { ...(status !== undefined && { status }), page: String(page), limit: String(PAGE) };
      return answered(backOffice.GET('/api/deposits', { params: { query } }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((deposit) => deposit.status === 'PENDING') === true ? UNDER_WAY_MS : false,
  });

export const unrecognisedQuestion = queryOptions({
  queryKey: ['transactions', 'unrecognised'],
  queryFn: () => answered(backOffice.GET('/api/deposits/unrecognised', { params: { query: { limit: '100' } } })),
});
