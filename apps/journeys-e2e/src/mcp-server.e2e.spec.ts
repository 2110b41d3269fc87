/** The MCP server through the client of its own SDK, over stdio, against the whole stack. */
import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '@stablecoin/sdk-typescript/operations';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { Client } from './client';
import { McpClient } from './mcp-client';
import { createMerchant } from './merchants';
import { deposit, openWallet } from './people';
import { testStack } from '@stablecoin/testing/stack';

interface Wallet {
  id: string;
  currency: string;
  balance: string;
}

const LEFT_OUT = ['documents_upload', 'payouts_approve', 'webhooks_create', 'webhooks_rotate_secret'];
const PERSON = {
  ...{ first_name: 'Ada', last_name: 'Obi', birth_date: '1990-05-17', source_of_funds: 'SALARY' },
  ...{ employment_status: 'EMPLOYED', most_recent_occupation: '151251', expected_monthly_income: '2500' },
  account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
  registered_address: { street1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'NG' },
};
const newPerson = () => ({
  ...PERSON,
  email: `ada.${randomUUID()}@example.com`,
  phone: `+234${String(Date.now()).slice(-10)}`,
});

let apiKey: string;
let merchant: Client;
const started: McpClient[] = [];

async function start(...options: Parameters<typeof McpClient.start> extends [string, ...infer Rest] ? Rest : never) {
  const client = await McpClient.start(apiKey, ...options);
  started.push(client);
  return client;
}

beforeAll(async () => {
  apiKey = (await createMerchant()).api_key;
  merchant = new Client(testStack().base_url, apiKey);
  const wallet = await openWallet(merchant, { currency: 'USD' });
  await openWallet(merchant, { currency: 'NGN' });
  await deposit(merchant, wallet.id, '100');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((client) => client.close()));
});

describe('without a flag', () => {
  it('offers every read and no write, says so, and does not know a write', async () => {
    const mcp = await start();
    const { tools } = await mcp.client.listTools();
    expect(tools).toHaveLength(OPERATIONS.filter(({ httpMethod }) => httpMethod === 'GET').length);
    for (const { annotations } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    }
    const { text, isError } = await mcp.call('payouts_create_to_bank', { amount: '1' });
    expect([isError, text]).toEqual([true, expect.stringContaining('not found')]);
  });

  it('reads: one thing, a list in pages with amounts as texts, no more rows than a tool gives', async () => {
    const mcp = await start();
    const { body } = await mcp.call<Wallet[]>('wallets_list', { limit: 1 });
    expect([body.data.length, body.pagination]).toEqual([1, expect.objectContaining({ total: 2 })]);
    const { body: one } = await mcp.call<Wallet>('wallets_get', { wallet_id: body.data[0]!.id });
    expect(one.data.balance).toMatch(/^\d+\.\d{8}$/);
    expect((await mcp.call('wallets_list', { limit: 51 })).isError).toBe(true);
    expect((await mcp.call('wallets_list', { colour: 'red' })).isError).toBe(true);
  });

  it('answers a refusal as an error of the tool, with code and request id, and never with the key', async () => {
    const mcp = await start();
    const missing = await mcp.call('wallets_get', { wallet_id: randomUUID() });
    expect(missing.isError).toBe(true);
    expect(missing.body.error).toMatchObject({ code: 'not_found', request_id: expect.any(String) });
    const unknown = await McpClient.start(`sk_test_${'0'.repeat(64)}`);
    started.push(unknown);
    const refused = await unknown.call('wallets_list');
    expect(refused.body.error?.code).toBe('invalid_api_key');
    expect(refused.text + unknown.stderr + missing.text).not.toMatch(/sk_test_/);
  });
});

