/**
 * Deposits of real tokens, sent on the local chains by a script that knows only what `npm start -- --json` printed.
 * The stack is whole: chains, watcher, ledger, gateway.
 */
import type { ChainDescription } from '@stablecoin/local-stack/description';
import { BLOCKS_UNTIL_FINAL } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestClient, createWalletClient, http, parseAbi, parseUnits, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { audit } from './audit-command';
import { Client } from './client';
import { sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, openWallet } from './people';
import { Transaction, Wallet } from './resources';

const NETWORKS = ['erc20', 'bep20', 'polygon'] as const;
const CURRENCIES = ['USDT', 'USDC'] as const;
const TRANSFER = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
/** As where coins are worth something; a developer's own stack waits for two confirmations. */
const FINALIZED = Object.fromEntries(
  NETWORKS.map((network) => [`CHAIN_FINALITY_${network.toUpperCase()}`, 'finalized']),
);
/** A local chain with a transaction has a block in a second. */
const FINAL_WITHIN = { timeoutMs: 40_000 };

type Network = (typeof NETWORKS)[number];
type TokenCurrency = (typeof CURRENCIES)[number];

let own: OwnStack;
let merchant: Client;

beforeAll(async () => {
  own = await startOwnStack({ LOCAL_CHAINS: 'true', ...FINALIZED });
  merchant = sandboxMerchant(own.description);
}, 120_000);
afterAll(() => own?.stop(), 60_000);

function chainOf(network: Network): ChainDescription {
  const chain = own.description.chains?.find((one) => one.network === network);
  if (!chain) throw new Error(`the stack names no chain of ${network}`);
  return chain;
}

async function walletOf(currency: TokenCurrency, network: Network): Promise<Wallet> {
  const { id: customer_id } = await createIndividual(merchant);
  return openWallet(merchant, { customer_id, currency, network });
}

function sendNow({ addresses: [to], currency }: Wallet, amount: string): Promise<string> {
  if (!to) throw new Error('the wallet has no address');
  const { rpc_url, tokens, faucet_private_key } = chainOf(to.network as Network);
  const token = tokens[currency as TokenCurrency];
  const account = privateKeyToAccount(faucet_private_key as `0x${string}`);
  const client = createWalletClient({ account, transport: http(rpc_url) });
  const args = [to.address as `0x${string}`, parseUnits(amount, token.decimals)] as const;
  const call = { address: token.address as `0x${string}`, abi: TRANSFER, functionName: 'transfer', args } as const;
  return client.writeContract({ chain: null, ...call });
}

let turn: Promise<unknown> = Promise.resolve();
/** One after the other: the faucet's nonces are counted. @returns the transaction's hash */
function send(wallet: Wallet, amount: string): Promise<string> {
  const sent = turn.then(() => sendNow(wallet, amount));
  turn = sent.catch(() => undefined);
  return sent;
}

/** Replaces the blocks from the transaction's own on; the transaction is in none of the new ones. */
async function dropFromChain(network: Network, hash: string): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(chainOf(network).rpc_url) }).extend(publicActions);
  const { blockNumber } = await client.getTransactionReceipt({ hash: hash as `0x${string}` });
  const height = await client.getBlockNumber({ cacheTime: 0 });
  await client.request({ method: 'anvil_reorg', params: [Number(height - blockNumber) + 1, []] } as never);
  // An idle local chain makes no blocks, so that nothing would become final on the new branch.
  await client.mine({ blocks: BLOCKS_UNTIL_FINAL + 1 });
}

function depositOf(hash: string, status: string): Promise<Transaction> {
  return eventually(
    `the deposit of ${hash} is ${status}`,
    async () => {
      const { data } = await merchant.sdk.transactions.list({ transaction_type: 'DEPOSIT', limit: 100 });
      return data.find((found) => found.crypto_transaction_id === hash && found.status === status);
    },
    FINAL_WITHIN,
  );
}

async function eventsOf(id: string): Promise<string[]> {
  const events: { type: string; sequence: number }[] = [];
  for await (const { type, sequence, data } of merchant.sdk.events.list())
    if ('id' in data && data.id === id) events.push({ type, sequence });
  return events.sort((one, other) => one.sequence - other.sequence).map(({ type }) => type);
}

const toldOf = (id: string, types: readonly string[]) =>
  eventually(`events ${types.join()} of ${id}`, async () => (await eventsOf(id)).join() === types.join());

