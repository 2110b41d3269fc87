import { TOKENS } from '@stablecoin/chains/tokens';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import type { Payout } from '@stablecoin/contracts/signer/movement';
import type { SigningRefusal, SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { SIGNING_REFUSALS } from '@stablecoin/contracts/signer/sign-transfer';
import {
  CANCEL,
  CAPS,
  COLD,
  depositAddress,
  depositSender,
  feesOf,
  GAS,
  HOT,
  orderOf,
  OTHER_PAYEE,
  payout,
  PAYEE,
  POLICY,
  requestOf,
  SWEEP,
  TO_COLD,
} from '../testing/requests';
import { type SignedTransaction, SigningMemory } from './signing-memory';
import { decideSigning, type SigningPolicy } from './signing-rules';

const NOON = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const SIGNATURE = { r: '0x01', s: '0x02', yParity: 0 } as const;
const NEW_CLAIMS = 3;

class Signer {
  readonly memory = new SigningMemory(NEW_CLAIMS);
  constructor(private readonly policy: SigningPolicy = POLICY) {}

  decide(request: SignTransfer, at = NOON) {
    return decideSigning(request, this.policy, this.memory, at);
  }

  /** Signs what must be signed. */
  sign(changes: Partial<SignTransfer>, at = NOON): SignedTransaction {
    const decision = this.decide(requestOf(changes), at);
    if (!('sign' in decision)) throw new Error(`Not signed: ${JSON.stringify(decision)}`);
    const signed = { ...decision.sign, signature: SIGNATURE };
    this.memory.remember(signed);
    return signed;
  }

  /** Why it isn't signed, or 'signed'. */
  answer(changes: Partial<SignTransfer>, at = NOON): string {
    const decision = this.decide(requestOf(changes), at);
    if ('refused' in decision) return decision.refused;
    return 'repeat' in decision ? 'repeated' : 'signed';
  }
}

const RAISED = feesOf(22n, 2n);
const SOME_KEY = Buffer.alloc(32, 0x0e);
const FIRST = requestOf();
/** What an order is made of. */
const payment = (changes: object = {}): Payout => payout(changes) as Payout;
const withCaps = (caps: object): SigningPolicy => ({ ...POLICY, caps: { ...CAPS, ...caps } });

interface Case {
  title: string;
  asked: Partial<SignTransfer>;
  reason: SigningRefusal;
  field: string;
  policy?: SigningPolicy;
  before?: Partial<SignTransfer>[];
}

const cases: Case[] = [
  ...[payout(), TO_COLD, GAS].map((movement) => ({
    title: `a ${movement.kind} from a deposit address`,
    asked: { from: depositSender(3), movement },
    reason: 'wrong_sender' as const,
    field: 'from',
  })),
  { title: 'a sweep of the hot wallet', asked: { movement: SWEEP }, reason: 'wrong_sender', field: 'from' },
  {
    title: 'a priority fee above the fee',
    asked: feesOf(20n, 21n),
    reason: 'priority_above_fee',
    field: 'max_priority_fee_per_gas',
  },
  {
    title: 'a currency without a token there',
    asked: { movement: payout({ currency: 'DAI' }) },
    reason: 'token_not_listed',
    field: 'movement.currency',
  },
  ...[HOT, HOT.toLowerCase(), COLD].map((to) => ({
    title: `a payout to ${to}, which is ours`,
    asked: { movement: payout({ to }) },
    reason: 'own_address' as const,
    field: 'movement.to',
  })),
  ...[`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}4`, ...TOKENS.map(({ address }) => address.toLowerCase())].map(
    (to) => ({
      title: `a payout to ${to}, which has no key`,
      asked: { movement: payout({ to }) },
      reason: 'unpayable_address' as const,
      field: 'movement.to',
    }),
  ),
  {
    title: 'anything to a cold address that is not configured',
    asked: { movement: TO_COLD },
    policy: { ...POLICY, cold: null },
    reason: 'no_cold_address',
    field: 'movement.kind',
  },
  {
    title: 'a payout without an order',
    asked: { movement: payout({ order: undefined }) },
    reason: 'order_missing',
    field: 'movement.order',
  },
  ...[
    { title: 'by another service', signed: orderOf(FIRST, payment(), { by: new CallerSecret('payout', SOME_KEY) }) },
    { title: 'to another payee', signed: orderOf(FIRST, payment({ to: OTHER_PAYEE })) },
    { title: 'of another amount', signed: orderOf(FIRST, payment({ units: '1000001' })) },
    { title: 'of another currency', signed: orderOf(FIRST, payment({ currency: 'USDC' })) },
    { title: 'on another network', signed: orderOf({ ...FIRST, network: 'polygon' }, payment()) },
    { title: 'of another name', signed: { ...orderOf(FIRST, payment()), reference: 'payout erc20 1' } },
    { title: 'that is none', signed: { ...orderOf(FIRST, payment()), order: '{}' } },
  ].map(({ title, signed }) => ({
    title: `a payout with an order ${title}`,
    asked: { movement: payout(signed) },
    reason: 'wrong_order' as const,
    field: 'movement.order',
  })),
  ...[
    { title: 'under another nonce', asked: { nonce: 1 } },
    { title: 'on another network', asked: { network: 'polygon' as const } },
  ].map(({ title, asked }) => ({
    title: `a second payment of an order ${title}`,
    before: [{}],
    asked: { ...asked, movement: payout(orderOf({ ...FIRST, ...asked }, payment(), { reference: 'payout erc20 0' })) },
    reason: 'order_paid' as const,
    field: 'movement.reference',
  })),
  ...[
    { title: 'another payee', movement: payout({ to: OTHER_PAYEE }) },
    { title: 'another amount', movement: payout({ units: '1000001' }) },
    { title: 'another currency', movement: payout({ currency: 'USDC' }) },
    { title: 'another kind', movement: GAS },
  ].map(({ title, movement }) => ({
    title: `a nonce that has a payment, for ${title}`,
    before: [{}],
    asked: { movement, ...RAISED },
    reason: 'nonce_used' as const,
    field: 'nonce',
  })),
  {
    title: 'a payment again whose nonce was given to its cancellation',
    before: [{}, { movement: CANCEL, ...RAISED }],
    asked: feesOf(30n, 3n),
    reason: 'nonce_used',
    field: 'nonce',
  },
  {
    title: 'a nonce that is too old to be known',
    before: [{ nonce: 1 }, { nonce: 2 }, { nonce: 3 }, { nonce: 4 }],
    asked: { nonce: 1, ...RAISED },
    reason: 'nonce_closed',
    field: 'nonce',
  },
  {
    title: 'a nonce below one that is too old to be known',
    before: [{ nonce: 1 }, { nonce: 2 }, { nonce: 3 }, { nonce: 4 }],
    asked: { nonce: 0 },
    reason: 'nonce_closed',
    field: 'nonce',
  },
  ...[
    { field: 'max_fee_per_gas', ...feesOf(21n, 2n) },
    { field: 'max_fee_per_gas', ...feesOf(19n, 2n) },
    { field: 'max_priority_fee_per_gas', ...feesOf(22n, 1n) },
  ].map(({ field, ...fees }) => ({
    title: `a replacement with ${JSON.stringify(fees)}`,
    before: [{}],
    asked: fees,
    reason: 'fees_not_raised' as const,
    field,
  })),
  {
    title: 'a replacement at the old fees with another limit of gas',
    before: [{}],
    asked: { gas: 66_000 },
    reason: 'fees_not_raised',
    field: 'max_fee_per_gas',
  },
  {
    title: 'a cancellation without raised fees',
    before: [{}],
    asked: { movement: CANCEL },
    reason: 'fees_not_raised',
    field: 'max_fee_per_gas',
  },
  {
    title: 'a priority fee of zero that stays zero',
    before: [feesOf(20n, 0n)],
    asked: feesOf(30n, 0n),
    reason: 'fees_not_raised',
    field: 'max_priority_fee_per_gas',
  },
  {
    title: 'a fee per gas above its cap',
    asked: feesOf(201n, 1n),
    reason: 'fee_per_gas_above_cap',
    field: 'max_fee_per_gas',
  },
  {
    title: 'a limit of gas that makes a fee above its cap',
    asked: { gas: 1_000_000, ...feesOf(21n, 1n) },
    reason: 'fee_above_cap',
    field: 'gas',
  },
  {
    title: 'fees above what is left of the day',
    before: [0, 1, 2, 3, 4].map((nonce) => ({ nonce, gas: 100_000, ...feesOf(199n, 1n) })),
    asked: { nonce: 5, gas: 100_000 },
    reason: 'fees_above_daily_cap',
    field: 'gas',
  },
  {
    title: 'a payout above its cap',
    asked: { movement: payout({ units: '1000000001' }) },
    reason: 'amount_above_cap',
    field: 'movement.units',
  },
  {
    title: 'a payout in a currency without a cap there',
    asked: { network: 'polygon', movement: payout({ units: '1' }) },
    reason: 'amount_above_cap',
    field: 'movement.units',
  },
  {
    title: 'gas above its cap',
    asked: { movement: { ...GAS, wei: '10000000000000001' } as typeof GAS },
    reason: 'amount_above_cap',
    field: 'movement.wei',
  },
  {
    title: 'gas on a network without a cap',
    asked: { network: 'bep20', movement: GAS },
    reason: 'amount_above_cap',
    field: 'movement.wei',
  },
  {
    title: 'payouts that together exceed the day',
    before: [0, 1].map((nonce) => ({ nonce, movement: payout({ units: '1000000000' }) })),
    asked: { nonce: 2, movement: payout({ units: '500000001' }) },
    reason: 'amount_above_daily_cap',
    field: 'movement.units',
  },
  {
    title: 'gas that together exceeds the day',
    before: [0, 1].map((nonce) => ({ nonce, movement: { ...GAS, wei: '10000000000000000' } as typeof GAS })),
    asked: { nonce: 2, movement: { ...GAS, wei: '5000000000000001' } as typeof GAS },
    reason: 'amount_above_daily_cap',
    field: 'movement.wei',
  },
  ...[
    {
      title: 'fees per gas',
      caps: { feePerGas: new Map() },
      reason: 'fee_per_gas_above_cap',
      field: 'max_fee_per_gas',
    },
    { title: 'fees', caps: { fees: new Map() }, reason: 'fee_above_cap', field: 'gas' },
    { title: 'payouts', caps: { payouts: new Map() }, reason: 'amount_above_cap', field: 'movement.units' },
  ].map(({ title, caps, reason, field }) => ({
    title: `anything without caps of ${title}`,
    asked: {},
    policy: withCaps(caps),
    reason: reason as SigningRefusal,
    field,
  })),
];

describe('the signer refuses', () => {
  it.each(cases)('$title: $reason', ({ asked, reason, field, policy, before = [] }) => {
    const signer = new Signer(policy);
    before.forEach((changes) => signer.sign(changes));
    expect(signer.decide(requestOf(asked))).toEqual({ refused: reason, field });
  });

  it('for every reason that there is', () => {
    expect(new Set(cases.map(({ reason }) => reason))).toEqual(new Set(SIGNING_REFUSALS));
  });

  it('in one order: the first fault is the answer', () => {
    const all: Partial<SignTransfer> = { ...feesOf(500n, 501n), gas: 1_000_000 };
    const faults: [Partial<SignTransfer>, SigningRefusal][] = [
      [{ ...all, movement: SWEEP }, 'wrong_sender'],
      [{ ...all, movement: payout({ currency: 'DAI', to: HOT }) }, 'priority_above_fee'],
      [{ ...all, ...feesOf(500n, 1n), movement: payout({ currency: 'DAI', to: HOT }) }, 'token_not_listed'],
      [{ ...all, ...feesOf(500n, 1n), movement: payout({ to: HOT, units: '9'.repeat(20) }) }, 'own_address'],
      [{ ...all, nonce: 1, ...feesOf(500n, 1n), movement: payout({ order: undefined }) }, 'order_missing'],
      [{ ...all, ...feesOf(500n, 1n), movement: payout({ units: '9'.repeat(20) }) }, 'nonce_used'],
      [{ ...all, nonce: 1, ...feesOf(500n, 1n), movement: payout({ units: '9'.repeat(20) }) }, 'fee_per_gas_above_cap'],
      [{ ...all, nonce: 1, ...feesOf(50n, 1n), movement: payout({ units: '9'.repeat(20) }) }, 'fee_above_cap'],
      [{ nonce: 1, movement: payout({ units: '9'.repeat(20) }) }, 'amount_above_cap'],
    ];
    const signer = new Signer();
    signer.sign({});
    for (const [asked, reason] of faults) expect(signer.answer(asked)).toBe(reason);
  });
});

describe('the signer signs', () => {
  it.each([
    ['a payout', {}, HOT, { currency: 'USDT', to: PAYEE, amount: 1_000_000n }],
    [
      'a sweep',
      { from: depositSender(7), movement: SWEEP },
      depositAddress(7),
      { currency: 'USDC', to: HOT, amount: 25_000_000n },
    ],
    [
      'any amount to the cold address',
      { movement: TO_COLD },
      HOT,
      { currency: 'USDT', to: COLD, amount: 900_000_000_000n },
    ],
    ['gas', { movement: GAS }, HOT, { currency: null, to: depositAddress(7), amount: 2_000_000_000_000_000n }],
    ['a cancellation', { movement: CANCEL }, HOT, { currency: null, to: HOT, amount: 0n }],
    [
      "a deposit address's cancellation",
      { from: depositSender(7), movement: CANCEL },
      depositAddress(7),
      { currency: null, to: depositAddress(7), amount: 0n },
    ],
  ] as [string, Partial<SignTransfer>, string, object][])(
    '%s, with the payee of its kind',
    (_, asked, from, transfer) => {
      const signed = new Signer().sign(asked);
      expect(signed.from).toBe(from);
      expect(signed.terms.transfer).toEqual(transfer);
    },
  );

  it('exactly what a cap allows', () => {
    const signer = new Signer();
    for (const nonce of [0, 1]) signer.sign({ nonce, movement: payout({ units: '1000000000' }) });
    expect(signer.answer({ nonce: 2, movement: payout({ units: '500000000' }) })).toBe('signed');
  });

  it('the same request again without a new signature', () => {
    const signer = new Signer();
    const signed = signer.sign({});
    expect(signer.decide(requestOf())).toEqual({ repeat: signed });
  });

  it('the same payment with both fees 10 % higher, and then higher again', () => {
    const signer = new Signer();
    signer.sign({});
    signer.sign(RAISED);
    expect(signer.answer(feesOf(24n, 2n))).toBe('fees_not_raised');
    expect(signer.answer(feesOf(25n, 3n))).toBe('signed');
    expect(signer.answer({})).toBe('fees_not_raised');
  });

  it('the cancellation of a payment, and that with higher fees', () => {
    const signer = new Signer();
    signer.sign({});
    signer.sign({ movement: CANCEL, ...RAISED });
    expect(signer.answer({ movement: CANCEL, ...RAISED })).toBe('repeated');
    expect(signer.answer({ movement: CANCEL, ...feesOf(25n, 3n) })).toBe('signed');
  });

  it('only the cancellation under a nonce that is too old to be known, and no payment after it', () => {
    const signer = new Signer();
    for (const nonce of [1, 2, 3, 4]) signer.sign({ nonce });
    signer.sign({ nonce: 1, movement: CANCEL });
    expect(signer.answer({ nonce: 1, ...feesOf(50n, 5n) })).toBe('nonce_used');
    for (const nonce of [5, 6, 7]) signer.sign({ nonce, movement: CANCEL });
    expect(signer.answer({ nonce: 1, ...feesOf(50n, 5n) })).toBe('nonce_closed');
    expect(signer.answer({ nonce: 1, movement: CANCEL, ...feesOf(50n, 5n) })).toBe('signed');
  });

  it('one nonce for each address and network', () => {
    const signer = new Signer();
    signer.sign({});
    expect(signer.answer({ network: 'bep20', movement: payout({ units: '2' }) })).toBe('signed');
    expect(signer.answer({ from: depositSender(0), movement: SWEEP })).toBe('signed');
    signer.sign({ from: depositSender(0), movement: SWEEP });
    expect(signer.answer({ from: depositSender(1), movement: SWEEP })).toBe('signed');
  });
});

describe('an order', () => {
  const PAID = payout(orderOf(FIRST, payment()));

  it('is paid once, also when its payment is too old to be known', () => {
    const signer = new Signer();
    for (const nonce of [0, 1, 2, 3, 4, 5]) signer.sign({ nonce });
    expect(signer.answer({ nonce: 6, movement: PAID })).toBe('order_paid');
    expect(signer.answer({ nonce: 0, movement: PAID })).toBe('nonce_closed');
  });

  it('was checked when its payment was first signed: a replacement needs none', () => {
    const signer = new Signer();
    signer.sign({});
    expect(signer.answer({ ...RAISED, movement: payout({ order: undefined }) })).toBe('signed');
  });

  it('can be missing where services of a version without orders may have asked', () => {
    const signer = new Signer({ ...POLICY, orders: { ...POLICY.orders, acceptsUnsigned: true } });
    expect(signer.answer({ movement: payout({ order: undefined }) })).toBe('signed');
    expect(signer.answer({ movement: payout({ ...orderOf(FIRST, payment()), units: '2' }) })).toBe('wrong_order');
  });
});

describe('a payment counts in the caps', () => {
  const FULL = payout({ units: '1000000000' });
  const HALF = payout({ units: '500000000' });

  it('once, however often it is replaced', () => {
    const signer = new Signer();
    signer.sign({ movement: FULL });
    signer.sign({ movement: FULL, ...RAISED });
    signer.sign({ movement: FULL, ...feesOf(30n, 3n) });
    expect(signer.memory.spentWithinDay('erc20:USDT', NOON)).toBe(1_000_000_000n);
    expect(signer.memory.spentWithinDay('erc20:fees', NOON)).toBe(65_000n * 30n * 10n ** 9n);
  });

  it('also when it was cancelled: either may be mined', () => {
    const signer = new Signer();
    signer.sign({ movement: FULL });
    signer.sign({ movement: CANCEL, ...RAISED });
    expect(signer.memory.spentWithinDay('erc20:USDT', NOON)).toBe(1_000_000_000n);
  });

  it('for 24 hours, by the whole of which the sum rolls on', () => {
    const signer = new Signer();
    signer.sign({ nonce: 0, movement: FULL }, NOON);
    signer.sign({ nonce: 1, movement: FULL }, NOON + HOUR);
    const asked = { nonce: 2, movement: payout({ units: '500000001' }) };
    expect(signer.answer(asked, NOON + 24 * HOUR)).toBe('amount_above_daily_cap');
    expect(signer.answer(asked, NOON + 24 * HOUR + 60_000)).toBe('signed');
    expect(signer.answer({ nonce: 2, movement: FULL }, NOON + 24 * HOUR + 60_000)).toBe('signed');
  });

  it('of its own network and currency', () => {
    const signer = new Signer();
    signer.sign({ nonce: 0, movement: FULL });
    signer.sign({ nonce: 1, movement: FULL });
    expect(signer.answer({ nonce: 2, movement: { ...FULL, currency: 'USDC' } as typeof FULL })).toBe('signed');
    expect(signer.answer({ nonce: 2, movement: HALF })).toBe('signed');
    expect(signer.answer({ network: 'bep20', movement: payout({ units: `1000${'0'.repeat(18)}` }) })).toBe('signed');
  });

  it('and sweeps and transfers to the cold address in none', () => {
    const signer = new Signer();
    signer.sign({ movement: TO_COLD });
    signer.sign({ from: depositSender(1), movement: SWEEP });
    for (const name of ['erc20:USDT', 'erc20:USDC', 'erc20:gas'] as const)
      expect(signer.memory.spentWithinDay(name, NOON)).toBe(0n);
  });
});
