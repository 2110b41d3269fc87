import { Currency, Network } from '@stablecoin/money/currency';

interface PayoutMethodCommon {
  id: string;
  customer_id: string | null;
  currency: Currency;
  created_at: string;
  updated_at: string;
}

export interface WalletDetails {
  label: string | null;
  wallet_address: string;
}

export interface BankDetails {
  account_name: string | null;
  account_number: string;
  bank_name: string | null;
  bank_code: string | null;
  sort_code: string | null;
  swift_code: string | null;
  routing_number: string | null;
  iban: string | null;
}

/** A saved destination. */
export type PayoutMethodView = PayoutMethodCommon &
  (({ type: 'WALLET'; network: Network } & WalletDetails) | ({ type: 'BANK' } & BankDetails));
