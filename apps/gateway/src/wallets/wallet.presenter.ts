import { DepositAddressView, WalletView } from '@stablecoin/contracts/wallet/views';

export function presentWallet(view: WalletView) {
  return { ...withoutAddresses(view), addresses: view.addresses.map(presentAddress) };
}

/** The answer to a creation also tells, with each address, whose it is. */
export function presentOpenedWallet(view: WalletView) {
  const addresses = view.addresses.map((address) => {
    const { id, ...rest } = presentAddress(address);
    return { id, crypto_wallet_id: address.wallet_id, ...rest };
  });
  return { ...withoutAddresses(view), addresses };
}

function withoutAddresses(view: WalletView) {
  return {
    id: view.id,
    asset_type: view.asset_type,
    currency: view.currency,
    balance: view.balance,
    description: view.description ?? '',
    status: view.status,
    created_at: view.created_at,
    updated_at: view.updated_at,
    customer_id: view.customer_id,
  };
}

function presentAddress({ id, address, network, created_at }: DepositAddressView) {
  return { id, address, network, created_at };
}
