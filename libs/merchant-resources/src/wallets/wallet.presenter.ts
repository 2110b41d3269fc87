import { DepositAddressView, WalletView } from '@stablecoin/contracts/wallet/views';
import {
  always,
  balance,
  currency,
  listOf,
  network,
  nullable,
  oneOf,
  ResponseOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const WALLET_FIELDS = {
  id: uuid,
  asset_type: oneOf(['FIAT', 'STABLECOIN']),
  currency,
  balance,
  description: text,
  status: always('active'),
  created_at: timestamp,
  updated_at: timestamp,
  customer_id: nullable(uuid),
};
const ADDRESS_FIELDS = { id: uuid, address: text, network, created_at: timestamp };
const DEPOSIT_ADDRESS = resource('DepositAddress', ADDRESS_FIELDS);
const OPENED_ADDRESS = resource('OpenedDepositAddress', { ...ADDRESS_FIELDS, crypto_wallet_id: uuid });

export const WALLET = resource('Wallet', { ...WALLET_FIELDS, addresses: listOf(DEPOSIT_ADDRESS) });
export const OPENED_WALLET = resource('OpenedWallet', { ...WALLET_FIELDS, addresses: listOf(OPENED_ADDRESS) });

export function presentWallet(view: WalletView): ResponseOf<typeof WALLET> {
  return { ...withoutAddresses(view), addresses: view.addresses.map(presentAddress) };
}

/** The answer to a creation also names the owner of each address. */
export function presentOpenedWallet(view: WalletView): ResponseOf<typeof OPENED_WALLET> {
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
