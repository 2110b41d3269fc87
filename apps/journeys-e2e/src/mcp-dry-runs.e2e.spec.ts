/** Money through the MCP server: the preview is the service's own dry run. */
import { Client, dataOf } from './client';
import { McpClient } from './mcp-client';
import { createMerchant } from './merchants';
import { deposit, openWallet } from './people';
import { testStack } from '@stablecoin/testing/stack';

interface Wallet {
  id: string;
  balance: string;
}
interface Transaction {
  transaction_id: string;
  status: string;
  amount: string;
}

const BANK = { account_number: '0123450000', bank_code: '011', recipient_name: 'Ada Obi' };
const PAYOUT = { currency: 'USD', amount: '10', ...BANK };
const SWAP = { from_currency: 'USD', to_currency: 'NGN', amount: '10' };

let mcp: McpClient;
let wallet: Wallet;

beforeAll(async () => {
  const { api_key } = await createMerchant();
  const merchant = new Client(testStack().base_url, api_key);
  wallet = await openWallet(merchant, { currency: 'USD' });
  await openWallet(merchant, { currency: 'NGN' });
  await deposit(merchant, wallet.id, '100');
  await dataOf(merchant.post('/instant-swaps', SWAP));
  mcp = await McpClient.start(api_key, { flags: ['--allow-writes'] });
});
afterAll(() => mcp.close());

const balance = async () => (await mcp.call<Wallet>('wallets_get', { wallet_id: wallet.id })).body.data.balance;

it.each([
  ['payouts_create_to_bank', PAYOUT],
  ['swaps_execute', SWAP],
])('%s shows what the service would do, and moves nothing until it is confirmed', async (tool, given) => {
  const before = await balance();
  const { body } = await mcp.call(tool, given);
  expect(body).toMatchObject({ executed: false, dry_run: { dry_run: true }, confirmation_token: expect.any(String) });
  expect(await balance()).toBe(before);
  const done = await mcp.call(tool, { ...given, confirmation_token: body.confirmation_token });
  expect(done.body).toMatchObject({ executed: true });
  expect(await balance()).not.toBe(before);
});

it('takes effect once, however often the confirmation is repeated', async () => {
  const before = await balance();
  const { body } = await mcp.call('payouts_create_to_bank', PAYOUT);
  const confirmed = { ...PAYOUT, confirmation_token: body.confirmation_token };
  const [one, other] = [
    await mcp.call<Transaction>('payouts_create_to_bank', confirmed),
    await mcp.call<Transaction>('payouts_create_to_bank', confirmed),
  ];
  expect([other.body.data.transaction_id, other.body.replayed]).toEqual([one.body.data.transaction_id, true]);
  expect(Number(before) - Number(await balance())).toBeLessThan(2 * Number(PAYOUT.amount));
});

it('gives the refusal in place of a token where the service would refuse', async () => {
  const { isError, body } = await mcp.call('payouts_create_to_bank', { ...PAYOUT, amount: '100000' });
  expect([isError, body.error?.code, body.confirmation_token]).toEqual([true, 'insufficient_funds', undefined]);
});

it('takes no dry_run from the model: neither a preview nor a confirmation is its choice', async () => {
  expect((await mcp.call('payouts_create_to_bank', { ...PAYOUT, dry_run: false })).isError).toBe(true);
});
