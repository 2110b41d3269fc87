import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, backOfficeOf } from '../api/client';
import { daysBefore, todayInUtc } from '../charts/days';
import { pageIn, type PageSearch, uuidIn } from '../shell/search';

const PAGE = 50;

interface WalletsSearch extends PageSearch {
  customer_id?: string;
}

/** What an address holds that is no filter is left out. */
export function walletsSearchOf({ customer_id, ...search }: Record<string, unknown>): WalletsSearch {
  const customer = uuidIn(customer_id);
  return { ...(customer !== undefined && { customer_id: customer }), ...pageIn(search) };
}

interface FromSearch {
  customer_id?: string;
  /** With which the form begins. */
  wallet_id?: string;
}

export function fromSearchOf({ wallet_id, customer_id }: Record<string, unknown>): FromSearch {
  const [customer, wallet] = [uuidIn(customer_id), uuidIn(wallet_id)];
  return {
    ...(customer !== undefined && { customer_id: customer }),
    ...(wallet !== undefined && { wallet_id: wallet }),
  };
}

/** @param merchantId as `useNamedMerchant` has it, for each of these */
export const walletsQuestion = (merchantId: string | undefined, { customer_id: customerId, page = 1 }: WalletsSearch) =>
  queryOptions({
    queryKey: ['wallets', merchantId ?? null, customerId ?? null, page],
    queryFn: () => {
      const ofCustomer = customerId === undefined ? {} : { customer_id: customerId };
      const query = { ...ofCustomer, page: String(page), limit: String(PAGE) };
      return answered(backOfficeOf(merchantId).GET('/api/wallets', { params: { query } }));
    },
  });

export const walletQuestion = (merchantId: string | undefined, walletId: string) =>
  queryOptions({
    queryKey: ['wallets', merchantId ?? null, walletId],
    queryFn: async () => {
      const params = { path: { wallet_id: walletId } };
      return (await answered(backOfficeOf(merchantId).GET('/api/wallets/{wallet_id}', { params }))).data;
    },
  });

export const pastBalanceQuestion = (merchantId: string | undefined, walletId: string, asOf: string | undefined) =>
  queryOptions({
    queryKey: ['wallets', merchantId ?? null, walletId, 'balance', asOf ?? null],
    queryFn: async () => {
      const params = { path: { wallet_id: walletId }, query: asOf === undefined ? {} : { as_of: asOf } };
      return (await answered(backOfficeOf(merchantId).GET('/api/wallets/{wallet_id}/statement', { params }))).data;
    },
  });

/** At the end of each of so many days, of which the last is today. */
export function balancesQuestion(merchantId: string | undefined, walletId: string, count: number) {
  const end_date = todayInUtc();
  const query = { start_date: daysBefore(end_date, count - 1), end_date };
  return queryOptions({
    queryKey: ['wallets', merchantId ?? null, walletId, 'balances', query],
    queryFn: async () => {
      const params = { path: { wallet_id: walletId }, query };
      return (await answered(backOfficeOf(merchantId).GET('/api/wallets/{wallet_id}/balances', { params }))).data;
    },
    placeholderData: keepPreviousData,
  });
}
