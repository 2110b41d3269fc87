import { PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { Currency, Network } from '@stablecoin/money/currency';

export interface RailPayout {
  /** Ours, derived from the payout: by it the rail recognises a payout that it has received before. */
  reference: string;
  rail: 'bank' | 'wallet';
  network: Network | null;
  bankCode: string | null;
  currency: Currency;
  amount: string;
  recipientCurrency: Currency | null;
  destination: PayoutDestination;
  isLive: boolean;
}

/** What a rail knows of a payout that it took. */
export interface KnownStatus {
  state: 'pending' | 'completed' | 'failed' | 'returned';
  /** The rail's own reference: a bank's, or the chain's transaction hash. */
  railReference: string | null;
  /** When the rail's answer may change; null when it won't change by itself. */
  nextLook: Date | null;
}

/** `unknown`: it never took it. */
export type RailStatus = { state: 'unknown' } | KnownStatus;

/** Where money leaves to: a bank, a chain, or the sandbox. */
export abstract class PayoutRail {
  /** A throw leaves the outcome unknown: it is looked up before anything is sent again. */
  abstract submit(payout: RailPayout): Promise<KnownStatus>;
  abstract lookUp(reference: string): Promise<RailStatus>;
}
