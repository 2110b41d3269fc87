import { WalletView } from '@stablecoin/contracts/wallet/views';
import { presentOpenedWallet, presentWallet } from './wallet.presenter';

const at = '2026-01-02T03:04:05.678Z';
const view: WalletView = {
  id: 'w1',
  merchant_id: 'm1',
  customer_id: null,
  asset_type: 'STABLECOIN',
  currency: 'USDT',
  balance: '1.00000000',
  description: null,
  status: 'active',
  created_at: at,
  updated_at: at,
  addresses: [{ id: 'a1', wallet_id: 'w1', address: '0xabc', network: 'erc20', created_at: at }],
};

const printed = {
  id: 'w1',
  asset_type: 'STABLECOIN',
  currency: 'USDT',
  balance: '1.00000000',
  description: '',
  status: 'active',
  created_at: at,
  updated_at: at,
  customer_id: null,
};

describe('wallet presenter', () => {
  it('prints the fields of the interface and no other', () => {
    expect(presentWallet(view)).toEqual({
      ...printed,
      addresses: [{ id: 'a1', address: '0xabc', network: 'erc20', created_at: at }],
    });
  });

  it('names the wallet beside each address when it was just opened', () => {
    expect(presentOpenedWallet(view)).toEqual({
      ...printed,
      addresses: [{ id: 'a1', crypto_wallet_id: 'w1', address: '0xabc', network: 'erc20', created_at: at }],
    });
  });
});