describe('with --allow-writes', () => {
  it('offers the writes as well, but those whose answer is a secret, the one that reads files and approvals', async () => {
    const mcp = await start({ flags: ['--allow-writes'] });
    const { tools } = await mcp.client.listTools();
    expect(tools).toHaveLength(OPERATIONS.length - LEFT_OUT.length);
    expect(tools.map(({ name }) => name)).not.toEqual(expect.arrayContaining(LEFT_OUT));
    const annotationsOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(annotationsOf('payouts_create_to_bank')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(annotationsOf('quotes_create')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    const payout = tools.find(({ name }) => name === 'payouts_create_to_bank');
    expect(payout?.inputSchema.properties).toMatchObject({ amount: { type: 'string' } });
    expect(payout?.inputSchema.properties).not.toHaveProperty('dry_run');
    expect(payout?.inputSchema.required).not.toContain('confirmation_token');
  });

  it('does nothing at the first call, and does it once at the second, however often that is repeated', async () => {
    const mcp = await start({ flags: ['--allow-writes'] });
    const person = newPerson();
    const { body } = await mcp.call('customers_create_individual', person);
    expect(body).toMatchObject({
      ...{ executed: false, confirmation_token: expect.any(String) },
      would_send: { method: 'POST', path: '/individual-customers', arguments: { email: person.email } },
    });
    const registered = async () =>
      (await mcp.call<unknown[]>('customers_list', { search: person.email })).body.data.length;
    expect(await registered()).toBe(0);
    const confirmed = { ...person, confirmation_token: body.confirmation_token };
    const [one, other] = [
      await mcp.call<{ id: string }>('customers_create_individual', confirmed),
      await mcp.call<{ id: string }>('customers_create_individual', confirmed),
    ];
    expect([one.body.executed, other.body.executed, other.body.replayed]).toEqual([true, true, true]);
    expect(other.body.data.id).toBe(one.body.data.id);
    expect(await registered()).toBe(1);
  });

  it('is not talked into it: a made-up token, one of other arguments, of another tool, of another process', async () => {
    const [mcp, another] = [await start({ flags: ['--allow-writes'] }), await start({ flags: ['--allow-writes'] })];
    const [mine, changed] = [
      { description: 'Mine', currency: 'EUR' },
      { description: 'Mine', currency: 'GBP' },
    ];
    const tokenOf = async (from: McpClient, tool: string, given: object) =>
      (await from.call(tool, { ...given })).body.confirmation_token;
    const token = await tokenOf(mcp, 'wallets_open', mine);
    const elsewhere = await tokenOf(another, 'wallets_open', mine);
    const ofAnotherTool = await tokenOf(mcp, 'sandbox_deposit', { currency: 'USD', amount: '1' });
    for (const [given, confirmation_token] of [
      [mine, 'yes'],
      [mine, 'confirm'],
      [changed, token],
      [{ ...mine, network: 'trc20' }, token],
      [mine, elsewhere],
      [mine, ofAnotherTool],
    ] as const) {
      const { isError, body } = await mcp.call('wallets_open', { ...given, confirmation_token });
      expect([isError, body.error?.code]).toEqual([true, 'confirmation_invalid']);
    }
    expect((await mcp.call('wallets_open', { ...mine, confirm: true })).isError).toBe(true);
    const { body } = await mcp.call<Wallet[]>('wallets_list');
    expect(body.data.map(({ currency }) => currency).sort()).toEqual(['NGN', 'USD']);
  });

  it('ends a confirmation that the service refused', async () => {
    const mcp = await start({ flags: ['--allow-writes'] });
    const given = { customer_id: randomUUID() };
    const { body } = await mcp.call('customers_close', given);
    const confirmed = { ...given, confirmation_token: body.confirmation_token };
    expect((await mcp.call('customers_close', confirmed)).body.error?.code).toBe('not_found');
    expect((await mcp.call('customers_close', confirmed)).body.error?.code).toBe('confirmation_spent');
  });

  it('asks the person where the client can, and does it only for a yes', async () => {
    const answers: ElicitResult[] = [
      { action: 'decline' },
      { action: 'accept', content: { execute: false } },
      { action: 'accept', content: { execute: true } },
    ];
    const mcp = await start({ flags: ['--allow-writes'], answersPerson: () => answers.shift()! });
    const given = { currency: 'CAD' };
    expect((await mcp.write('wallets_open', given)).body.error?.code).toBe('declined');
    expect((await mcp.write('wallets_open', given)).body.error?.code).toBe('declined');
    expect((await mcp.write<Wallet>('wallets_open', given)).body.data.currency).toBe('CAD');
    expect(answers).toEqual([]);
  });
});
