import { Currency, Network } from '@stablecoin/money/currency';

/**
 * accepted → submitting (the intent, stored before the rail is touched) → submitted → completed | failed;
 * completed → reversed. The order in ORDERED_STATES is the only direction in which a payout moves.
 */
export type PayoutState = 'accepted' | 'submitting' | 'submitted' | 'completed' | 'failed' | 'reversed';

/** The rail that a payout goes by; null for the sandbox's. */
export type PayoutRoute = 'evm' | null;

/** The states in which a payout's money has moved for good, or moved back. */
export type EndState = 'completed' | 'failed' | 'reversed';

export interface PayoutRow {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  shard: number;
  rail: 'bank' | 'wallet';
  network: Network | null;
  bank_code: string | null;
  currency: Currency;
  amount: string;
  recipient_currency: Currency | null;
  sealed_destination: string | null;
  terms_mac: string | null;
  /** Derived from the id, whatever the table says. */
  provider_reference: string;
  route: PayoutRoute;
  /** Of what was approved, where that was needed. */
  approval_hash: string | null;
  state: PayoutState;
  attempts: number;
}
