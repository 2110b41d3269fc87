import { loadConfiguration } from '@stablecoin/service-host/setting';
import { ChainConfiguration } from './chain.configuration';

const NEEDED = {
  NATS_URL: 'nats://127.0.0.1:4222',
  BUS_KEY: Buffer.alloc(32, 7).toString('base64'),
  COMMAND_KEY: Buffer.alloc(32, 3).toString('base64'),
  CHAIN_DATABASE_URL: 'postgresql://chain@127.0.0.1/chain',
};
const withNodes = (nodes: string) => loadConfiguration(ChainConfiguration, { ...NEEDED, CHAIN_RPC_ERC20: nodes });

it('takes two nodes of a network', () => {
  expect(withNodes('https://a.example/key, https://b.example/key').nodes()).toEqual({
    erc20: ['https://a.example/key', 'https://b.example/key'],
  });
});

it.each(['https://a.example/key,https://a.example/key', 'https://a.example, https://A.example/'])(
  'refuses the same node twice, which would agree with itself: %s',
  (nodes) => {
    expect(() => withNodes(nodes)).toThrow(/CHAIN_RPC_ERC20.*two different nodes/s);
  },
);
