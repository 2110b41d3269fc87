import { Currency, Network } from '@stablecoin/money/currency';

interface PayoutMethodCommon {
  id: string;
  customer_id: string | null;
  currency: Currency;
  created_at: string;
  updated_at: string;
}

/** A saved destination. */
export type PayoutMethodView =
  | (PayoutMethodCommon & { type: 'WALLET'; label: string | null; wallet_address: string; network: Network })
  | (PayoutMethodCommon & {
      type: 'BANK';
      account_name: string | null;
      account_number: string;
      bank_name: string | null;
      bank_code: string | null;
      sort_code: string | null;
      swift_code: string | null;
      routing_number: string | null;
      iban: string | null;
    });
