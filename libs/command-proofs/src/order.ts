/**
 * What a person orders at the console and signs by a passkey: everything that the ledger is asked for, so that the signature proves
 * that this person wanted this payout or swap, and nothing else. Needs nothing of Node: the page hashes what it shows.
 *
 *   signed hash = SHA-256("stablecoin-order/1\n" ‖ canonical JSON of the order)
 */
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';

interface Ordered {
  merchant_id: string;
  /** Whose wallet it leaves; null: the merchant's own. */
  customer_id: string | null;
  /** The merchant's. */
  mode: 'live' | 'test';
  /** The person's membership of the merchant. */
  key_id: string;
  /** The person. */
  signer_id: string;
  /** Under which the ledger, or swap-pricing, takes it once. */
  command_id: string;
  /** ISO 8601. */
  valid_until: string;
}

export interface PayoutOrder extends Ordered {
  type: 'payout-order';
  currency: string;
  /** With 8 decimals, as are the amounts below. */
  amount: string;
  fee: string | null;
  exchange_rate: string;
  /** Null of a payout to a crypto address. */
  recipient_currency: string | null;
  network: string | null;
  bank_code: string | null;
  /** Where it goes: sealed, and as the keyed hash by which policies know it. */
  sealed_destination: string;
  destination_hash: string;
}

export interface SwapOrder extends Ordered {
  type: 'swap-order';
  /** The quote. */
  swap_id: string;
  from_currency: string;
  to_currency: string;
  from_amount: string;
  to_amount: string;
  price: string;
}

export type Order = PayoutOrder | SwapOrder;

const DOMAIN = 'stablecoin-order/1\n';

export const orderText = (order: Order): string => `${DOMAIN}${canonicalText(order as unknown as CanonicalValue)}`;
