import { EvmNetwork } from '@stablecoin/chains/chains';
import { codeOf, startChain, TestChain } from '@stablecoin/testing/chain';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { ChainNodes } from './chain-nodes';
import { ChainConfiguration } from '../chain.configuration';
import { ChainDatabase } from '../persistence/chain-database';
import { chainDatabaseAt } from '../testing/database';
import { requireRightChains } from './right-chains';
import { TokenCodes } from './token-codes';

const AWAY = 'http://127.0.0.1:9/secret-key';

let database: TestDatabase;
let codes: TokenCodes;
let polygon: TestChain;
let ethereum: TestChain;

beforeAll(async () => {
  database = await createTestDatabase('chain');
  codes = new TokenCodes(chainDatabase());
  [polygon, ethereum] = await Promise.all([startChain({ network: 'polygon' }), startChain()]);
});
afterAll(async () => {
  await Promise.all([polygon.stop(), ethereum.stop(), ...opened.map((one) => one.$disconnect())]);
  await database.drop();
});

const opened: ChainDatabase[] = [];
function chainDatabase(): ChainDatabase {
  const connected = chainDatabaseAt(database.url, 1);
  opened.push(connected);
  return connected;
}

const nodesOf = (nodes: Partial<Record<EvmNetwork, string[]>>) =>
  new ChainNodes(configured(nodes) as ChainConfiguration, codes);

const configured = (nodes: Partial<Record<EvmNetwork, string[]>>) => ({ nodes: () => nodes });
const required = (nodes: Partial<Record<EvmNetwork, string[]>>) =>
  requireRightChains(configured(nodes), (network) => codes.of(network));
const hostOf = ({ rpcUrl }: TestChain) => new URL(rpcUrl).host;

it('takes nodes of the chains that have their tokens', () =>
  expect(required({ polygon: [polygon.rpcUrl, polygon.rpcUrl], erc20: [ethereum.rpcUrl] })).resolves.toBeUndefined());

it('refuses a node of another chain, and names the setting and both', () =>
  expect(required({ erc20: [ethereum.rpcUrl, polygon.rpcUrl] })).rejects.toThrow(
    `CHAIN_RPC_ERC20: ${hostOf(polygon)}: it is a node of chain 137, and erc20 is Ethereum, chain 1`,
  ));

it('refuses a token with other decimals than the list has, or without code', async () => {
  const { address } = ethereum.token('USDC');
  await ethereum.deploy('BatchSender', address);
  await expect(required({ erc20: [ethereum.rpcUrl] })).rejects.toThrow(
    `CHAIN_RPC_ERC20: ${hostOf(ethereum)}: USDC at ${address} has no decimals, and the list of tokens says 6`,
  );
  await ethereum.call('anvil_setCode', address, '0x');
  await expect(required({ erc20: [ethereum.rpcUrl] })).rejects.toThrow(/USDC at 0xA0b8\w+ has no code there/);
});

it('refuses nodes with different code of a token, and names both', async () => {
  const other = await startChain({ network: 'polygon' });
  const both = { polygon: [polygon.rpcUrl, other.rpcUrl] };
  await expect(required(both)).resolves.toBeUndefined();
  await other.call('anvil_setCode', other.token('USDT').address, `${codeOf('PlainToken')}00`);
  await expect(required(both)).rejects.toThrow(
    new RegExp(
      `^CHAIN_RPC_POLYGON: Nodes disagree about the token USDT at 0xc213\\w+: ${hostOf(polygon)} says 6 decimals, ` +
        `code 0x\\w+; ${hostOf(other)} says 6 decimals, code 0x\\w+$`,
    ),
  );
  await other.stop();
});

it('says nothing against a node that is away', () =>
  expect(required({ erc20: [AWAY], polygon: [polygon.rpcUrl] })).resolves.toBeUndefined());

it('uses no node before it was found to be right', async () => {
  const nodes = nodesOf({ erc20: [polygon.rpcUrl], bep20: [AWAY] });
  await expect(nodes.heads('erc20')).rejects.toMatchObject({ kind: 'wrong-chain', node: hostOf(polygon) });
  await expect(nodes.heads('bep20')).rejects.toMatchObject({ kind: 'unreachable', node: '127.0.0.1:9' });
  await expect(nodes.heads('bep20')).rejects.not.toThrow(/secret-key/);
});

it('uses no node at which a token has other code than it had when it was first seen, also after a restart', async () => {
  const bnb = await startChain({ network: 'bep20' });
  await nodesOf({ bep20: [bnb.rpcUrl] }).heads('bep20');
  const { address } = bnb.token('USDT');
  await bnb.call('anvil_setCode', address, `${codeOf('PlainToken')}00`);
  const objection = new RegExp(`USDT at ${address} has the code 0x\\w+, and had 0x\\w+ before: it is another contract`);
  await expect(nodesOf({ bep20: [bnb.rpcUrl] }).heads('bep20')).rejects.toThrow(objection);
  await expect(required({ bep20: [bnb.rpcUrl] })).rejects.toThrow(objection);
  await bnb.stop();
});
