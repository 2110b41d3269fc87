import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';

/** A transaction by its `id`, in either case, or by its `transaction_id`. */
export const transactionReference = (name: string): string => (isUuid(name) ? name.toLowerCase() : name);
