/** Deposits of test money: sent once, seen by the watcher, and answered as the ledger recorded them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { GENESIS_BLOCKS } from '@stablecoin/chains/genesis-blocks';
import { SimulateChainDeposit, simulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { startChain as startTestChain, TestChain } from '@stablecoin/testing/chain';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Client } from 'pg';
import { toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ChainConfiguration } from '../chain.configuration';
import { OpenedWallet } from '../testing/ledger-stand-in';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';
import { Faucet } from './faucet';
import { FaucetStore } from './faucet-store';

const SEND = 'eth_sendRawTransaction';
const THOUSAND = 1_000_000_000n;
const KEY = generatePrivateKey();
const account = privateKeyToAccount(KEY);

let nats: OwnNats;
let chain: TestChain;
let node: NodeFaultProxy;
let surroundings: ChainSurroundings;
let service: RunningChain;
let owner: Client;

beforeAll(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startTestChain({ blocks: 'steady', blockTimeMs: 100 })]);
  node = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
  await chain.call('anvil_setBalance', account.address, toHex(10n ** 18n));
  await chain.sendTokens('USDT', account.address, THOUSAND);
  surroundings = await chainSurroundings(nats.url);
  owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
  const settings = { CHAIN_RPC_ERC20: node.url, CHAIN_FINALITY_ERC20: '2', CHAIN_FAUCET_KEY: KEY };
  service = await startChain(surroundings, settings, nats.url);
});

beforeEach(() => node.heal());

afterAll(async () => {
  await service.stop();
  await owner.end();
  await surroundings.close();
  await node.close();
  await Promise.all([nats.stop(), chain.stop()]);
});

async function wallet(): Promise<OpenedWallet & { address: Hex }> {
  const address: Hex = `0x${randomBytes(20).toString('hex')}`;
  const opened = surroundings.ledger.open('USDT', address, 'erc20');
  await surroundings.ledger.publish(opened.fact);
  return { ...opened, address };
}

const command = ({ id, merchantId }: OpenedWallet, amount: string): Plain<SimulateChainDeposit> => ({
  ...{ merchant_id: merchantId, command_id: randomUUID(), input_hash: randomBytes(32).toString('hex') },
  ...{ wallet_id: id, network: 'erc20', amount },
});
const send = (request: Plain<SimulateChainDeposit>) => service.bus.call(simulateChainDeposit, request);

/** What has arrived at an address, by the chain itself. */
async function unitsAt(address: Hex): Promise<bigint> {
  const to = chain.token('USDT').address;
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
  return BigInt(await chain.call<string>('eth_call', { to, data }, 'latest'));
}

const storedHash = async ({ command_id }: Plain<SimulateChainDeposit>) => {
  const { rows } = await owner.query<{ hash: string }>(
    `SELECT '0x' || encode(transaction_hash, 'hex') AS hash FROM faucet_transfers WHERE command_id = $1`,
    [command_id],
  );
  return rows[0]?.hash;
};

it('sends once per command, and answers with the deposit as it was recorded, also after it was credited', async () => {
  const opened = await wallet();
  const request = command(opened, '12.5');
  const first = await send(request);
  expect(first).toMatchObject({
    result: { status: 'PENDING', amount: '12.50000000', network: 'erc20', receiver_wallet_id: opened.id },
    replayed: false,
  });
  expect(first.result.crypto_transaction_id).toBe(await storedHash(request));
  const again = await send(request);
  expect(again.replayed).toBe(true);
  expect(again.result.id).toBe(first.result.id);
  expect(await unitsAt(opened.address)).toBe(12_500_000n);
});

it('sends what is asked for at once one after the other', async () => {
  const wallets = await Promise.all([1, 2, 3, 4].map(wallet));
  const replies = await Promise.all(wallets.map((opened, index) => send(command(opened, `${index + 1}`))));
  expect(replies.map(({ result }) => result.amount)).toEqual(['1.00000000', '2.00000000', '3.00000000', '4.00000000']);
  expect(new Set(replies.map(({ result }) => result.crypto_transaction_id)).size).toBe(4);
});

