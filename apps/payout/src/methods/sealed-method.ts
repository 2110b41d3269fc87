import { BankDetails, PayoutMethodView, WalletDetails } from '@stablecoin/contracts/payout/views';
import { Currency, Network } from '@stablecoin/money/currency';
import { OwnerKey } from '../owners/owner-keys';

/**
 * `sealed_details` has everything that a merchant entered about a destination: together it identifies a person's
 * account.
 */
export interface MethodRow {
  id: string;
  customer_id: string | null;
  type: 'BANK' | 'WALLET';
  currency: Currency;
  network: Network | null;
  sealed_details: string;
  created_at: Date;
  updated_at: Date;
}

/** The id is in the name, so that what is sealed for one method doesn't open as another's. */
export const detailsField = (methodId: string): string => `payout_method:${methodId}`;

/** The details of an erased owner's method, which can't be read any more. */
const NO_WALLET: WalletDetails = { label: null, wallet_address: '' };
const NO_BANK: BankDetails = {
  account_name: null,
  account_number: '',
  bank_name: null,
  bank_code: null,
  sort_code: null,
  swift_code: null,
  routing_number: null,
  iban: null,
};

export function methodView(row: MethodRow, key: OwnerKey | undefined): PayoutMethodView {
  const common = {
    id: row.id,
    customer_id: row.customer_id,
    currency: row.currency,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  const field = detailsField(row.id);
  if (row.type === 'BANK') {
    return { ...common, type: 'BANK', ...(key ? key.seal.open<BankDetails>(field, row.sealed_details) : NO_BANK) };
  }
  const details = key ? key.seal.open<WalletDetails>(field, row.sealed_details) : NO_WALLET;
  return { ...common, type: 'WALLET', ...details, network: row.network as Network };
}
