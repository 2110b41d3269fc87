import { ApprovePayout, HoldPayout, LedgerCommand, RejectPayout } from './commands';
import { decide } from './decide';
import { LedgerEvent, PayoutLimit, PayoutPolicy, Signer } from './events';
import { LedgerPreview } from './ledger-preview';
import { usageName } from './payout-usage';
import { customer, deposit, hold, MERCHANT, open, owner, resolve, Scenario } from './testing/ledger-scenario';

const START = '2026-12-01T10:00:00.000Z';
const later = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const signer = (name: string): Signer => ({ key_id: `key-${name}`, signer_id: `signer-${name}` });
const CREATOR = signer('creator');
const APPROVER = signer('approver');

const NO_LIMIT: PayoutLimit = { currency: 'USD', per: 'merchant', within: 'payment', amount: '1000000.00000000' };
const policy = (more: Partial<PayoutPolicy>): LedgerCommand => ({
  kind: 'ChangePolicy',
  merchant_id: MERCHANT,
  policy: { limits: [NO_LIMIT], new_destination_wait_seconds: 0, ...more },
  changed_by: 'an operator',
  reason: 'case 1',
});
const limited = (...limits: Partial<PayoutLimit>[]) =>
  policy({ limits: limits.map((limit) => ({ currency: 'USD', per: 'merchant', within: 'day', ...limit })) });
const approval = (more: Partial<NonNullable<PayoutPolicy['approval']>> = {}) =>
  policy({
    approval: {
      ...{ above: [{ currency: 'USD', amount: '100.00000000' }], new_destination: false, new_rail: false },
      ...{ approvers: 1, expires_after_seconds: HOUR, ...more },
    },
  });

/** A payout by a gateway that says whose key it is and where it goes. */
const pay = (amount: string, more: Partial<HoldPayout> = {}) =>
  hold(amount, { destination_hash: 'somewhere', created_by: CREATOR, ...more });
const approve = (more: Partial<ApprovePayout> = {}): ApprovePayout => ({
  ...{ kind: 'ApprovePayout', merchant_id: MERCHANT, transaction: 'payout-1', approval_hash: '', signer: APPROVER },
  ...more,
});
const reject = (more: Partial<RejectPayout> = {}): RejectPayout => ({
  ...{ kind: 'RejectPayout', merchant_id: MERCHANT, transaction: 'payout-1', signer: APPROVER, ...more },
});
const endWait: LedgerCommand = { kind: 'EndPayoutWait', merchant_id: MERCHANT, transaction: 'payout-1' };

let ledger: Scenario;
beforeEach(() => {
  ledger = new Scenario();
  ledger.now = START;
  ledger.given(open('USD'), deposit('1000000'));
});

const payout = (id = 'payout-1') => ledger.state.transaction(id);
const hashOf = (id = 'payout-1') => payout(id)?.under_policy?.approval?.hash ?? 'none';
const movements = () => ledger.events.map(({ movement }) => movement);
const clearing = () => ledger.balance('payout-clearing:USD');

describe('without a policy', () => {
  it('a test merchant pays out what it has, and nothing of it is counted', () => {
    expect(ledger.refusalOf(pay('1000'))).toBe('accepted');
    expect(payout()).toMatchObject({ under_policy: null, waiting_for: null });
    expect(ledger.state.payoutUsages.size).toBe(0);
  });

  it('a live merchant pays nothing out', () => {
    expect(ledger.refusalOf(pay('0.01', { is_live: true }))).toBe('limit_exceeded');
  });
});

describe('a policy', () => {
  it('counts its versions, keeps who and why, and holds for its merchant alone', () => {
    ledger.given(limited({ amount: '10.00000000' }), limited({ amount: '20.00000000' }));
    expect(ledger.state.policy(MERCHANT)).toMatchObject({
      ...{ policy_version: 2, changed_by: 'an operator', reason: 'case 1', since_position: 6 },
    });
    expect(ledger.state.policy('merchant-2')).toBeUndefined();
  });

  it('lets no currency go out that it does not name, of test merchants either', () => {
    ledger.given(limited({ currency: 'EUR', amount: '10.00000000' }));
    expect(ledger.refusalOf(pay('1'))).toBe('limit_exceeded');
  });

  it('of no limit at all lets nothing go out', () => {
    ledger.given(policy({ limits: [] }));
    expect(ledger.refusalOf(pay('1'))).toBe('limit_exceeded');
  });

  it('can not be kept where the gateway does not say where a payout goes, or whose key asks', () => {
    ledger.given(limited({ amount: '10.00000000' }));
    expect(ledger.refusalOf(pay('1', { destination_hash: undefined }))).toBe('unavailable');
    expect(ledger.refusalOf(pay('1', { created_by: undefined }))).toBe('unavailable');
  });
});

