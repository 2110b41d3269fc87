/**
 * Payouts over the local chains: what a merchant sees of them, and what arrives at addresses that are not ours. The stack is
 * whole: gateway, payout, chain, signer, and a chain for each network.
 */
import type { ChainDescription } from '@stablecoin/local-stack/description';
import { eventually } from '@stablecoin/testing/eventually';
import { createPublicClient, createWalletClient, http, parseAbi, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { audit } from './audit-command';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { newClient } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, openWallet } from './people';
import { Transaction, Wallet } from './resources';

const NETWORKS = ['erc20', 'bep20', 'polygon'] as const;
const TOKEN = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);
/** One block a second; long enough that a payout is looked up before it is final. */
const CONFIRMATIONS = 5;
const FINAL_WITHIN = { timeoutMs: 60_000 };
const EXPLORER = 'https://explorer.example/tx/';

type Network = (typeof NETWORKS)[number];
/** As a look-up shows it. */
interface LookedUp extends Transaction {
  explorer_url: string | null;
  confirmations: number | null;
  confirmations_required: number | null;
}

let own: OwnStack;
let merchant: Client;
let customer_id: string;
const wallets: Partial<Record<string, Wallet>> = {};

beforeAll(async () => {
  const finality = NETWORKS.map((network) => [`CHAIN_FINALITY_${network.toUpperCase()}`, String(CONFIRMATIONS)]);
  const explorers = NETWORKS.map((network) => [`EXPLORER_URL_${network.toUpperCase()}`, `${EXPLORER}{hash}`]);
  own = await startOwnStack({ LOCAL_CHAINS: 'true', ...Object.fromEntries([...finality, ...explorers]) });
  merchant = await newClient([], own.description);
  customer_id = (await createIndividual(merchant)).id;
  for (const currency of ['USDT', 'USDC'] as const)
    wallets[currency] = await openWallet(merchant, { customer_id, currency, network: 'erc20' });
  await Promise.all(Object.values(wallets).map((wallet) => fund(wallet as Wallet)));
}, 180_000);
afterAll(() => own?.stop(), 60_000);

function chainOf(network: Network): ChainDescription {
  const chain = own.description.chains?.find((one) => one.network === network);
  if (!chain) throw new Error(`the stack names no chain of ${network}`);
  return chain;
}

let faucet: Promise<unknown> = Promise.resolve();
/** From the faucet, one after the other: its nonces are counted. @returns the transaction's hash */
function send(network: Network, currency: string, to: string, amount: string): Promise<string> {
  const { rpc_url, tokens, faucet_private_key } = chainOf(network);
  const token = tokens[currency as 'USDT' | 'USDC'];
  const account = privateKeyToAccount(faucet_private_key as `0x${string}`);
  const client = createWalletClient({ account, transport: http(rpc_url) });
  const args = [to as `0x${string}`, parseUnits(amount, token.decimals)] as const;
  const call = { address: token.address as `0x${string}`, abi: TOKEN, functionName: 'transfer', args } as const;
  const sent = faucet.then(() => client.writeContract({ chain: null, ...call }));
  faucet = sent.catch(() => undefined);
  return sent;
}

const addressOf = ({ addresses: [first] }: Wallet): string => first?.address as string;

async function fund(wallet: Wallet): Promise<void> {
  await send('erc20', wallet.currency, addressOf(wallet), '100');
  const arrived = async () => (await balanceOf(merchant, wallet.id)) === '100.00000000';
  await eventually(`100 ${wallet.currency} to be there`, arrived, FINAL_WITHIN);
}

const outsider = () => privateKeyToAccount(generatePrivateKey()).address;

/** What the address has on the chain, in the token's units. */
function heldBy(address: string, network: Network, currency: 'USDT' | 'USDC'): Promise<bigint> {
  const { rpc_url, tokens } = chainOf(network);
  const client = createPublicClient({ transport: http(rpc_url) });
  const call = { address: tokens[currency].address as `0x${string}`, abi: TOKEN, functionName: 'balanceOf' } as const;
  return client.readContract({ ...call, args: [address as `0x${string}`] });
}

const payOut = (said: {
  network: string;
  address: string;
  currency?: string;
  amount?: string;
  recipient_name?: string;
}) => dataOf(merchant.post<Transaction>('/payouts/wallets', { customer_id, currency: 'USDT', amount: '1', ...said }));
const lookUp = (id: string) => dataOf(merchant.get<LookedUp>(`/customers/transactions/by_txid/${id}`));
const becomes = ({ transaction_id }: Transaction, status: string) =>
  eventually(
    `the payout is ${status}`,
    async () => {
      const found = await lookUp(transaction_id);
      return found.status === status ? found : undefined;
    },
    FINAL_WITHIN,
  );
