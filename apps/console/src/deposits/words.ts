import type { Schema } from '../api/client';

type Reason = Schema<'Unrecognised'>['reason'];

/** Why a transfer was not credited, and what the merchant can do. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  unknown_token:
    'Not a token that is accepted here: anybody can send any token to an address, and it counts as nothing.',
  below_smallest_unit: 'Less than the smallest unit of the currency.',
  wrong_currency: 'Sent to the address of a wallet in another currency.',
  network_without_address: 'Sent on a network on which the wallet has no address.',
  customer_closed: 'The customer whose wallet it was sent to is closed.',
  unknown_wallet: 'The wallet of the address is not known.',
  refused_by_ledger: 'The ledger refused it.',
  rejected_by_screening: 'Its sender was rejected when it was screened.',
};