describe('limits', () => {
  const next = (amount: string, more: Partial<HoldPayout> = {}) => {
    const id = ledger.id('payout');
    return ledger.refusalOf(pay(amount, { id, reference_id: `of-${id}`, ...more }));
  };

  it('of a payment: the amount itself is allowed, one unit more is not, and what went out before does not count', () => {
    ledger.given(limited({ within: 'payment', amount: '10.00000000' }));
    expect([next('10'), next('10'), next('10.01')]).toEqual(['accepted', 'accepted', 'limit_exceeded']);
  });

  it('of an amount: all payouts together, without their fees', () => {
    ledger.given(limited({ amount: '10.00000000' }));
    expect(next('6', { fee_schedule: { flat: '1', basis_points: 0 } })).toBe('accepted');
    expect([next('4.01'), next('4'), next('0.01')]).toEqual(['limit_exceeded', 'accepted', 'limit_exceeded']);
  });

  it('of a count', () => {
    ledger.given(limited({ count: 2 }));
    expect([next('1'), next('1'), next('1')]).toEqual(['accepted', 'accepted', 'limit_exceeded']);
  });

  it('all of them hold: the narrowest refuses', () => {
    ledger.given(limited({ amount: '100.00000000' }, { within: 'hour', count: 1 }));
    expect([next('1'), next('1')]).toEqual(['accepted', 'limit_exceeded']);
  });

  it.each([
    ['hour', HOUR, MINUTE],
    ['day', DAY, 30 * MINUTE],
    ['month', 30 * DAY, 12 * HOUR],
  ] as const)(
    'of the last %s: never shorter than that, and longer by one bucket at the most',
    (within, length, bucket) => {
      ledger.given(limited({ within, count: 1 }));
      expect(next('1')).toBe('accepted');
      ledger.now = later(length);
      expect(next('1')).toBe('limit_exceeded');
      ledger.now = later(length + bucket);
      expect(next('1')).toBe('accepted');
    },
  );

  it('of a customer, of the merchant: whose wallet it is', () => {
    ledger.given(limited({ per: 'customer', count: 1 }));
    ledger.given(open('USD', { ...customer, wallet_id: 'of-customer' }));
    ledger.given(deposit('10', { id: 'deposit-2', wallet_id: 'of-customer' }));
    expect([next('1', customer), next('1', customer)]).toEqual(['accepted', 'limit_exceeded']);
    expect(next('1')).toBe('accepted');
    ledger.given(limited({ count: 3 }));
    expect([next('1'), next('1', customer)]).toEqual(['accepted', 'limit_exceeded']);
  });

  it('of a destination: from all wallets of the merchant together', () => {
    ledger.given(limited({ per: 'destination', amount: '10.00000000' }));
    expect([next('10'), next('1'), next('1', { destination_hash: 'elsewhere' })]).toEqual([
      ...['accepted', 'limit_exceeded', 'accepted'],
    ]);
  });

  it('are judged before funds, and after status and currency', () => {
    ledger.given(limited({ amount: '10.00000000' }));
    expect(next('10.01', { currency: 'EUR' })).toBe('wallet_not_found');
    expect(next('10.001')).toBe('too_many_decimals');
    expect(next('2000000')).toBe('limit_exceeded');
    ledger.given(limited({ amount: '5000000.00000000' }));
    expect(next('2000000')).toBe('insufficient_funds');
  });

  it('give back what has failed, and not what came back from where it was sent', () => {
    ledger.given(limited({ amount: '10.00000000' }));
    ledger.given(pay('10'));
    expect(next('1')).toBe('limit_exceeded');
    ledger.given(resolve('FAILED'));
    ledger.given(pay('10', { id: 'payout-2' }), resolve('COMPLETED', 'payout-2'), resolve('REVERSED', 'payout-2'));
    expect(next('0.01')).toBe('limit_exceeded');
  });

  it('count what a policy before has counted', () => {
    ledger.given(limited({ amount: '10.00000000' }), pay('10'), limited({ per: 'destination', amount: '10.00000000' }));
    expect(next('1')).toBe('limit_exceeded');
  });

  it('count nothing of a dry run', () => {
    ledger.given(limited({ count: 2 }), pay('1', { id: 'payout-0' }));
    const preview = new LedgerPreview(ledger.state);
    const context = { shard: 0, nextPosition: 100, now: START, deriveAddress: () => '' };
    const [group] = decide(pay('1'), ledger.state, context);
    group?.events.forEach((event) =>
      preview.apply({
        ...{ shard: 0, position: 100, group: 100, movement: group.movement, recorded_at: START, command_id: 'dry' },
        ...{ merchant_id: MERCHANT, customer_id: null, event },
      }),
    );
    expect(preview.payoutUsage(usageName(MERCHANT, 'merchant')).used.USD?.day.count).toBe(2);
    expect([next('1'), next('1')]).toEqual(['accepted', 'limit_exceeded']);
  });

  it('swaps do not count', () => {
    ledger.given(limited({ amount: '10.00000000' }), open('NGN'));
    ledger.given({
      ...{ kind: 'PostSwap', ...owner, debit_id: 'out', credit_id: 'in', swap_id: 'swap', quoted_price: '1500' },
      ...{ from_currency: 'USD', to_currency: 'NGN', from_amount: '500', to_amount: '750000', valid_until: later(60) },
    });
    expect(next('10')).toBe('accepted');
  });
});

