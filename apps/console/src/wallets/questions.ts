import { queryOptions } from '@tanstack/react-query';
import { answered, backOffice } from '../api/client';

const PAGE = 50;
const PAGE_MAX = 9_999;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface WalletsSearch {
  customer_id?: string;
  page?: number;
}

/** What an address holds that is no filter is left out. */
export function walletsSearchOf({ customer_id: customer, page }: Record<string, unknown>): WalletsSearch {
  const number = Number(page);
  return {
    ...(typeof customer === 'string' && UUID.test(customer) ? { customer_id: customer } : {}),
    ...(Number.isInteger(number) && number > 1 && number <= PAGE_MAX ? { page: number } : {}),
  };
}

export const walletsQuestion = ({ customer_id: customerId, page = 1 }: WalletsSearch) =>
  queryOptions({
    queryKey: ['wallets', customerId ?? null, page],
    queryFn: () => {
      const ofCustomer = customerId === undefined ? {} : { customer_id: customerId };
      const query = { ...ofCustomer, page: String(page), limit: String(PAGE) };
      return answered(backOffice.GET('/api/wallets', { params: { query } }));
    },
  });

export const walletQuestion = (walletId: string) =>
  queryOptions({
    queryKey: ['wallets', walletId],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/wallets/{wallet_id}', { params: { path: { wallet_id: walletId } } }))).data,
  });

export const pastBalanceQuestion = (walletId: string, asOf: string | undefined) =>
  queryOptions({
    queryKey: ['wallets', walletId, 'balance', asOf ?? null],
    queryFn: async () => {
      const params = { path: { wallet_id: walletId }, query: asOf === undefined ? {} : { as_of: asOf } };
      return (await answered(backOffice.GET('/api/wallets/{wallet_id}/statement', { params }))).data;
    },
  });
