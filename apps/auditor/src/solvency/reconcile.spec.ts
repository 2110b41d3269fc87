import { OperatorsAct } from '../acts/operators-acts';
import { Decision } from './decisions';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { Amount, sumOf } from './amounts';
import {
  Books,
  Explanation,
  LedgerMovement,
  Order,
  reconcile,
  Reconciliation,
  SeenDeposit,
  TreasuryTransfer,
} from './reconcile';

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const hashOf = (name: string): Hex => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`;
const idOf = (name: string) =>
  `0199f000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;

const [HOT, COLD, OURS, PAYEE, OUTSIDE] = ['a', 'b', '1', '2', '3'].map(addressOf) as [Hex, Hex, Hex, Hex, Hex];
const MERCHANT = 'merchant';
const WALLET = 'wallet';
const HEIGHT = 100;

/** Money put in by us, a deposit that was credited, and a payout that was completed: what a quiet day looks like. */
const DECISION: Decision = {
  ...{ resolution: 'credit', wallet_id: 'another', transaction_hash: null, actor: 'trent', reason: 'case 7' },
  decided_at: '2026-12-01T12:00:00.000Z',
};

class Day {
  private readonly transfers: TreasuryTransfer[] = [];
  private readonly deposits: SeenDeposit[] = [];
  private readonly movements: LedgerMovement[] = [];
  private readonly orders: Order[] = [];
  private readonly balances = new Map<Hex, Amount>([HOT, COLD, OURS].map((address) => [address, 0n]));
  private rest: Partial<Books> = {};

  static quiet(): Day {
    return new Day()
      .moved('funding', OUTSIDE, HOT, 1_000n)
      .deposited('one', 500n)
      .credited('one', 500n)
      .paid('two', 200n);
  }

  with(rest: Partial<Books>): this {
    this.rest = { ...this.rest, ...rest };
    return this;
  }

  /** A transfer of hot or cold, and what it does to balances. */
  moved(name: string, from: Hex, to: Hex, amount: Amount): this {
    const logIndex = this.transfers.length;
    this.transfers.push({ transactionHash: hashOf(name), logIndex, from, to, amount });
    return this.holds(from, -amount).holds(to, amount);
  }

  /** On the chain; the watcher has seen it. */
  deposited(name: string, held: Amount, changed: Partial<SeenDeposit> = {}): this {
    const deposit: SeenDeposit = {
      ...{ id: idOf(`seen-${name}`), transactionHash: hashOf(name), to: OURS, held, rest: 0n, blockNumber: 50 },
      ...{ standing: 'final', booked: 'completed', merchantId: MERCHANT, ledgerId: idOf(name) },
      ...{ decisions: changed.resolution ? [DECISION] : [], resolution: null, creditedTo: null, returnedBy: null },
      ...changed,
    };
    this.deposits.push(deposit);
    const isThere = deposit.standing !== 'gone' && deposit.standing !== 'orphaned' && deposit.blockNumber <= HEIGHT;
    return isThere ? this.holds(deposit.to, held) : this;
  }

  /** By the ledger. */
  credited(name: string, amount: Amount, changed: Partial<LedgerMovement> = {}): this {
    return this.booked(name, { type: 'DEPOSIT', amount, booked: amount, ...changed });
  }

  booked(name: string, changed: Partial<LedgerMovement> & Pick<LedgerMovement, 'type' | 'amount'>): this {
    this.movements.push({
      ...{ id: idOf(name), transactionId: name.toUpperCase(), merchantId: MERCHANT, status: 'COMPLETED', booked: 0n },
      ...{ transactionHash: hashOf(name), walletId: WALLET },
      ...changed,
    });
    return this;
  }

  /** Ordered, sent and completed. */
  paid(name: string, amount: Amount, changed: Partial<LedgerMovement> = {}): this {
    return this.ordered(name, amount)
      .moved(name, HOT, PAYEE, amount)
      .booked(name, { type: 'PAYOUT', amount, booked: -amount, ...changed });
  }

  ordered(name: string, amount: Amount, changed: Partial<Order> = {}): this {
    const reference = `payout-${idOf(name)}`;
    const hashes = [hashOf(name)];
    this.orders.push({ reference, kind: 'payout', state: 'completed', to: PAYEE, amount, hashes, ...changed });
    return this;
  }

