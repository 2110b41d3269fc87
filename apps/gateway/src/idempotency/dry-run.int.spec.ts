import { dryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { ExecuteSwap, executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { DryRunTransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import {
  call,
  CLOSED,
  held,
  keyOf,
  OTHER_CUSTOMER,
  outcome,
  problems,
  standIns,
  UNAPPROVED,
  useGateway,
  WALLET,
} from '../../testing/gateway-fixture';

useGateway();

const UNRECORDED = { id: null, transaction_id: null, reference_id: null, created_at: null, updated_at: null };
const BANK = {
  currency: 'USDT',
  account_number: '0123456789',
  bank_code: '058',
  amount: '10',
  recipient_name: 'Ada Obi',
};
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const TO_WALLET = { currency: 'USDT', address: ADDRESS, amount: '10', network: 'erc20' };
const SWAP = { from_currency: 'USDT', to_currency: 'NGN', amount: '10' };
const ROUTES: [path: string, body: object, real: { subject: string }][] = [
  ['/api/payouts/banks', BANK, holdPayout],
  ['/api/payouts/wallets', TO_WALLET, holdPayout],
  ['/api/swaps', SWAP, executeSwap],
];

const triedPayout = (request: HoldPayout): DryRunTransactionView => ({ ...held(request), ...UNRECORDED });
const triedSwap = (request: ExecuteSwap): DryRunTransactionView =>
  triedPayout({ merchant_id: request.merchant_id, currency: 'USDT' } as HoldPayout);

beforeEach(() => {
  standIns.on(dryRunHoldPayout, triedPayout);
  standIns.on(dryRunExecuteSwap, (request) => ({
    debit_transaction: triedSwap(request),
    credit_transaction: triedSwap(request),
    swap_id: WALLET,
  }));
  standIns.on(executeSwap, (request) => ({
    result: {
      debit_transaction: held(request as never),
      credit_transaction: held(request as never),
      swap_id: WALLET,
    },
    replayed: false,
  }));
});

const sentIds = (operation: { subject: string }) =>
  standIns.requestsTo(operation).map(({ command_id, input_hash }) => ({ command_id, input_hash }));
/** Without an Idempotency-Key, and with one. */
const KEYED: Record<string, string>[] = [{}, { 'idempotency-key': 'refused' }];

describe.each(ROUTES)('a dry run of %s', (path, body, real) => {
  const tried = real.subject === holdPayout.subject ? dryRunHoldPayout : dryRunExecuteSwap;
  const dry = { ...body, dry_run: true };
  const post = (said: object, headers: Record<string, string> = {}) => call('POST', path, said, headers);

  it('is asked for by an operation of its own, and has the shape of the answer without what is recorded', async () => {
    const answer = await post(dry);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ dry_run: true });
    const { debitTransaction, creditTransaction } = answer.body.data ?? {};
    for (const shown of [debitTransaction ?? answer.body.data, creditTransaction ?? answer.body.data]) {
      expect(shown).toMatchObject({ ...UNRECORDED, status: 'PENDING', amount: '10.00000000', balance: '90.00000000' });
    }
    expect(standIns.requestsTo(real)).toEqual([]);
    expect(sentIds(tried)).toHaveLength(1);
    const done = await post(body);
    const shapeOf = (data: object = {}) =>
      Object.keys(data)
        .filter((name) => name !== 'dry_run')
        .sort();
    expect(shapeOf(answer.body.data)).toEqual(shapeOf(done.body.data));
    expect(done.body.data).not.toHaveProperty('dry_run');
    expect(done.body.data?.['swapId'] ?? null).toBe(answer.body.data?.['swapId'] ?? null);
  });

  it.each([false, null])('is none with dry_run %j: the same command as without the field', async (dry_run) => {
    const headers = { 'idempotency-key': `idle-${String(dry_run)}` };
    await post(body, headers);
    await post({ ...body, dry_run }, headers);
    const [first, second] = sentIds(real);
    expect(second).toEqual(first);
    expect(sentIds(tried)).toEqual([]);
  });

  it('has nothing to do with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'k' };
    await post(body, headers);
    const answers = [await post(dry, headers), await post(dry, headers)];
    const [first, second] = sentIds(tried);
    const [done] = sentIds(real);
    expect(new Set([first, second, done].map((ids) => ids?.command_id)).size).toBe(3);
    expect(answers.map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, null]);
    expect(outcome(await post(dry, { 'idempotency-key': '\t' })).slice(0, 1)).toEqual([400]);
  });

  it.each(['yes', 'true', 1, 0, [], {}])('takes no %j for it', async (dry_run) => {
    const answer = await post({ ...body, dry_run });
    expect([answer.status, problems(answer)]).toEqual([400, ['dry_run: invalid_boolean']]);
    expect(standIns.asked.filter(({ subject }) => subject === real.subject || subject === tried.subject)).toEqual([]);
  });

  it('is refused as the command is, in the same order, with an Idempotency-Key and without', async () => {
    const isPayout = path !== '/api/swaps';
    const refusals: [said: object, key: string, expected: unknown[]][] = [
      [{ customer_id: OTHER_CUSTOMER }, 'good', [404, 'not_found']],
      [{ customer_id: CLOSED }, keyOf({ mode: 'live' }), [422, 'customer_closed']],
      ...(isPayout
        ? ([
            [{ customer_id: UNAPPROVED }, keyOf({ mode: 'live' }), [422, 'kyc_required']],
            [{}, keyOf({ mode: 'live' }), [422, 'rail_unavailable']],
            [{}, keyOf({ scopes: ['read', 'write'] }), [403, 'insufficient_scope']],
          ] as [object, string, unknown[]][])
        : ([[{}, keyOf({ scopes: ['read', 'payout'] }), [403, 'insufficient_scope']]] as [
            object,
            string,
            unknown[],
          ][])),
    ];
    // A service refuses with the objection that a repeatable command carries.
    const objecting = (request: { objection?: Refusal['code'] }) => {
      throw new Refusal(request.objection ?? 'internal_error');
    };
    standIns.on(holdPayout, objecting);
    standIns.on(executeSwap, objecting);
    for (const [said, key, expected] of refusals) {
      for (const keyed of KEYED) {
        const headers = { 'x-api-key': key, ...keyed };
        expect(outcome(await post({ ...body, ...said }, headers))).toEqual(expected);
        expect(outcome(await post({ ...dry, ...said }, headers))).toEqual(expected);
      }
    }
    expect(sentIds(tried)).toEqual([]);
  });
});