it('refuses the same command with other input, or of another merchant', async () => {
  const request = command(await wallet(), '1');
  await send(request);
  const others = [{ input_hash: randomBytes(32).toString('hex') }, { merchant_id: randomUUID() }];
  for (const other of others)
    await expect(send({ ...request, ...other })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

it("refuses with the gateway's objection what was not sent before, and nothing else", async () => {
  const request = command(await wallet(), '1');
  await expect(send({ ...request, objection: 'rate_limited' })).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await storedHash(request)).toBeUndefined();
  await send(request);
  await expect(send({ ...request, objection: 'rate_limited' })).resolves.toMatchObject({ replayed: true });
});

it('sends the same bytes again where the node may not have had them', async () => {
  const opened = await wallet();
  const request = command(opened, '5');
  node.inject({ fault: { kind: 'cut-after' }, methods: [SEND] });
  await expect(send(request)).rejects.toMatchObject({ code: 'unavailable' });
  const stored = await storedHash(request);
  node.heal();
  expect((await send(request)).result.crypto_transaction_id).toBe(stored);
  expect(await unitsAt(opened.address)).toBe(5_000_000n);
});

it("signs again where the nonce went to another transaction of the key, as a developer's own tool sends it", async () => {
  const opened = await wallet();
  const request = command(opened, '6');
  node.inject({ fault: { kind: 'cut-before' }, methods: [SEND] });
  await expect(send(request)).rejects.toMatchObject({ code: 'unavailable' });
  const stored = await storedHash(request);
  const own = await chain.callToken('USDT', 'transfer', [opened.address, 1n], account);
  await chain.mine();
  expect((await chain.receiptOf(own))?.status).toBe('0x1');
  node.heal();
  const { result } = await send(request);
  expect(result.crypto_transaction_id).not.toBe(stored);
  expect(result.crypto_transaction_id).toBe(await storedHash(request));
  expect(await unitsAt(opened.address)).toBe(6_000_001n);
});

it.each([
  ['more than it has', '1000.000001', { field: 'amount', code: 'faucet_empty' }],
  ['finer than the ledger keeps', '1.0000001', { field: 'amount', code: 'too_many_decimals' }],
])('refuses %s, and stores nothing', async (_, amount, field) => {
  const request = command(await wallet(), amount);
  await expect(send(request)).rejects.toMatchObject({ code: 'validation_failed', fields: [field] });
  expect(await storedHash(request)).toBeUndefined();
});

it('says that the customer is closed, where the ledger credits nothing any more', async () => {
  const opened = await wallet();
  surroundings.ledger.closed.add(opened.id);
  await expect(send(command(opened, '1'))).rejects.toMatchObject({ code: 'customer_closed' });
});

describe('a faucet', () => {
  const store = {} as FaucetStore;
  const place = { address: account.address, currency: 'USDT' };
  const asked = { network: 'erc20', amount: '1' } as SimulateChainDeposit;
  const faucet = (faucetKey: Hex | null, url: string) =>
    new Faucet({ faucetKey, nodes: () => ({ erc20: [url] }) } as unknown as ChainConfiguration, store);

  it('is not there without a key', () =>
    expect(faucet(null, node.url).send(asked, place)).rejects.toMatchObject({
      fields: [{ field: 'network', code: 'no_faucet' }],
    }));

  it('gives nothing away where its node turns out to be of the real chain', () => {
    const about = (block: unknown) => ({ ...(block as object), hash: GENESIS_BLOCKS.erc20 });
    node.inject({ fault: { kind: 'lies', about }, where: ([block]) => block === '0x0' });
    return expect(faucet(KEY, node.url).send(asked, place)).rejects.toThrow(/is a node of the real Ethereum/);
  });
});
