import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

const TRANSACTION_ID = /^[A-Z0-9]{10}$/;

/** A transaction by its `id`, in lower case, or by its `transaction_id`. */
export function transactionName(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  if (!TRANSACTION_ID.test(text)) throw new Refusal('not_found');
  return text;
}