describe('a payout that needs an approval', () => {
  it.each([
    ['of exactly the amount does not', '100', null],
    ['of more than the amount does', '100.01', 'approval'],
  ])('one %s', (_name, amount, waiting) => {
    ledger.given(approval(), pay(amount));
    expect(payout()?.waiting_for).toBe(waiting);
    expect(movements().at(-1)).toBe(waiting ? 'payout-waiting' : 'payout-accepted');
  });

  it('to a new destination, by a new rail: until something was let go to there', () => {
    ledger.given(approval({ above: [], new_destination: true, new_rail: true }), pay('1'));
    ledger.given(pay('1', { id: 'payout-2' }));
    expect([payout()?.waiting_for, payout('payout-2')?.waiting_for]).toEqual(['approval', 'approval']);
    ledger.given(approve({ approval_hash: hashOf() }));
    ledger.given(pay('1', { id: 'payout-3' }), pay('1', { id: 'payout-4', network: 'erc20' }));
    expect([payout('payout-3')?.waiting_for, payout('payout-4')?.waiting_for]).toEqual([null, 'approval']);
  });

  it('has its money held, and no rail can end it', () => {
    ledger.given(approval(), pay('101'));
    expect(clearing()).toBe('101.00000000');
    for (const resolution of ['COMPLETED', 'FAILED'] as const) {
      expect(ledger.refusalOf(resolve(resolution))).toBe('invalid_transition');
    }
  });

  it('is let go by another key, over the hash of what is going to be sent', () => {
    ledger.given(approval(), pay('101'));
    ledger.given(approve({ approval_hash: hashOf() }));
    expect(payout()).toMatchObject({ status: 'PENDING', waiting_for: null });
    const released = ledger.events.slice(-2);
    expect(released.map(({ movement, event }) => [movement, event.type])).toEqual([
      ['payout-released', 'PayoutApproved'],
      ['payout-released', 'PayoutReleased'],
    ]);
    expect(released[0]?.event).toMatchObject({ signer: APPROVER, approval_hash: hashOf(), approvals: 1 });
    expect(ledger.refusalOf(resolve('COMPLETED'))).toBe('accepted');
  });

  it('shows another hash for anything that is sent otherwise', () => {
    ledger.given(approval({ above: [], new_destination: true }));
    const changes: Partial<HoldPayout>[] = [
      ...[
        {},
        { amount: '102' },
        { sealed_destination: 'other' },
        { bank_code: '059' },
        { recipient_currency: 'USD' as const },
      ],
      { network: 'erc20' as const },
    ];
    const hashes = changes.map((change, index) => {
      const id = `payout-${index + 1}`;
      ledger.given(pay('101', { ...change, id, destination_hash: `to-${index}` }));
      return hashOf(id);
    });
    expect(new Set(hashes).size).toBe(changes.length);
  });

  it.each<[string, () => ApprovePayout, string]>([
    ['its creator', () => approve({ approval_hash: hashOf(), signer: CREATOR }), 'approver_not_allowed'],
    [
      'another key of its creator',
      () => approve({ approval_hash: hashOf(), signer: { key_id: 'a new key', signer_id: CREATOR.signer_id } }),
      'approver_not_allowed',
    ],
    ['a key over changed bytes', () => approve({ approval_hash: 'f'.repeat(64) }), 'approval_mismatch'],
    ['another merchant', () => approve({ approval_hash: hashOf(), merchant_id: 'merchant-2' }), 'not_found'],
  ])('is not approved by %s', (_name, command, code) => {
    ledger.given(approval(), pay('101'));
    expect(ledger.refusalOf(command())).toBe(code);
  });

  it('is approved once by one signer, and by as many as its policy asks for', () => {
    ledger.given(approval({ approvers: 2 }), pay('101'));
    ledger.given(approve({ approval_hash: hashOf() }));
    expect(payout()?.waiting_for).toBe('approval');
    const again = { key_id: 'a rotated key', signer_id: APPROVER.signer_id };
    expect(ledger.refusalOf(approve({ approval_hash: hashOf() }))).toBe('approver_not_allowed');
    expect(ledger.refusalOf(approve({ approval_hash: hashOf(), signer: again }))).toBe('approver_not_allowed');
    ledger.given(approve({ approval_hash: hashOf(), signer: signer('second') }));
    expect(payout()?.waiting_for).toBeNull();
    expect(ledger.refusalOf(approve({ approval_hash: hashOf(), signer: signer('third') }))).toBe('invalid_transition');
  });

  it('fails when it is rejected, by another key than its creator’s', () => {
    ledger.given(approval(), pay('101', { fee_schedule: { flat: '1', basis_points: 0 } }));
    expect(ledger.refusalOf(reject({ signer: CREATOR }))).toBe('approver_not_allowed');
    ledger.given(reject());
    expect(payout()).toMatchObject({ status: 'FAILED', waiting_for: null });
    expect([clearing(), ledger.balance('wallet-USD')]).toEqual(['0.00000000', '1000000.00000000']);
    expect(ledger.refusalOf(approve({ approval_hash: hashOf() }))).toBe('invalid_transition');
    expect(ledger.refusalOf(reject())).toBe('invalid_transition');
  });

  it('fails when its time is over, and not a moment before', () => {
    ledger.given(approval(), pay('101'));
    ledger.now = later(HOUR - 0.001);
    expect(ledger.refusalOf(endWait)).toBe('invalid_transition');
    ledger.now = later(HOUR);
    expect(ledger.refusalOf(approve({ approval_hash: hashOf() }))).toBe('invalid_transition');
    expect(ledger.refusalOf(endWait)).toBe('accepted');
    expect(payout()).toMatchObject({ status: 'FAILED', waiting_for: null });
    expect(clearing()).toBe('0.00000000');
  });

  it('counts from when it is held, and no more once it is rejected', () => {
    const both = approval();
    if (both.kind !== 'ChangePolicy') throw new Error('no policy');
    const limits: PayoutLimit[] = [{ currency: 'USD', per: 'merchant', within: 'day', amount: '150.00000000' }];
    ledger.given({ ...both, policy: { ...both.policy, limits } }, pay('101'));
    expect(ledger.refusalOf(pay('100', { id: 'payout-2' }))).toBe('limit_exceeded');
    ledger.given(reject());
    expect(ledger.refusalOf(pay('100', { id: 'payout-2' }))).toBe('accepted');
  });

  it('asks nothing of what has no such wait', () => {
    ledger.given(approval(), pay('1'));
    for (const command of [approve(), reject(), endWait]) {
      expect(ledger.refusalOf(command)).toBe('invalid_transition');
    }
    expect(ledger.refusalOf({ ...endWait, transaction: 'none' })).toBe('not_found');
  });
});

