/**
 * Told to every backoffice when facts are on the stream: whose transactions have changed, so that open pages ask for them again. It
 * has no answer, and says nothing of what changed; a lost message is no harm, as people see what they ask for.
 */
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';

export const TRANSACTIONS_CHANGED = 'wallet.transactions-changed';

/** Of a batch of facts, by merchant. */
export interface TransactionsChanged {
  merchants: ChangesOfMerchant[];
}

export interface ChangesOfMerchant {
  merchant_id: string;
  /** Of 10 characters each. Without any, only wallets have changed. */
  transaction_ids: string[];
}

export function isTransactionsChanged(value: unknown): value is TransactionsChanged {
  const { merchants } = (value ?? {}) as Partial<TransactionsChanged>;
  return Array.isArray(merchants) && merchants.every(isChangesOfMerchant);
}

function isChangesOfMerchant(value: unknown): boolean {
  const { merchant_id, transaction_ids } = (value ?? {}) as Partial<ChangesOfMerchant>;
  const areTexts = Array.isArray(transaction_ids) && transaction_ids.every((id) => typeof id === 'string');
  return typeof merchant_id === 'string' && isUuid(merchant_id) && areTexts;
}
