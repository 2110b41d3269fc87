import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';
import { numberIn, pageIn, type PageSearch, uuidIn } from '../shell/search';

const CHECKPOINTS_PAGE = 20;
const EVENTS_PAGE = 50;

interface CheckpointsSearch extends PageSearch {
  shard?: number;
}
interface ExplanationSearch {
  wallet?: string;
  as_of?: string;
}

/** What an address holds that names no shard and no page is left out. */
export function checkpointsSearchOf({ shard, ...search }: Record<string, unknown>): CheckpointsSearch {
  const named = numberIn(shard);
  return { ...(named !== undefined && { shard: named }), ...pageIn(search) };
}

export function explanationSearchOf({ wallet, as_of: asOf }: Record<string, unknown>): ExplanationSearch {
  const named = uuidIn(wallet);
  return {
    ...(named !== undefined && { wallet: named }),
    ...(typeof asOf === 'string' && asOf !== '' && { as_of: asOf }),
  };
}

/** What an address holds that names no run is left out: they are counted from 1. */
export function runsSearchOf({ run }: Record<string, unknown>): { run?: number } {
  const named = numberIn(run);
  return named === undefined || named === 0 ? {} : { run: named };
}

export const shardsQuestion = queryOptions({
  queryKey: ['audit', 'shards'],
  queryFn: async () => (await answered(backOffice.GET('/api/audit/shards'))).data,
});

export const checkpointsQuestion = (shard: number, page: number) =>
  queryOptions({
    queryKey: ['audit', 'checkpoints', shard, page],
    queryFn: () => {
      const params = { path: { shard }, query: { page, limit: CHECKPOINTS_PAGE } };
      return answered(backOffice.GET('/api/audit/shards/{shard}/checkpoints', { params }));
    },
  });

export const explanationQuestion = (wallet: string, asOf: string | undefined) =>
  queryOptions({
    queryKey: ['audit', 'explanation', wallet, asOf ?? null],
    queryFn: async () => {
      const params = {
        path: { wallet_id: wallet },
        query: { limit: EVENTS_PAGE, ...(asOf !== undefined && { as_of: asOf }) },
      };
      return (await answered(backOffice.GET('/api/audit/wallets/{wallet_id}/balance', { params }))).data;
    },
  });