describe('a new destination', () => {
  const WAIT = policy({ new_destination_wait_seconds: HOUR });

  it('waits from the first payout to it, and later ones wait as long as that one', () => {
    ledger.given(WAIT, pay('1'));
    ledger.now = later(40 * MINUTE);
    ledger.given(pay('1', { id: 'payout-2' }));
    expect(payout()).toMatchObject({ waiting_for: 'cooling_off', under_policy: { send_after: later(HOUR) } });
    expect(payout('payout-2')?.under_policy?.send_after).toBe(later(HOUR));
    expect(ledger.refusalOf(endWait)).toBe('invalid_transition');
    ledger.now = later(HOUR);
    expect(ledger.refusalOf(endWait)).toBe('accepted');
    expect(movements().at(-1)).toBe('payout-released');
    ledger.given(pay('1', { id: 'payout-3' }));
    expect(payout('payout-3')?.waiting_for).toBeNull();
  });

  it('is new again where the payout was rejected', () => {
    ledger.given(WAIT, pay('1'), reject());
    ledger.now = later(2 * HOUR);
    ledger.given(pay('1', { id: 'payout-2' }));
    expect(payout('payout-2')?.under_policy?.send_after).toBe(later(3 * HOUR));
  });

  it('waits after its approval as well', () => {
    const both = approval();
    if (both.kind !== 'ChangePolicy') throw new Error('no policy');
    ledger.given({ ...both, policy: { ...both.policy, new_destination_wait_seconds: 2 * HOUR } }, pay('101'));
    ledger.given(approve({ approval_hash: hashOf() }));
    expect(payout()?.waiting_for).toBe('cooling_off');
    expect(movements().at(-1)).toBe('payout-approved');
    ledger.now = later(2 * HOUR);
    expect(ledger.refusalOf(endWait)).toBe('accepted');
    expect(payout()?.waiting_for).toBeNull();
  });
});

