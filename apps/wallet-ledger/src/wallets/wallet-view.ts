import { assetTypeOf } from '@stablecoin/money/currency';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Account, Wallet } from '@stablecoin/ledger-domain/entities';

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