  /** What no transfer tells. */
  holds(address: Hex, amount: Amount): this {
    const before = this.balances.get(address);
    if (before !== undefined) this.balances.set(address, before + amount);
    return this;
  }

  reconcile(): Reconciliation {
    const { transfers, deposits, movements, orders, balances } = this;
    return reconcile({
      ...{ blockNumber: HEIGHT, balances, treasury: new Set([HOT, COLD]), transfers, deposits, orders, movements },
      wallets: new Map([[OURS, [WALLET]]]),
      ...{ bookedOtherwise: 0n, takenOut: new Set(), later: new Set(), leftOut: new Set() },
      ...this.rest,
    });
  }
}

const explanationsOf = ({ explained }: Reconciliation) =>
  Object.fromEntries(
    Object.entries(explained)
      .filter(([, { items }]) => items > 0)
      .map(([name, { amount }]) => [name, amount]),
  );

it('on a quiet day, what is held is what we put in and what is booked', () => {
  const { held, putIn, booked, findings, ...rest } = Day.quiet().reconcile();
  expect({ held, putIn, booked, findings }).toEqual({
    held: 1_300n,
    putIn: { items: 1, amount: 1_000n },
    booked: 300n,
    findings: [],
  });
  expect(explanationsOf({ held, putIn, booked, findings, ...rest })).toEqual({});
});

it('what moves among our addresses changes nothing', () => {
  const { putIn, booked, findings } = Day.quiet()
    .moved('sweep', OURS, HOT, 500n)
    .moved('cold', HOT, COLD, 400n)
    .moved('self', HOT, HOT, 3n)
    .reconcile();
  expect({ putIn: putIn.amount, booked, findings }).toEqual({ putIn: 1_000n, booked: 300n, findings: [] });
});