describe('the judgement', () => {
  const opening = () => ledger.events.map(({ event }) => event).findLast((event) => event.type === 'DebitPosted');
  const types = () => ledger.events.slice(6).map(({ event }) => event.type);

  it('of a payout that does not wait stands in its opening', () => {
    ledger.given(approval(), pay('100'));
    expect(types()).toEqual(['DebitPosted', 'CreditPosted']);
    expect(opening()).toMatchObject({ judged: { policy_version: 1, destination: 'somewhere' } });
    expect(payout()?.under_policy).toMatchObject({ policy_version: 1, destination: 'somewhere', approvals: [] });
  });

  it('of a payout that waits is an event of its own', () => {
    ledger.given(approval(), pay('101'));
    expect(types()).toEqual(['DebitPosted', 'CreditPosted', 'PolicyApplied']);
    expect(opening()).toMatchObject({ judged: undefined });
  });
});

it('nothing of what a policy says of a payout is in the events of a merchant without one', () => {
  ledger.given(pay('1'));
  const types: LedgerEvent['type'][] = ledger.events.map(({ event }) => event.type);
  expect(types.slice(-2)).toEqual(['DebitPosted', 'CreditPosted']);
  expect(JSON.stringify(ledger.events)).not.toContain('somewhere');
});

describe('the number of a policy', () => {
  const stated = (stated_version: number | null): LedgerCommand => ({ ...limited(), stated_version }) as LedgerCommand;

  it('is the next one, as it is stated, or by a version before that states none', () => {
    ledger.given(stated(1), stated(2), stated(null));
    expect(ledger.state.policy(MERCHANT)?.policy_version).toBe(3);
  });

  it.each([1, 2, 4])('is none that was stated before, or behind one that was kept back: %d', (version) => {
    ledger.given(stated(1), stated(2));
    expect(ledger.refusalOf(stated(version))).toBe('invalid_transition');
  });
});
