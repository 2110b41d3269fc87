import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

const CHECKPOINTS_PAGE = 20;
const EVENTS_PAGE = 50;
const NUMBER = /^(0|[1-9]\d{0,8})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface CheckpointsSearch {
  shard?: number;
  page?: number;
}
export interface ExplanationSearch {
  wallet?: string;
  as_of?: string;
}

const numberIn = (value: unknown): number | undefined => (NUMBER.test(String(value)) ? Number(value) : undefined);

/** What an address holds that names no shard and no page is left out. */
export function checkpointsSearchOf({ shard, page }: Record<string, unknown>): CheckpointsSearch {
  const [named, at] = [numberIn(shard), numberIn(page)];
  return { ...(named !== undefined && { shard: named }), ...(at !== undefined && at > 1 && { page: at }) };
}

export function explanationSearchOf({ wallet, as_of: asOf }: Record<string, unknown>): ExplanationSearch {
  return {
    ...(typeof wallet === 'string' && UUID.test(wallet) && { wallet: wallet.toLowerCase() }),
    ...(typeof asOf === 'string' && asOf !== '' && { as_of: asOf }),
  };
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