describe('with a reason, it is no finding:', () => {
  it('a deposit that an operator has credited to another wallet', () => {
    const day = Day.quiet()
      .deposited('moved', 5n, { resolution: 'credit', creditedTo: 'another' })
      .credited('moved', 5n, { walletId: 'another' });
    expect(day.reconcile().findings).toEqual([]);
  });

  it.each<[string, Day, Partial<Record<Explanation, Amount>>]>([
    [
      'a deposit that the ledger does not know yet',
      Day.quiet().deposited('new', 7n, { booked: 'recording', ledgerId: null, standing: 'included' }),
      { uncredited: 7n },
    ],
    [
      'one that is PENDING',
      Day.quiet().deposited('new', 7n, { booked: 'recorded' }).credited('new', 7n, { booked: 0n, status: 'PENDING' }),
      { uncredited: 7n },
    ],
    [
      'one that was credited since',
      Day.quiet().deposited('new', 7n).credited('new', 7n, { booked: 0n }),
      { uncredited: 7n },
    ],
    [
      'one that was credited in a later block',
      Day.quiet()
        .deposited('new', 7n, { blockNumber: HEIGHT + 1 })
        .credited('new', 7n)
        .with({ later: new Set([idOf('new')]) }),
      { 'credited-later': -7n },
    ],
    [
      'one in a later block that is not credited',
      Day.quiet().deposited('new', 7n, { blockNumber: HEIGHT + 1, ledgerId: null }),
      {},
    ],
    [
      'one that is gone, and was reversed',
      Day.quiet().deposited('new', 7n, { standing: 'gone' }).credited('new', 7n, { booked: 0n, status: 'REVERSED' }),
      {},
    ],
    [
      'one that the ledger has failed',
      Day.quiet().deposited('new', 7n, { booked: 'failed' }).credited('new', 7n, { booked: 0n, status: 'FAILED' }),
      { 'not-credited': 7n },
    ],
    [
      'one that is not recognised',
      Day.quiet().deposited('odd', 7n, { booked: 'unrecognised', ledgerId: null }),
      { unrecognised: 7n },
    ],
    [
      'one that is ignored',
      Day.quiet().deposited('odd', 7n, { booked: 'resolved', resolution: 'ignore', ledgerId: null }),
      { 'not-credited': 7n },
    ],
    [
      'one that an operator will send back',
      Day.quiet().deposited('odd', 7n, {
        ...{ booked: 'resolved', resolution: 'returned', ledgerId: null, returnedBy: hashOf('back') },
      }),
      { returned: 7n },
    ],
    [
      'one that was sent back',
      Day.quiet()
        .deposited('odd', 7n, {
          booked: 'resolved',
          resolution: 'returned',
          ledgerId: null,
          returnedBy: hashOf('back'),
        })
        .moved('back', HOT, OUTSIDE, 7n),
      { returned: 0n },
    ],
    [
      'the rest of a credited deposit',
      Day.quiet().deposited('fine', 75n, { rest: 5n }).credited('fine', 70n),
      { rest: 5n },
    ],
    [
      'a payout that has left and is PENDING',
      Day.quiet()
        .ordered('out', 9n, { state: 'sent' })
        .moved('out', HOT, PAYEE, 9n)
        .booked('out', {
          ...{ type: 'PAYOUT', amount: 9n, status: 'PENDING', transactionHash: null },
        }),
      { paid: -9n },
    ],
    [
      'one that was completed since',
      Day.quiet().ordered('out', 9n).moved('out', HOT, PAYEE, 9n).booked('out', { type: 'PAYOUT', amount: 9n }),
      { paid: -9n },
    ],
    [
      'one of which the first of two transactions was mined',
      Day.quiet()
        .ordered('out', 9n, { hashes: [hashOf('first'), hashOf('second')] })
        .moved('first', HOT, PAYEE, 9n)
        .booked('out', { type: 'PAYOUT', amount: 9n, status: 'PENDING', transactionHash: hashOf('second') }),
      { paid: -9n },
    ],
    [
      'one that was completed, in a later block',
      Day.quiet()
        .ordered('out', 9n)
        .booked('out', { type: 'PAYOUT', amount: 9n, booked: -9n })
        .with({ later: new Set([idOf('out')]) }),
      { 'paid-later': 9n },
    ],
    [
      'one whose order is lost, by the name that the ledger has',
      Day.quiet().moved('out', HOT, PAYEE, 9n).booked('out', { type: 'PAYOUT', amount: 9n, booked: -9n }),
      {},
    ],
    ['a payout that waits', Day.quiet().ordered('out', 9n, { state: 'waiting', hashes: [] }), {}],
    [
      'play money, of merchants that are left out',
      Day.quiet()
        .credited('play', 50n, { merchantId: 'test', transactionHash: null })
        .booked('play-out', { type: 'PAYOUT', amount: 20n, booked: -20n, merchantId: 'test' })
        .deposited('real', 7n, { merchantId: 'test' })
        .credited('real', 7n, { merchantId: 'test' })
        .with({ leftOut: new Set(['test']) }),
      { 'left-out': 7n },
    ],
  ])('%s', (_, day, expected) => {
    const found = day.reconcile();
    expect(found.findings).toEqual([]);
    expect(explanationsOf(found)).toEqual(expected);
  });

  it('play money is not counted as booked', () => {
    const day = Day.quiet().credited('play', 50n, { merchantId: 'test', transactionHash: null });
    expect(day.with({ leftOut: new Set(['test']) }).reconcile().booked).toBe(300n);
  });

  it('what we took out ourselves', () => {
    const day = Day.quiet().moved('out', COLD, OUTSIDE, 30n).moved('fill', HOT, COLD, 30n);
    const { takenOut, findings } = day.with({ takenOut: new Set([hashOf('out')]) }).reconcile();
    expect({ takenOut, findings }).toEqual({ takenOut: { items: 1, amount: -30n }, findings: [] });
  });
});

