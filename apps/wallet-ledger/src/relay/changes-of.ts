import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { TransactionsChanged } from '@stablecoin/contracts/wallet/transactions-changed';

/** Whose transactions a batch of facts has changed, each once. */
export function changesOf(facts: readonly LedgerFact[]): TransactionsChanged {
  const changed = new Map<string, Set<string>>();
  for (const { merchant_id, transactions } of facts) {
    const ids = changed.get(merchant_id) ?? new Set();
    for (const { transaction_id } of transactions) ids.add(transaction_id);
    changed.set(merchant_id, ids);
  }
  const merchants = [...changed].map(([merchant_id, ids]) => ({ merchant_id, transaction_ids: [...ids] }));
  return { merchants };
}
