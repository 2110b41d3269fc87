import { assetTypeOf } from '@stablecoin/money/currency';
import { TransactionView, WalletView } from '@stablecoin/contracts/wallet/views';
import { Account, Transaction, Wallet } from '@stablecoin/ledger-domain/entities';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';

/** A transaction as the contract shows it. */
export function transactionView({ wallet_id: _, position: __, currency, ...shown }: Transaction): TransactionView {
  return { ...shown, asset_code: currency };
}

/** A wallet as the contract shows it, with the balance of its account. */
export function walletView(
  wallet: Omit<Wallet, 'address_index' | 'position'>,
  account: Pick<Account, 'balance' | 'updated_at'>,
): WalletView {
  const { id, merchant_id, customer_id, currency, description, created_at, addresses } = wallet;
  return {
    id,
    merchant_id,
    customer_id,
    asset_type: assetTypeOf(currency),
    currency,
    balance: account.balance.toString(),
    description,
    status: 'active',
    created_at,
    updated_at: account.updated_at > wallet.updated_at ? account.updated_at : wallet.updated_at,
    addresses: [...addresses],
  };
}

/** Reads a transaction off the ledger that a command has just written. */
export function shownTransaction(ledger: LedgerView, reference: string): TransactionView {
  const transaction = ledger.transaction(reference);
  if (!transaction) throw new Error(`transaction ${reference} is not where it was just written`);
  return transactionView(transaction);
}