describe('a finding, to the unit:', () => {
  it.each<[string, Day, Amount, RegExp]>([
    ['a unit stolen from the hot wallet', Day.quiet().moved('theft', HOT, OUTSIDE, 1n), -1n, /left without a payout/],
    ['a unit that left it without a transfer', Day.quiet().holds(HOT, -1n), -1n, /the wallet 0xa+ holds less/],
    ['a unit stolen from a deposit address', Day.quiet().holds(OURS, -1n), -1n, /the deposit address 0x1+ holds less/],
    ['a unit that the watcher has not seen', Day.quiet().holds(OURS, 1n), 1n, /the deposit address 0x1+ holds more/],
    ['a unit more in the cold wallet', Day.quiet().holds(COLD, 1n), 1n, /the wallet 0xb+ holds more/],
    [
      'a deposit that was credited and is not on the chain',
      Day.quiet().credited('never', 5n),
      -5n,
      /deposit NEVER .* was credited, and is not on the chain/,
    ],
    [
      'one that the watcher has, and no balance',
      Day.quiet().deposited('never', 5n).credited('never', 5n).holds(OURS, -5n),
      -5n,
      /the deposit address .* holds less/,
    ],
    [
      'one said to be in a later block, where it is not',
      Day.quiet()
        .deposited('never', 5n, { blockNumber: HEIGHT + 1 })
        .credited('never', 5n),
      -5n,
      /is not on the chain/,
    ],
    [
      'one that was credited and is gone',
      Day.quiet().deposited('gone', 5n, { standing: 'gone' }).credited('gone', 5n),
      -5n,
      /is not on the chain/,
    ],
    [
      'one transfer that was credited twice',
      Day.quiet().credited('again', 500n, { transactionHash: hashOf('one') }),
      -500n,
      /deposit AGAIN .* is not on the chain/,
    ],
    [
      'one credited twice under one name, seen twice by the watcher',
      Day.quiet()
        .deposited('again', 500n, { ledgerId: idOf('one'), transactionHash: hashOf('one') })
        .holds(OURS, -500n),
      -500n,
      /the deposit address .* holds less/,
    ],
    [
      'a deposit at an address that is none of the ledger’s',
      Day.quiet().deposited('else', 5n, { to: PAYEE }).credited('else', 5n),
      -5n,
      /no address of the ledger's/,
    ],
    [
      'one that was credited to another wallet than that of its address',
      Day.quiet().deposited('moved', 5n).credited('moved', 5n, { walletId: 'another' }),
      0n,
      /deposit MOVED .* is wallet another's, and the 0\.0+5 of transfer .* came to 0x1+, which is another wallet's address/,
    ],
    [
      'one that was credited with another amount than came',
      Day.quiet().deposited('more', 5n).credited('more', 6n),
      -6n,
      /deposit MORE .* is not on the chain/,
    ],
    [
      'a payout that left twice, in two transactions of its order',
      Day.quiet()
        .ordered('two', 200n, { hashes: [hashOf('twice')] })
        .moved('twice', HOT, PAYEE, 200n),
      -200n,
      /left for payout TWO .*, which has left before/,
    ],
    [
      'one that left under another reference',
      Day.quiet().ordered('strange', 200n, { reference: 'by-hand' }).moved('strange', HOT, PAYEE, 200n),
      -200n,
      /left without a payout/,
    ],
    [
      'one that left for someone else than was ordered',
      Day.quiet()
        .ordered('out', 9n)
        .moved('out', HOT, OUTSIDE, 9n)
        .booked('out', { type: 'PAYOUT', amount: 9n, status: 'PENDING', transactionHash: null }),
      -9n,
      /left without a payout/,
    ],
    [
      'one that left with more than it is of',
      Day.quiet()
        .ordered('out', 9n)
        .moved('out', HOT, PAYEE, 9n)
        .booked('out', { type: 'PAYOUT', amount: 8n, status: 'PENDING' }),
      -9n,
      /which is of/,
    ],
    [
      'one that left and was failed, so that the wallet has it back',
      Day.quiet()
        .ordered('out', 9n)
        .moved('out', HOT, PAYEE, 9n)
        .booked('out', { type: 'PAYOUT', amount: 9n, status: 'FAILED' }),
      -9n,
      /which is FAILED/,
    ],
    [
      'one that was completed and has not left',
      Day.quiet().ordered('out', 9n).booked('out', { type: 'PAYOUT', amount: 9n, booked: -9n }),
      9n,
      /payout OUT .* was completed, and has not left/,
    ],
    [
      'one of a merchant whose money is play money',
      Day.quiet()
        .paid('play', 4n, { merchantId: 'test' })
        .with({ leftOut: new Set(['test']) }),
      -4n,
      /of a merchant that is left out/,
    ],
    [
      'more sent back than had come',
      Day.quiet()
        .deposited('odd', 7n, { booked: 'resolved', resolution: 'ignore', ledgerId: null, returnedBy: hashOf('back') })
        .moved('back', HOT, OUTSIDE, 8n),
      -8n,
      /left without a payout/,
    ],
    [
      'one that was sent back twice',
      Day.quiet()
        .deposited('odd', 7n, {
          booked: 'resolved',
          resolution: 'returned',
          ledgerId: null,
          returnedBy: hashOf('back'),
        })
        .moved('back', HOT, OUTSIDE, 7n)
        .moved('back', HOT, OUTSIDE, 7n),
      -7n,
      /left without a payout/,
    ],
    [
      'what is said to send back a deposit that is owed',
      Day.quiet()
        .deposited('owed', 9n, { resolution: 'returned', returnedBy: hashOf('back') })
        .credited('owed', 9n)
        .moved('back', HOT, OUTSIDE, 8n),
      -8n,
      /left without a payout/,
    ],
    [
      'what is said to send back a deposit that is on no chain',
      Day.quiet()
        .deposited('odd', 9n, {
          ...{ standing: 'gone', booked: 'resolved', ledgerId: null },
          ...{ resolution: 'returned', returnedBy: hashOf('back') },
        })
        .moved('back', HOT, OUTSIDE, 8n),
      -8n,
      /left without a payout/,
    ],
    ['a posting without a transaction', Day.quiet().with({ bookedOtherwise: 3n }), -3n, /postings of transactions/],
  ])('%s', (_, day, amount, problem) => {
    const { findings } = day.reconcile();
    expect(sumOf(findings.map((finding) => finding.amount))).toBe(amount);
    expect(findings.map((finding) => finding.problem)).toEqual([expect.stringMatching(problem)]);
  });
});

