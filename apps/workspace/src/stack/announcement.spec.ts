import { CHAINS, EVM_NETWORKS } from '@stablecoin/chains/chains';
import { ofEachDatabase } from '@stablecoin/migrations/databases';
import { announcementOf } from './announcement';

const urls = ofEachDatabase((name) => `postgresql://${name}`);
const infrastructure = {
  nats_url: 'nats://n',
  databases: urls,
  owner_databases: urls,
  pids: { launcher: 1 },
  data_dir: '/data',
};

it('names the gateway, the key and every operations server', () => {
  const description = {
    ...infrastructure,
    base_url: 'http://127.0.0.1:3000/api',
    docs_url: 'http://127.0.0.1:3000/docs',
    api_key: 'sk_test_x',
    operations_urls: {
      customer: 'http://127.0.0.1:41001',
      'wallet-ledger': 'http://127.0.0.1:41002',
      'swap-pricing': undefined,
      payout: undefined,
      gateway: undefined,
    },
  };
  expect(announcementOf(description)).toBe(`
Base URL   http://127.0.0.1:3000/api
Docs       http://127.0.0.1:3000/docs
API key    sk_test_x   (header x-api-key)
Operations (/live, /ready, /metrics)
  customer       http://127.0.0.1:41001
  wallet-ledger  http://127.0.0.1:41002

Logs in /data/logs. Ctrl-C stops everything.
`);
});

it('names the console, and a link for each who can sign in', () => {
  const services = {
    base_url: 'http://127.0.0.1:3000/api',
    docs_url: 'd',
    api_key: 'k',
    console_url: 'http://127.0.0.1:3001',
  };
  const sign_in_links = [
    { role: 'admin', link: 'http://127.0.0.1:3001/link#a' },
    { role: 'operations', link: 'http://127.0.0.1:3001/link#o' },
  ];
  expect(announcementOf({ ...infrastructure, ...services, sign_in_links })).toContain(`
API key    k   (header x-api-key)
Console    http://127.0.0.1:3001   (links sign in once, on this machine)
  as admin       http://127.0.0.1:3001/link#a
  as operations  http://127.0.0.1:3001/link#o

`);
  expect(announcementOf({ ...infrastructure, ...services })).toContain('\nConsole    http://127.0.0.1:3001\n');
});

it('without services, names the servers that run', () => {
  expect(announcementOf(infrastructure)).toMatch(/^\nNATS {7}nats:\/\/n\ncustomer {3}postgresql:\/\/customer\n/);
});

it('names each chain, its tokens, the key of the faucet and the hot wallet once', () => {
  const chains = EVM_NETWORKS.map((network, index) => ({
    network,
    chain_id: CHAINS[network].chainId,
    rpc_url: `http://127.0.0.1:4200${index}`,
    tokens: { USDT: { address: `0xT${index}`, decimals: 6 }, USDC: { address: `0xC${index}`, decimals: 18 } },
    faucet_private_key: '0xkey',
    hot_wallet: '0xhot',
  }));
  expect(announcementOf({ ...infrastructure, chains })).toContain(`
Chains
  erc20     chain 1    http://127.0.0.1:42000  USDT 0xT0 (6 decimals)  USDC 0xC0 (18 decimals)
  bep20     chain 56   http://127.0.0.1:42001  USDT 0xT1 (6 decimals)  USDC 0xC1 (18 decimals)
  polygon   chain 137  http://127.0.0.1:42002  USDT 0xT2 (6 decimals)  USDC 0xC2 (18 decimals)
  faucet's private key  0xkey
  hot wallet            0xhot

`);
});
