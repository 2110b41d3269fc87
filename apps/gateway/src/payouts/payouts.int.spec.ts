import { randomUUID } from 'node:crypto';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { AddWalletMethod, addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import {
  API_KEY_ID,
  AT,
  CLOSED,
  MERCHANT,
  OTHER_CUSTOMER,
  UNAPPROVED,
  WALLET,
  call,
  held,
  keyOf,
  outcome,
  problems,
  ownerOf,
  owners,
  standIns,
  useGateway,
} from '../../testing/gateway-fixture';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

useGateway({ payoutRailBep20: 'evm' });

/** As a service that stores results: each command takes effect once, and not with an objection. */
function answerOnce<Request extends MerchantCommand, Result>(
  to: Operation<Request, CommandReply<Result>>,
  result: (request: Request) => Result,
): void {
  const results = new Map<string, Result>();
  standIns.on(to, (request) => {
    const stored = results.get(request.command_id);
    if (stored) return { result: stored, replayed: true };
    if (request.objection) throw new Refusal(request.objection);
    results.set(request.command_id, result(request));
    return { result: results.get(request.command_id) as Result, replayed: false };
  });
}

const savedMethod = ({ currency, network, wallet_address }: Plain<AddWalletMethod>): PayoutMethodView => ({
  ...{ id: WALLET, customer_id: null, type: 'WALLET', label: null, created_at: AT, updated_at: AT },
  ...{ currency, network, wallet_address },
});

describe('payouts', () => {
  const bank = {
    currency: 'usdt',
    account_number: '0123456789',
    bank_code: '058',
    bank_name: 'GTBank',
    amount: '10',
    recipient_name: 'Ada Obi',
    recipient_currency: 'ngn',
    recipient_country: 'Nigeria',
  };

  it('take one hop once owner and price are known, with the destination sealed', async () => {
    const first = await call('POST', '/api/payouts/banks', bank);
    expect(first.body.data).toMatchObject({
      status: 'PENDING',
      withdrawal_recipient_name: 'Ada Obi',
      bank_account: '0123456789',
      address: null,
      reason: 'Payout to 0123456789 (058)',
      amount_fiat: '15000.00000000',
      fiat_reference_id: null,
      recipient_currency: 'NGN',
    });
    standIns.asked.length = 0;
    await call('POST', '/api/payouts/banks', bank);
    expect(standIns.asked.map(({ subject }) => subject)).toEqual([holdPayout.subject]);
    const [request] = standIns.requestsTo(holdPayout);
    expect(request).toMatchObject({ rail: 'bank', currency: 'USDT', exchange_rate: '1500', bank_code: '058' });
    expect(JSON.stringify(request)).not.toMatch(/0123456789|Ada/);
  });

  it('can go to an address, as an amount of a stablecoin', async () => {
    const body = { currency: 'USDT', address: ADDRESS, amount: 10.5, network: 'erc20' };
    const answer = await call('POST', '/api/payouts/wallets', body);
    expect(answer.body.data).toMatchObject({
      address: ADDRESS,
      network: 'erc20',
      reason: `Payout to ${ADDRESS}`,
      recipient_currency: null,
    });
    expect(standIns.requestsTo(holdPayout)[0]).toMatchObject({
      amount: '10.5',
      rail: 'wallet',
      recipient_currency: 'USD',
    });
  });

  it('say whose key asks, and where they go: the same for each customer, however it is written', async () => {
    const hashOf = async (path: string, body: object) => {
      await call('POST', path, body);
      return standIns.requestsTo(holdPayout).at(-1)?.destination_hash;
    };
    const wallet = { currency: 'USDT', address: ADDRESS, amount: 10.5, network: 'erc20' };
    const another = randomUUID();
    owners.set(another, ownerOf(another, another));
    const account = await hashOf('/api/payouts/banks', bank);
    expect(account).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf('/api/payouts/banks', { ...bank, customer_id: another, amount: '1' })).toBe(account);
    expect(await hashOf('/api/payouts/banks', { ...bank, account_number: '0123456780' })).not.toBe(account);
    expect(await hashOf('/api/payouts/banks', { ...bank, bank_code: '059' })).not.toBe(account);
    owners.delete(another);
    const address = await hashOf('/api/payouts/wallets', wallet);
    expect(await hashOf('/api/payouts/wallets', { ...wallet, network: 'polygon' })).toBe(address);
    const tron = { network: 'trc20', address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL' };
    expect(await hashOf('/api/payouts/wallets', { ...wallet, ...tron })).not.toBe(address);
    const [first] = standIns.requestsTo(holdPayout);
    expect(first).toMatchObject({ key_mode: 'test' });
    expect(first).toMatchObject({ signer: { key_id: API_KEY_ID, signer_id: API_KEY_ID } });
  });

  it('of a live key are refused before anything is held or priced, as long as there is only the sandbox’s rail', async () => {
    const headers = { 'x-api-key': keyOf({ mode: 'live' }) };
    const wallet = { currency: 'USDT', address: ADDRESS, amount: 10.5, network: 'erc20' };
    const refused = [422, 'rail_unavailable'];
    expect(outcome(await call('POST', '/api/payouts/banks', bank, headers))).toEqual(refused);
    expect(outcome(await call('POST', '/api/payouts/wallets', wallet, headers))).toEqual(refused);
    const unapproved = { ...bank, customer_id: UNAPPROVED };
    expect(outcome(await call('POST', '/api/payouts/banks', unapproved, headers))).toEqual([422, 'kyc_required']);
    expect(standIns.requestsTo(holdPayout)).toEqual([]);
    expect(standIns.requestsTo(getPrice)).toEqual([]);
    // But for a network whose payouts go over its chain.
    expect((await call('POST', '/api/payouts/wallets', { ...wallet, network: 'bep20' }, headers)).status).toBe(200);
    expect(standIns.requestsTo(holdPayout)).toMatchObject([{ network: 'bep20' }]);
  });

  describe('to an address that must not be paid', () => {
    const to = (network: string, address: string) => ({ currency: 'USDT', address, amount: '1', network });
    const saved = (network: string, wallet_address: string) => ({
      currency: 'USDT',
      type: 'WALLET',
      wallet_address,
      network,
    });
    const ZERO = '0x0000000000000000000000000000000000000000';
    const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    const nothingHeld = () =>
      expect([holdPayout, dryRunHoldPayout, addWalletMethod].flatMap((of) => standIns.requestsTo(of))).toEqual([]);

    it.each([
      ['erc20', ZERO],
      ['polygon', TETHER],
      ['bep20', '0x000000000000000000000000000000000000dEaD'],
    ])('on %s, %s, are refused at once', async (network, address) => {
      for (const dry_run of [false, true]) {
        const answer = await call('POST', '/api/payouts/wallets', { ...to(network, address), dry_run });
        expect([answer.status, problems(answer)]).toEqual([400, ['address: unpayable_address']]);
      }
      const method = await call('POST', '/api/payout/methods/wallets', saved(network, address));
      expect([method.status, problems(method)]).toEqual([400, ['wallet_address: unpayable_address']]);
      nothingHeld();
    });

    it('are told what is wrong with it once: a text that is no address is only that', async () => {
      const answer = await call('POST', '/api/payouts/wallets', to('erc20', '0x12'));
      expect(problems(answer)).toEqual(['address: invalid_address']);
    });

    it.each([
      ['polygon', ADDRESS],
      ['trc20', 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL'],
    ])('on %s as a deposit address of ours are refused, and nothing more is said of it', async (network, address) => {
      standIns.on(findDepositAddress, () => ({ is_ours: true }));
      for (const dry_run of [false, true]) {
        const answer = await call('POST', '/api/payouts/wallets', { ...to(network, address), dry_run });
        expect([answer.status, answer.body.errors]).toEqual([
          400,
          [{ field: 'address', code: 'unpayable_address', message: 'must not be a deposit address of this service' }],
        ]);
      }
      const method = await call('POST', '/api/payout/methods/wallets', saved(network, address));
      expect([method.status, problems(method)]).toEqual([400, ['wallet_address: unpayable_address']]);
      expect(standIns.requestsTo(findDepositAddress)).toEqual([{ address }, { address }, { address }]);
      nothingHeld();
    });

    it.each([
      ['/api/payouts/wallets', to('erc20', ADDRESS), 'address'],
      ['/api/payout/methods/wallets', saved('erc20', ADDRESS), 'wallet_address'],
    ])('that became ours after the first request are answered with its result: %s', async (path, body, field) => {
      answerOnce(holdPayout, held);
      answerOnce(addWalletMethod, savedMethod);
      const [earlier, later] = [{ 'idempotency-key': 'earlier' }, { 'idempotency-key': 'later' }];
      const first = await call('POST', path, body, earlier);
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
      const ours = [
        400,
        [{ field, code: 'unpayable_address', message: 'must not be a deposit address of this service' }],
      ];
      const away = [503, undefined];
      for (const [answer, refused] of [
        [() => ({ is_ours: true }), ours],
        [() => Promise.reject(new Refusal('unavailable')), away],
      ] as const) {
        standIns.on(findDepositAddress, answer);
        const again = await call('POST', path, body, earlier);
        expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
        expect(again.body.data).toEqual(first.body.data);
        for (const headers of [later, {}]) {
          const other = await call('POST', path, body, headers);
          expect([other.status, other.body.errors]).toEqual(refused);
        }
      }
      standIns.on(findDepositAddress, () => ({ is_ours: true }));
      const dryRun = await call('POST', '/api/payouts/wallets', { ...to('erc20', ADDRESS), dry_run: true }, earlier);
      expect([dryRun.status, problems(dryRun)]).toEqual([400, ['address: unpayable_address']]);
    });

    it('are not held while the ledger can’t say whether it is one', async () => {
      standIns.on(findDepositAddress, () => {
        throw new Refusal('unavailable');
      });
      expect(outcome(await call('POST', '/api/payouts/wallets', to('erc20', ADDRESS)))).toEqual([503, 'unavailable']);
      nothingHeld();
    });
  });

  it('of a live key with an Idempotency-Key are sent on with that objection, for a result of theirs', async () => {
    const headers = { 'x-api-key': keyOf({ mode: 'live' }), 'idempotency-key': 'k' };
    await call('POST', '/api/payouts/banks', bank, headers);
    expect(standIns.requestsTo(holdPayout)).toMatchObject([{ objection: 'rail_unavailable' }]);
  });

  it.each([
    ['another merchant', OTHER_CUSTOMER, [404, 'not_found']],
    ['a closed customer', CLOSED, [422, 'customer_closed']],
    ['one that is not approved', UNAPPROVED, [422, 'kyc_required']],
  ])('are refused for %s', async (_name, customer_id, expected) => {
    expect(outcome(await call('POST', '/api/payouts/banks', { ...bank, customer_id }))).toEqual(expected);
    expect(standIns.requestsTo(holdPayout)).toHaveLength(0);
  });

  it('show nothing of a destination whose owner was erased', async () => {
    const erased = '55555555-5555-4555-8555-555555555555';
    const sealed = {
      ...held({ merchant_id: MERCHANT, customer_id: erased } as Plain<HoldPayout>),
      sealed_destination: 'v1.AAAA.BBBB',
    };
    standIns.on(listTransactions, () => ({ items: [{ ...sealed, bank_code: '058' }], total: 1, page: 1, limit: 10 }));
    const { body } = await call('GET', '/api/transactions');
    expect((body['data'] as unknown as object[])[0]).toMatchObject({
      bank_account: null,
      withdrawal_recipient_name: null,
      reason: null,
    });
  });
});