it('a transfer that counts as resolved, and on which no operator has decided, is a finding', () => {
  const hidden = Day.quiet().deposited('odd', 7n, { booked: 'resolved', ledgerId: null });
  expect(hidden.reconcile().findings).toEqual([
    {
      amount: 0n,
      problem: `transfer ${idOf('seen-odd')} of 0.000000000000000007 counts as resolved, and no operator has decided on it`,
    },
  ]);
});

describe('what operators have decided', () => {
  const decision = DECISION;
  const act: OperatorsAct = {
    ...{ number: 4, action: 'chain unrecognised resolve', actor: 'trent', reason: 'case 7' },
    recorded_at: '2026-12-01T11:59:59.000Z',
    details: { deposit: idOf('seen-moved'), resolution: 'credit', wallet: 'another', transaction: null },
  };
  const decided = (acts?: readonly OperatorsAct[], { since = -Infinity, creditedTo = 'another' } = {}) =>
    Day.quiet()
      .deposited('moved', 5n, { resolution: 'credit', creditedTo, decisions: [decision] })
      .credited('moved', 5n, { walletId: 'another' })
      .with({ acts: acts && { acts, since } })
      .reconcile();

  it('is listed, with its act where acts are known', () => {
    const deposit = idOf('seen-moved');
    expect(decided()).toMatchObject({ findings: [], decisions: [{ ...decision, deposit, act: undefined }] });
    expect(decided([act])).toMatchObject({ findings: [], decisions: [{ ...decision, deposit, act: 4 }] });
  });

  it.each<[string, OperatorsAct[]]>([
    ['no act', []],
    ['an act of another operator', [{ ...act, actor: 'eve' }]],
    ['an act with another reason', [{ ...act, reason: 'case 8' }]],
    ['an act on another transfer', [{ ...act, details: { ...act.details, deposit: idOf('seen-one') } }]],
    ['an act for another wallet', [{ ...act, details: { ...act.details, wallet: 'a third' } }]],
    ['an act that came later', [{ ...act, recorded_at: '2026-12-02T12:00:00.000Z' }]],
    ['another act', [{ ...act, action: 'policies set' }]],
  ])('is a finding with %s', (_name, acts) => {
    const { findings } = decided(acts);
    const problem = `transfer ${idOf('seen-moved')} was credited to wallet another by trent: case 7, and no act of operators says so`;
    expect(findings).toEqual([{ amount: 0n, problem }]);
  });

  it('is none before acts were recorded', () => {
    expect(decided([], { since: Date.parse('2026-12-02') }).findings).toEqual([]);
    expect(decided([], { since: Date.parse('2026-12-01') }).findings).toHaveLength(1);
  });

  it('is a finding where it was credited to another wallet than was decided', () => {
    expect(decided([act], { creditedTo: 'a third' }).findings).toEqual([
      { amount: 0n, problem: expect.stringContaining("which is another wallet's address") as string },
    ]);
  });
});
