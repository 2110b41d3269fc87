import { randomBytes, randomUUID } from 'node:crypto';
import { addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { eventually } from '@stablecoin/testing/eventually';
import { startGateway } from '../../testing/gateway-process';
import {
  busKey,
  CLOSED,
  UNAPPROVED,
  WALLET,
  call,
  nats,
  ownerOf,
  owners,
  inputHashKey,
  problems,
  quoted,
  standIns,
  useGateway,
  wallet,
} from '../../testing/gateway-fixture';

useGateway();

describe('idempotency', () => {
  const open = (key: string, body: unknown = { currency: 'NGN' }) =>
    call('POST', '/api/wallets', body, { 'idempotency-key': key });
  const lastIds = () => standIns.requestsTo(openWallet).at(-1) as { command_id: string; input_hash: string };

  it('derives the command from the key, and the hash from what the body means', async () => {
    const sent = [];
    for (const body of [
      '{"currency":"NGN","description":"a"}',
      ' { "description" : "a", "currency":"NGN" }',
      '{"currency":"USD"}',
    ]) {
      await open('same', body);
      sent.push(lastIds());
    }
    const [first, same, other] = sent;
    expect(same).toEqual(expect.objectContaining({ command_id: first?.command_id, input_hash: first?.input_hash }));
    expect(other?.command_id).toBe(first?.command_id);
    expect(other?.input_hash).not.toBe(first?.input_hash);
    await open('other');
    expect(lastIds().command_id).not.toBe(first?.command_id);
    await call('POST', '/api/wallets', { currency: 'NGN' });
    expect(lastIds().command_id).not.toBe(first?.command_id);
  });

  it('hashes with INPUT_HASH_KEY', async () => {
    const limits = { rateLimitPerSecond: 50, rateLimitBurst: 50 };
    const hashWith = async (key: Buffer) => {
      const gateway = await startGateway(nats.url, { busKey, ...limits, inputHashKey: key });
      const headers = { 'x-api-key': 'good', 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: '{"currency":"NGN"}' };
      expect((await fetch(`${gateway.origin}/api/wallets`, request)).status).toBe(200);
      await gateway.stop();
      return lastIds().input_hash;
    };
    const before = await hashWith(inputHashKey);
    expect(await hashWith(inputHashKey)).toBe(before);
    expect(await hashWith(randomBytes(32))).not.toBe(before);
  });

  it('marks a stored result', async () => {
    expect((await open('a')).headers.get('idempotency-replayed')).toBeNull();
    standIns.on(openWallet, () => ({ result: wallet, replayed: true }));
    expect((await open('a')).headers.get('idempotency-replayed')).toBe('true');
  });

  it.each([[''], ['x'.repeat(256)], ['schlüssel']])('refuses the key %j', async (key) => {
    expect(problems(await open(key))).toEqual(['Idempotency-Key: invalid_idempotency_key']);
  });

  const pair = { from_currency: 'USDT', to_currency: 'NGN' };
  const bank = { currency: 'NGN', amount: '1', account_number: '0123456789', bank_code: '058', recipient_name: 'A' };
  const method = { currency: 'USDT', network: 'erc20', wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' };

  it.each([
    ['POST', '/api/wallets', { currency: 'NGN', customer_id: CLOSED }, openWallet, 'customer_closed'],
    ['POST', '/api/instant-swaps', { ...pair, amount: '1', customer_id: CLOSED }, createQuote, 'customer_closed'],
    [
      'POST',
      `/api/swaps/${WALLET}/refresh`,
      { ...pair, amount: '1', customer_id: CLOSED },
      refreshQuote,
      'customer_closed',
    ],
    ['POST', '/api/swaps', { ...pair, amount: '1', customer_id: CLOSED }, executeSwap, 'customer_closed'],
    ['POST', '/api/payout/methods/wallets', { ...method, customer_id: CLOSED }, addWalletMethod, 'customer_closed'],
    ['DELETE', `/api/payout/methods/${WALLET}`, { customer_id: CLOSED }, deletePayoutMethod, 'customer_closed'],
    ['POST', '/api/payouts/banks', { ...bank, customer_id: CLOSED }, holdPayout, 'customer_closed'],
    ['POST', '/api/payouts/banks', { ...bank, customer_id: UNAPPROVED }, holdPayout, 'kyc_required'],
    ['POST', '/api/payouts/banks', { ...bank, currency: 'CAD' }, holdPayout, 'unavailable'],
  ] as const)('tells what stands against %s %s %j to who may have its result', async (verb, path, body, to, code) => {
    standIns.on(getPrice, () => Promise.reject(new Refusal('unavailable')));
    standIns.on(to as unknown as Operation<MerchantCommand, never>, ({ objection }) => {
      throw new Refusal(objection ?? 'internal_error');
    });
    expect((await call(verb, path, body)).body.code).toBe(code);
    expect(standIns.requestsTo(to)).toHaveLength(0);
    expect((await call(verb, path, body, { 'idempotency-key': 'earlier' })).body.code).toBe(code);
    expect(standIns.requestsTo(to)).toMatchObject([{ objection: code }]);
    expect(problems(await call(verb, path, { ...body, objection: 'not_found' }))).toEqual(['objection: unknown_field']);
  });

  it('takes different spellings of a path for the same command', async () => {
    standIns.on(deletePayoutMethod, () => ({ result: { customer_id: null }, replayed: false }));
    const id = 'abcdef12-4444-4444-8444-444444444444';
    for (const path of [id, id.toUpperCase(), id.replace('a', '%61')]) {
      await call('DELETE', `/api/payout/methods/${path}`, undefined, { 'idempotency-key': 'spelt' });
    }
    const commands = standIns.requestsTo(deletePayoutMethod).map(({ command_id }) => command_id);
    expect([commands.length, new Set(commands).size]).toEqual([3, 1]);
  });

  it('answers a repeated quote with the name that its owner had then', async () => {
    const customer_id = randomUUID();
    const before = ownerOf(customer_id, customer_id);
    owners.set(customer_id, before);
    const view = { ...quoted, customer_id };
    standIns.on(createQuote, ({ sealed_profile }) => ({ result: { ...view, sealed_profile }, replayed: false }));
    const body = { ...pair, amount: '1', customer_id };
    const first = await call('POST', '/api/instant-swaps', body);
    const sealed_profile = standIns.requestsTo(createQuote)[0]?.sealed_profile as string;
    expect(sealed_profile).not.toContain(before.profile.email);
    owners.set(customer_id, { ...before, profile: { ...before.profile, first_name: 'Zed' } });
    await eventually('the owner has another name', async () => {
      return (await call('POST', '/api/instant-swaps', body)).text !== first.text;
    });
    standIns.on(createQuote, () => ({ result: { ...view, sealed_profile }, replayed: true }));
    expect((await call('POST', '/api/instant-swaps', body)).text).toBe(first.text);
  });
});
