/** What a merchant asks for most, one kind at a time: closed loops and overload offer each of them. */
import { performance } from 'node:perf_hooks';
import { BANK } from '@stablecoin/testing/journey';
import { type Answer, dataOf, type MerchantClient } from '@stablecoin/testing/merchant-client';
import { individual } from '@stablecoin/testing/person';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const FLOAT = '900000000';

/** The answer to the last of the requests that one piece of work takes. */
export interface Sent {
  answer: Answer<unknown>;
  /** When that request was sent, where others came before it. */
  sentAt?: number;
}

export interface RequestKind {
  name: string;
  send: (service: MerchantClient, account: Account) => Promise<Sent>;
  /** Of what is accepted: its id in the answer, and how many of such ids the ledger has. */
  kept?: { idIn: (data: Record<string, unknown>) => unknown; countSql: string };
}

export interface Account {
  walletId: string;
  customerId: string;
}

const PAYOUT = { currency: 'USDT', amount: '1.00', address: ADDRESS, network: 'erc20' };
const BANK_PAYOUT = { currency: 'USDT', amount: '1.00', ...BANK };
const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
const AS_TRANSACTION = {
  idIn: ({ id }: Record<string, unknown>) => id,
  countSql: `SELECT count(*)::int AS kept FROM transactions WHERE id = ANY ($1::uuid[]) AND status = 'COMPLETED'`,
};
const AS_SWAP = {
  idIn: ({ swapId }: Record<string, unknown>) => swapId,
  countSql: `SELECT count(DISTINCT reference_id)::int AS kept FROM transactions
    WHERE reference_id = ANY ($1::uuid[]) AND status = 'COMPLETED'`,
};

const only = async (answered: Promise<Answer<unknown>>): Promise<Sent> => ({ answer: await answered });

export const REQUEST_KINDS: readonly RequestKind[] = [
  { name: 'payout', send: (service) => only(service.post('/payouts/wallets', PAYOUT)), kept: AS_TRANSACTION },
  { name: 'bank-payout', send: (service) => only(service.post('/payouts/banks', BANK_PAYOUT)), kept: AS_TRANSACTION },
  {
    name: 'deposit',
    send: (service, { walletId }) => only(service.post('/sandbox/deposits', { wallet_id: walletId, amount: '1' })),
    kept: AS_TRANSACTION,
  },
  { name: 'quote', send: (service) => only(service.post('/instant-swaps', PAIR)) },
  { name: 'swap', send: swap, kept: AS_SWAP },
  { name: 'wallet', send: (service, { walletId }) => only(service.get(`/wallets/${walletId}`)) },
  { name: 'transactions', send: (service) => only(service.get('/transactions?limit=10')) },
  { name: 'customer', send: (service, { customerId }) => only(service.get(`/customers/${customerId}`)) },
];

/** A quote, and its execution if there is one. */
async function swap(service: MerchantClient): Promise<Sent> {
  const quote = await service.post<{ data: { id: string } }>('/instant-swaps', PAIR);
  if (quote.status >= 300) return { answer: quote };
  const sentAt = performance.now();
  const answer = await service.post('/swaps', { ...PAIR, quote_id: quote.body.data.data.id });
  return { answer, sentAt };
}

/** The kind that `--kind` names. */
export function requestKind(name: string): RequestKind {
  const found = REQUEST_KINDS.find((kind) => kind.name === name);
  if (found) return found;
  throw new Error(`There is no kind "${name}": ${REQUEST_KINDS.map((kind) => kind.name).join(', ')}.`);
}

/** Wallets with money, and a customer. */
export async function openAccount(service: MerchantClient): Promise<Account> {
  const { id: walletId } = await dataOf(
    service.post<{ id: string }>('/wallets', { currency: 'USDT', network: 'erc20' }),
  );
  await dataOf(service.post('/wallets', { currency: 'NGN' }));
  await dataOf(service.post('/sandbox/deposits', { wallet_id: walletId, amount: FLOAT }));
  const { id: customerId } = await dataOf(service.post<{ id: string }>('/individual-customers', individual()));
  return { walletId, customerId };
}
