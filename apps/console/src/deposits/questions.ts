import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, backOffice, type Transaction } from '../api/client';
import { choiceIn, pageIn, type PageSearch } from '../shell/search';

const PAGE = 20;
/** Confirmations grow block by block, of which the ledger says nothing. */
const UNDER_WAY_MS = 10_000;
export const STATUSES = ['PENDING', 'COMPLETED', 'FAILED', 'REVERSED'] as const;

export interface DepositsSearch extends PageSearch {
  status?: Transaction['status'];
}

/** What an address holds that is no filter is left out. */
export function depositsSearchOf({ status, ...search }: Record<string, unknown>): DepositsSearch {
  const known = choiceIn(STATUSES, status);
  return { ...(known !== undefined && { status: known }), ...pageIn(search) };
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