it('a payout without a price is refused as its dry run is, with an Idempotency-Key and without', async () => {
  standIns.on(getPrice, () => {
    throw new Refusal('unavailable');
  });
  standIns.on(holdPayout, ({ objection }) => {
    throw new Refusal(objection ?? 'internal_error');
  });
  for (const [index, headers] of KEYED.entries()) {
    const body = { ...BANK, currency: 'USDC', recipient_currency: index === 0 ? 'GBP' : 'CAD' };
    expect(outcome(await call('POST', '/api/payouts/banks', { ...body, dry_run: true }, headers))).toEqual([
      503,
      'unavailable',
    ]);
    expect(outcome(await call('POST', '/api/payouts/banks', body, headers))).toEqual([503, 'unavailable']);
  }
  expect(standIns.requestsTo(dryRunHoldPayout)).toEqual([]);
});

it('a dry run’s destination is sealed on the bus like the payout’s, and shown in its answer', async () => {
  const { body } = await call('POST', '/api/payouts/banks', { ...BANK, dry_run: true });
  expect(body.data).toMatchObject({ bank_account: '0123456789', withdrawal_recipient_name: 'Ada Obi' });
  expect(JSON.stringify(standIns.requestsTo(dryRunHoldPayout))).not.toMatch(/0123456789|Ada|dry_run/);
});