const showsItsTransaction = ({ transaction_id }: Transaction) =>
  eventually(
    'its transaction is shown',
    async () => {
      const found = await lookUp(transaction_id);
      return found.crypto_transaction_id === null ? undefined : found;
    },
    FINAL_WITHIN,
  );

describe('a payout over a chain', () => {
  it.each([
    ['erc20', 'USDT', '1.234567'],
    ['bep20', 'USDC', '2.5'],
    ['polygon', 'USDC', '3'],
  ] as const)(
    'on %s in %s arrives there; its transaction is shown before it is final',
    async (network, currency, amount) => {
      const address = outsider();
      const held = await payOut({ network, address, currency, amount });
      expect([held.status, held.crypto_transaction_id]).toEqual(['PENDING', null]);
      const signed = await showsItsTransaction(held);
      const hash = signed.crypto_transaction_id as string;
      expect([signed.status, signed.explorer_url]).toEqual(['PENDING', `${EXPLORER}${hash}`]);
      const ended = await becomes(held, 'COMPLETED');
      expect([ended.crypto_transaction_id, ended.explorer_url]).toEqual([hash, `${EXPLORER}${hash}`]);
      expect(await heldBy(address, network, currency)).toBe(
        parseUnits(amount, chainOf(network).tokens[currency].decimals),
      );
      const client = createPublicClient({ transport: http(chainOf(network).rpc_url) });
      expect((await client.getTransactionReceipt({ hash: hash as `0x${string}` })).status).toBe('success');
    },
    120_000,
  );

  it('can’t be ended by hand once the chain has it', async () => {
    const held = await payOut({ network: 'polygon', address: outsider() });
    await showsItsTransaction(held);
    for (const outcome of ['complete', 'fail', 'return'])
      await refusalOf(merchant.post(`/sandbox/payouts/${held.transaction_id}/${outcome}`), 409, 'invalid_transition');
    await becomes(held, 'COMPLETED');
  }, 120_000);

  it('is beside the sandbox’s, which fails where its recipient says so', async () => {
    const address = outsider();
    const failed = await becomes(await payOut({ network: 'bep20', address, recipient_name: 'sandbox:fail' }), 'FAILED');
    // What the sandbox calls it is on no chain.
    expect([failed.crypto_transaction_id?.length, failed.explorer_url]).toEqual([66, null]);
    const tron = await payOut({ network: 'trc20', address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL' });
    expect((await becomes(tron, 'COMPLETED')).explorer_url).toBeNull();
    expect(await heldBy(address, 'bep20', 'USDT')).toBe(0n);
  }, 120_000);

  it('is refused at once to an address of ours, to a token and to zero, whatever the network', async () => {
    const [ours, token] = [addressOf(wallets['USDT'] as Wallet), chainOf('bep20').tokens.USDT.address];
    for (const address of [ours, ours.toLowerCase(), token, `0x${'0'.repeat(40)}`]) {
      const body = { customer_id, currency: 'USDT', amount: '1', network: 'polygon', address };
      for (const dry_run of [false, true])
        expect(await fieldErrorsOf(merchant.post('/payouts/wallets', { ...body, dry_run }))).toEqual({
          address: 'unpayable_address',
        });
      const method = { type: 'WALLET', currency: 'USDT', network: 'polygon', wallet_address: address };
      expect(await fieldErrorsOf(merchant.post('/payout/methods/wallets', method))).toEqual({
        wallet_address: 'unpayable_address',
      });
    }
  });
});

describe('a deposit over a chain', () => {
  it('shows its confirmations while it is PENDING, and none when it can be spent', async () => {
    const usdt = wallets['USDT'] as Wallet;
    const hash = await send('erc20', 'USDT', addressOf(usdt), '4');
    const seen = await eventually('the deposit is seen', async () => {
      const { data } = await merchant.sdk.transactions.list({ transaction_type: 'DEPOSIT', status: 'PENDING' });
      return data.find(({ crypto_transaction_id }) => crypto_transaction_id === hash);
    });
    const { confirmations, ...shown } = await lookUp(seen.transaction_id);
    expect(shown).toMatchObject({ status: 'PENDING', confirmations_required: CONFIRMATIONS });
    expect(confirmations).toBeGreaterThanOrEqual(1);
    const credited = await becomes(seen, 'COMPLETED');
    expect([credited.confirmations, credited.confirmations_required]).toEqual([null, null]);
    expect(credited.explorer_url).toBe(`${EXPLORER}${hash}`);
  }, 120_000);

  it('leaves, with the payouts, a log that the auditor finds intact', async () => {
    expect((await audit(own.description, 'verify')).stdout).toContain('Intact');
  }, 120_000);
});
