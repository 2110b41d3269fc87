import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { localChainSettings, walletSettings } from './local-chain-settings';

const CHAINS = EVM_NETWORKS.map((network, index) => ({
  ...{ network, rpc_url: `http://127.0.0.1:4200${index}` },
  faucet_private_key: '0xkey',
}));

it('has money come and go by the chains of the stack, final soon, with room at the signer', () =>
  expect(localChainSettings({}, CHAINS)).toEqual({
    CHAIN_RPC_ERC20: 'http://127.0.0.1:42000',
    CHAIN_RPC_BEP20: 'http://127.0.0.1:42001',
    CHAIN_RPC_POLYGON: 'http://127.0.0.1:42002',
    CHAIN_FINALITY_ERC20: '2',
    CHAIN_FINALITY_BEP20: '2',
    CHAIN_FINALITY_POLYGON: '2',
    CHAIN_POLL_MS: '500',
    CHAIN_FAUCET_KEY: '0xkey',
    PAYOUT_RAIL_ERC20: 'evm',
    PAYOUT_RAIL_BEP20: 'evm',
    PAYOUT_RAIL_POLYGON: 'evm',
    EXPLORER_URL_ERC20: 'none',
    EXPLORER_URL_BEP20: 'none',
    EXPLORER_URL_POLYGON: 'none',
    EVM_RAIL_FOR_TEST: 'true',
    SIGNER_PAYOUT_CAPS: EVM_NETWORKS.flatMap((network) => [
      `${network}:USDT=1000000/1000000000`,
      `${network}:USDC=1000000/1000000000`,
    ]).join(', '),
    SIGNER_GAS_CAPS: 'erc20=1000000/1000000000, bep20=1000000/1000000000, polygon=1000000/1000000000',
    SIGNER_FEE_CAPS: 'erc20=1000000/1000000000, bep20=1000000/1000000000, polygon=1000000/1000000000',
    SIGNER_FEE_PER_GAS_CAPS: 'erc20=10000, bep20=10000, polygon=10000',
  }));

it('leaves every setting of the user as it is', () => {
  const own = { CHAIN_FINALITY_ERC20: 'finalized', PAYOUT_RAIL_BEP20: 'sandbox', SIGNER_FEE_CAPS: 'erc20=1/2' };
  const settings = localChainSettings(own, CHAINS);
  expect(Object.keys(settings).filter((name) => name in own)).toEqual([]);
  expect(settings).toMatchObject({ CHAIN_FINALITY_BEP20: '2', PAYOUT_RAIL_ERC20: 'evm' });
});

it("keeps test money off the chains where one network's nodes are the user's own, which it lets alone", () => {
  const settings = localChainSettings({ CHAIN_RPC_ERC20: 'https://node.example.com' }, CHAINS);
  expect(Object.keys(settings).filter((name) => name.endsWith('_ERC20'))).toEqual([]);
  expect(settings).toMatchObject({ PAYOUT_RAIL_POLYGON: 'evm', SIGNER_FEE_PER_GAS_CAPS: 'bep20=10000, polygon=10000' });
  expect(settings['EVM_RAIL_FOR_TEST']).toBeUndefined();
  expect(settings['CHAIN_FAUCET_KEY']).toBeUndefined();
});

it('says nothing without chains', () => expect(localChainSettings({}, [])).toEqual({}));

it('tells an audit of holdings the wallets that are ours beside deposit addresses', () => {
  const env = { SIGNER_COLD_ADDRESS: '0xcold' };
  const chains = [{ hot_wallet: '0xhot' }, { hot_wallet: '0xhot' }];
  expect(walletSettings(env, chains)).toEqual({ SOLVENCY_HOT_WALLETS: '0xhot', SOLVENCY_COLD_WALLETS: '0xcold' });
  expect(walletSettings({}, [])).toEqual({});
});