describe('a deposit over a chain', () => {
  const tokens = NETWORKS.flatMap((network) => CURRENCIES.map((currency) => [currency, network] as const));

  it.concurrent.each(tokens)(
    'of %s on %s is seen at once, and credited when it is final',
    async (currency, network) => {
      const wallet = await walletOf(currency, network);
      // BNB Smart Chain's tokens have 18 decimals: what is below the eighth is not lost, it stays on the address.
      const hash = await send(wallet, '12.345678');
      const seen = await depositOf(hash, 'PENDING');
      expect(seen).toMatchObject({ receiver_wallet_id: wallet.id, amount: '12.34567800', network });
      expect(await balanceOf(merchant, wallet.id)).toBe('0.00000000');
      const { id } = await depositOf(hash, 'COMPLETED');
      expect(id).toBe(seen.id);
      expect(await balanceOf(merchant, wallet.id)).toBe('12.34567800');
      await toldOf(id, ['deposit.pending', 'deposit.completed']);
    },
    120_000,
  );

  it('fails where its block is replaced by one without it', async () => {
    const wallet = await walletOf('USDT', 'polygon');
    const hash = await send(wallet, '5');
    const { id } = await depositOf(hash, 'PENDING');
    await dropFromChain('polygon', hash);
    await depositOf(hash, 'FAILED');
    expect(await balanceOf(merchant, wallet.id)).toBe('0.00000000');
    await toldOf(id, ['deposit.pending', 'deposit.failed']);
  }, 120_000);

  it('is reversed where blocks are replaced that were called final', async () => {
    const wallet = await walletOf('USDC', 'bep20');
    const hash = await send(wallet, '7');
    const { id } = await depositOf(hash, 'COMPLETED');
    await dropFromChain('bep20', hash);
    await depositOf(hash, 'REVERSED');
    expect(await balanceOf(merchant, wallet.id)).toBe('0.00000000');
    await toldOf(id, ['deposit.pending', 'deposit.completed', 'deposit.reversed']);
  }, 120_000);

  it('is credited once, whatever is killed between its sight and its credit', async () => {
    const wallet = await walletOf('USDT', 'erc20');
    const hash = await send(wallet, '3');
    const { id } = await depositOf(hash, 'PENDING');
    const { pids } = own.description;
    for (const pid of [pids.chain, pids['wallet-ledger']]) process.kill(pid, 'SIGKILL');
    await depositOf(hash, 'COMPLETED');
    expect(await balanceOf(merchant, wallet.id)).toBe('3.00000000');
    await toldOf(id, ['deposit.pending', 'deposit.completed']);
  }, 120_000);

  it('leaves a log that the auditor finds intact', async () => {
    expect((await audit(own.description, 'verify')).stdout).toContain('Intact');
  }, 120_000);
});

describe('the sandbox beside the chains', () => {
  it('has test tokens sent, once per Idempotency-Key, and shows the deposit as it was seen', async () => {
    const wallet = await walletOf('USDT', 'bep20');
    const body = { wallet_id: wallet.id, amount: '4.000001' };
    const deposit = () => merchant.sdk.sandbox.deposit(body, { idempotencyKey: wallet.id });
    const seen = await deposit();
    expect(seen).toMatchObject({ status: 'PENDING', amount: '4.00000100', network: 'bep20', balance: '0.00000000' });
    expect(seen.crypto_transaction_id).toMatch(/^0x[0-9a-f]{64}$/);
    const { id } = await depositOf(seen.crypto_transaction_id ?? '', 'COMPLETED');
    expect(id).toBe(seen.id);
    expect(await deposit()).toEqual(seen);
    expect(await balanceOf(merchant, wallet.id)).toBe('4.00000100');
  }, 120_000);

  it("leaves what becomes of a chain's deposit to the chain", async () => {
    const { id } = await merchant.sdk.sandbox.deposit({
      wallet_id: (await walletOf('USDC', 'polygon')).id,
      amount: '2',
    });
    const { completeDeposit, failDeposit, reverseDeposit } = merchant.sdk.sandbox;
    for (const told of [completeDeposit, failDeposit, reverseDeposit])
      await expect(told.call(merchant.sdk.sandbox, id)).rejects.toMatchObject({ code: 'invalid_transition' });
  }, 120_000);

  it('plays what it is to hold, and the networks that are no such chain', async () => {
    const wallet = await walletOf('USDT', 'erc20');
    const held = await merchant.sdk.sandbox.deposit({ wallet_id: wallet.id, amount: '4', reference: 'sandbox:hold' });
    await merchant.sdk.sandbox.completeDeposit(held.id);
    expect(await balanceOf(merchant, wallet.id)).toBe('4.00000000');
    const { id: customer_id } = await createIndividual(merchant);
    const tron = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
    await merchant.sdk.sandbox.deposit({ wallet_id: tron.id, amount: '5' });
    expect(await balanceOf(merchant, tron.id)).toBe('5.00000000');
  });
});
