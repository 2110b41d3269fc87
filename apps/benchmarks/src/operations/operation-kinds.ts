/** The operations that are measured, as a caller sends them, and the goals that each is held to (docs/PERFORMANCE.md). */
import type { MerchantClient } from '@stablecoin/testing/merchant-client';
import { requestKind, type Sent } from '../request-kinds';

export const OPERATION_NAMES = [
  'payout',
  'swap',
  'deposit',
  'wallet_read',
  'transaction_list',
  'webhook_delivery',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** Of one way: wallets with money, and a customer with a known number of transactions. */
export interface Account {
  /** Of the customer, for deposits and reads. */
  walletId: string;
  customerId: string;
  /** Another one, who has `LISTED` transactions and gets no more. */
  listedWalletId: string;
  listedCustomerId: string;
}

/** So many transactions has the customer whose page is read. */
export const LISTED = 5_000;
export const PAGE = 10;

export interface Goals {
  /** Processor time to that of the floor, at the most. */
  cpuToFloor: number;
  /** Operations per second to those of the plain way, at least. */
  perSecondToPlain: number;
  /** The median of one alone, at the most. */
  aloneMs?: number;
}

export interface OperationKind {
  name: OperationName;
  what: string;
  goals: Goals;
  /** Undefined for a delivery, which no caller asks for. */
  send?: (service: MerchantClient, account: Account) => Promise<Sent>;
  /** Whether what was accepted goes on by itself, and is over only when nothing is pending. */
  settles?: true;
}

const sentAs = (name: string) => {
  const { send } = requestKind(name);
  return (service: MerchantClient, { walletId, customerId }: Account) => send(service, { walletId, customerId });
};

const listOf = async (service: MerchantClient, { listedCustomerId }: Account): Promise<Sent> => ({
  answer: await service.get(`/transactions?customer_id=${listedCustomerId}&limit=${PAGE}`),
});

export const OPERATION_KINDS: readonly OperationKind[] = [
  {
    name: 'payout',
    what: 'a payout to an address out of one wallet, until it is settled',
    goals: { cpuToFloor: 2, perSecondToPlain: 1.5, aloneMs: 12 },
    send: sentAs('payout'),
    settles: true,
  },
  {
    name: 'swap',
    what: 'a quote and its execution',
    goals: { cpuToFloor: 2, perSecondToPlain: 1, aloneMs: 20 },
    send: sentAs('swap'),
  },
  {
    name: 'deposit',
    what: "a deposit to a customer's wallet",
    goals: { cpuToFloor: 2, perSecondToPlain: 1 },
    send: sentAs('deposit'),
  },
  {
    name: 'wallet_read',
    what: 'one wallet',
    goals: { cpuToFloor: 2, perSecondToPlain: 1, aloneMs: 4 },
    send: sentAs('wallet'),
  },
  {
    name: 'transaction_list',
    what: `the newest ${PAGE} of a customer's ${LISTED.toLocaleString('en')} transactions, and their number`,
    goals: { cpuToFloor: 2, perSecondToPlain: 1, aloneMs: 4 },
    send: listOf,
  },
  {
    name: 'webhook_delivery',
    what: 'a recorded event, delivered to one endpoint',
    goals: { cpuToFloor: 2, perSecondToPlain: 1 },
  },
];

/** At the most, for the quote of a swap alone. */
export const QUOTE_ALONE_MS = 12;

/** The kinds that `--kind` names; all of them without it. */
export function chosenKinds(name: string | undefined): readonly OperationKind[] {
  if (name === undefined) return OPERATION_KINDS;
  const found = OPERATION_KINDS.filter((kind) => kind.name === name.replaceAll('-', '_'));
  if (found.length > 0) return found;
  throw new Error(`There is no operation "${name}": ${OPERATION_NAMES.join(', ')}.`);
}
