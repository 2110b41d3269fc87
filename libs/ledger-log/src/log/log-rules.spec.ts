import { AskerRules } from './asker-rules';
import { eventHash, GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { Money } from '@stablecoin/money/money';
import { eventfulLog, overdrawnLog } from '../testing/driven-log';
import { firstFault as faultOf, headOf } from '../testing/first-fault';
import { Head, LogInspector } from './log-inspector';

const log = eventfulLog(3);
const rows = log.rows;
const firstFault = (of: readonly EventRow[], head: Head | undefined = headOf(rows)) => faultOf(3, of, head);

const at = (position: number) => rows[position - 1] as EventRow;
const flipped = (text: string, index: number) =>
  text.slice(0, index) + (text[index] === '1' ? '2' : '1') + text.slice(index + 1);
const replaced = (position: number, change: Partial<EventRow>) =>
  rows.map((row) => (row.position === position ? { ...row, ...change } : row));

const positionOf = (test: (recorded: RecordedEvent) => boolean): number => {
  const found = log.events.find(test)?.position;
  if (found === undefined) throw new Error('the log has no such event');
  return found;
};
const debit = positionOf(({ event }) => event.type === 'DebitPosted');

describe('a log that the ledger wrote', () => {
  it('has no fault', () => {
    expect(firstFault(rows)).toBeUndefined();
    expect(new Set(log.events.map(({ movement }) => movement)).size).toBe(13);
  });
});

describe('a log that was changed', () => {
  const hashByte = (position: number, index: number) => {
    const hash = Buffer.from(at(position).hash);
    hash.writeUInt8(hash.readUInt8(index) ^ 1, index);
    return hash;
  };
  const cases: [string, readonly EventRow[], number][] = [
    ['a body', replaced(5, { body: flipped(at(5).body, 40) }), 5],
    ['a hash', replaced(7, { hash: hashByte(7, 31) }), 7],
    ['the last hash', replaced(rows.length, { hash: hashByte(rows.length, 0) }), rows.length],
    ['recorded_at', replaced(6, { recorded_at: '2026-11-21T12:00:00.001Z' }), 6],
    ['account_id', replaced(4, { account_id: 'liquidity:USD' }), 4],
    ['account_id, to nothing', replaced(4, { account_id: null }), 4],
    ['transaction', replaced(9, { transaction: log.merchant_id }), 9],
    ['a row, deleted', rows.filter(({ position }) => position !== 8), 8],
    ['the first row, deleted', rows.slice(1), 1],
    ['two rows, swapped', swapped(10, 11), 10],
    ['the tail, cut off', rows.slice(0, -2), rows.length - 1],
    ['the tail, cut off within a group', rows.slice(0, -3), rows.length - 2],
    ['everything, deleted', [], 1],
  ];

  it.each(cases)('%s: found, with its position', (_name, changed, position) => {
    expect(firstFault(changed)).toMatchObject({ shard: 3, position });
  });

  it('any single bit of any event: found where it is', () => {
    for (const { position, body } of rows) {
      const index = (position * 37) % body.length;
      expect(firstFault(replaced(position, { body: flipped(body, index) }))?.position).toBe(position);
      expect(firstFault(replaced(position, { hash: hashByte(position, position % 32) }))?.position).toBe(position);
    }
  });

  it('the head: found at the end of the log', () => {
    const end = headOf(rows);
    expect(firstFault(rows, { ...end, hash: GENESIS_HASH })).toMatchObject({ position: rows.length });
    expect(firstFault(rows, { ...end, position: end.position - 1 })).toMatchObject({ position: rows.length });
    expect(firstFault(rows, { ...end, position: end.position + 5 })).toMatchObject({ position: rows.length + 1 });
    const inspector = new LogInspector(3, new AskerRules(undefined, { checked: 0, unchecked: 0 }));
    rows.forEach((row) => inspector.follow(row));
    inspector.finish(undefined);
    expect(inspector.fault).toMatchObject({
      position: rows.length,
      problem: expect.stringContaining('ledger_shards') as unknown,
    });
  });

  function swapped(one: number, other: number): EventRow[] {
    const changed = rows.map((row) => {
      if (row.position === one) return { ...row, position: other };
      return row.position === other ? { ...row, position: one } : row;
    });
    return changed.sort((left, right) => left.position - right.position);
  }
});

describe('a log whose hashes were all recomputed', () => {
  type Forged = Omit<RecordedEvent, 'event'> & { event: Record<string, unknown> };
  type Change = (recorded: Forged) => void;

  /** The log with one event changed, and the chain recomputed. */
  function forged(position: number, change: Change): EventRow[] {
    const events = structuredClone(log.events);
    change(events[position - 1] as unknown as Forged);
    return eventRows(events, GENESIS_HASH);
  }

  const status = positionOf(({ event }) => event.type === 'TransactionStatusChanged' && event.to === 'COMPLETED');
  const opening = positionOf(({ event }) => event.type === 'TransactionStatusChanged' && event.from === null);
  const secondWallet = positionOf(({ event }) => event.type === 'WalletOpened' && event.currency === 'USDC');
  const secondAddress = positionOf(({ movement }) => movement === 'deposit-address-added');
  const walletDebit = positionOf(({ event }) => event.type === 'DebitPosted' && !event.account_id.includes(':'));
  const closing = log.events.length;
  const reversal = positionOf(({ movement }) => movement === 'deposit-reversed');
  const failure = positionOf(({ movement }) => movement === 'deposit-failed');
  const openedId = (position: number) => (log.events[position - 1]?.event as { opens: { id: string } }).opens.id;

  const MORE = { amount: '1000.00000001', balance_after: '1000.00000001' };
  const cases: [string, number, Change, RegExp, number?][] = [
    ['an unknown type', 2, ({ event }) => (event['type'] = 'WalletClosed'), /type that is not known/],
    ['a type of every object', 2, ({ event }) => (event['type'] = 'constructor'), /type that is not known/],
    ['an unknown version', 2, ({ event }) => (event['version'] = 2), /version that is not known/],
    [
      'an amount that is no text of 8 decimals',
      debit,
      ({ event }) => (event['amount'] = '1e3'),
      /amount is missing, malformed or not known/,
    ],
    ['an unknown movement', 3, (recorded) => ((recorded as { movement: string }).movement = 'gift'), /movement/],
    ['an id that is none', 1, (recorded) => (recorded.merchant_id = 'x'), /merchant_id/],
    ['an earlier time', debit, (recorded) => (recorded.recorded_at = '2026-11-21T11:59:59.999Z'), /runs backwards/],
    ['a group that began elsewhere', debit + 1, (recorded) => (recorded.group -= 1), /belongs to no group/],
    [
      'another command in a group',
      debit + 1,
      (recorded) => (recorded.command_id = log.merchant_id),
      /belongs to no group/,
    ],
    // Found at the group's first position, although only its second leg was changed.
    [
      'a credit that its debit doesn’t cover',
      debit + 1,
      ({ event }) => Object.assign(event, MORE),
      /debits of 1000/,
      debit,
    ],
    [
      'a balance that doesn’t follow',
      debit + 1,
      ({ event }) => (event['balance_after'] = '1.00000000'),
      /by the events before it is 1000/,
    ],
    ['a status event’s balance', status, ({ event }) => (event['balance_after'] = '1.00000000'), /balance_after/],
    [
      'an address event’s balance',
      secondAddress,
      ({ event }) => (event['balance_after'] = '1.00000000'),
      /balance_after/,
    ],
    ['a wallet opened with money', 1, ({ event }) => (event['balance_after'] = '1.00000000'), /balance_after/],
    ['a wallet opened twice', secondWallet, ({ event }) => (event['wallet_id'] = walletOf(1)), /open already/],
    [
      'a second wallet of a currency',
      secondWallet,
      ({ event }) => (event['currency'] = 'USD'),
      /of this currency already/,
    ],
    [
      'a second address on a network',
      secondAddress,
      ({ event }) => (event['network'] = 'erc20'),
      /address there already/,
    ],
    ['another owner', opening, (recorded) => (recorded.merchant_id = log.id()), /not the owner/],
    [
      'a status that skips',
      status,
      ({ event }) => (event['to'] = 'REVERSED'),
      /no deposit-completed consists of these events/,
      status - 2,
    ],
    ['a status that was another', status, ({ event }) => (event['from'] = 'FAILED'), /but it is PENDING/],
    [
      'a transaction that begins completed',
      opening,
      ({ event }) => (event['to'] = 'COMPLETED'),
      /can’t change from none/,
    ],
    ['a transaction that was never opened', debit, ({ event }) => (event['transaction'] = log.merchant_id), /not open/],
    [
      'a bank’s deposit booked on a chain',
      debit,
      ({ event }) => (event['account_id'] = 'external:chain:USD'),
      /books at external:chain:USD what its transaction has on no network/,
    ],
    [
      'a posting to another currency’s account',
      debit,
      ({ event }) => (event['account_id'] = 'external:bank:EUR'),
      /another currency/,
    ],
    [
      'a deposit booked on another network',
      reversal + 1,
      ({ event }) => (event['account_id'] = 'external:erc20:USDC'),
      /books at external:erc20:USDC what its transaction has on solana/,
    ],
    [
      'a failure that ends otherwise',
      failure,
      ({ event }) => (event['to'] = 'COMPLETED'),
      /no deposit-failed consists of these events/,
    ],
    ['a customer closed that is none', closing, (recorded) => (recorded.customer_id = null), /closes no customer/],
    [
      'a debit of more than its transaction',
      walletDebit,
      ({ event }) => ((event['opens'] as { amount: string }).amount = '1.00000000'),
      /debits 100\.00000000 for a transaction of 1\.0/,
    ],
    [
      'a status of another wallet',
      status,
      ({ event }) => (event['account_id'] = walletOf(secondWallet)),
      /names another wallet/,
    ],
    [
      'a posting to a wallet of another currency',
      debit + 1,
      ({ event }) => (event['account_id'] = walletOf(secondWallet)),
      /wallet is of another currency/,
    ],
    [
      'a transaction opened twice',
      walletDebit,
      ({ event }) => {
        event['transaction'] = openedId(opening);
        (event['opens'] as { id: string }).id = openedId(opening);
      },
      /open already/,
    ],
  ];

  it.each(cases)('%s: found by the rules', (_name, position, change, problem, named = position) => {
    const changed = forged(position, change);
    expect(firstFault(changed, headOf(changed))).toEqual({
      shard: 3,
      position: named,
      problem: expect.stringMatching(problem) as unknown,
    });
  });

  /** The reversal, which is of 9.5, takes another amount. */
  const reversing = (events: Forged[], amount: string) => {
    const [debited, credited] = events.slice(reversal - 1).map(({ event }) => event);
    const more = Money.parse('USDC', amount).minus(Money.parse('USDC', '9.5'));
    const balance_after = Money.parse('USDC', debited?.['balance_after'] as string)
      .minus(more)
      .toString();
    Object.assign(debited as object, { amount, balance_after });
    Object.assign(credited as object, { amount });
  };
  const longer: [string, (events: Forged[]) => void, number, RegExp][] = [
    [
      'a movement of nothing',
      (events) => {
        Object.assign(events[debit - 1]?.event as object, { amount: '0.00000000', balance_after: '0.00000000' });
        Object.assign(events[debit]?.event as object, { amount: '0.00000000', balance_after: '0.00000000' });
      },
      debit,
      /not positive/,
    ],
    [
      'a reversal of more than its deposit',
      (events) => reversing(events, '10.00000000'),
      reversal,
      /reverses no completed deposit of this wallet and amount/,
    ],
    [
      'a reversal of a deposit that failed',
      (events) => {
        reversing(events, '8.50000000');
        events.slice(reversal - 1, reversal + 2).forEach(({ event }) => {
          event['transaction'] = openedId(failure - 1);
        });
      },
      reversal,
      /reverses no completed deposit of this wallet and amount/,
    ],
    ['a log that ends within a group', (events) => void events.splice(debit), debit, /debits of 1000/],
    [
      'a customer closed twice',
      (events) => {
        const again = structuredClone(events[closing - 1]) as Forged;
        events.push(Object.assign(again, { position: closing + 1, group: closing + 1 }));
      },
      closing + 1,
      /closed already/,
    ],
  ];

  it('a reversal that leaves its deposit COMPLETED, to be reversed again: found', () => {
    const events = structuredClone(log.events.slice(0, reversal + 1));
    const changed = eventRows(events, GENESIS_HASH);
    expect(firstFault(changed, headOf(changed))).toMatchObject({
      position: reversal,
      problem: expect.stringMatching(/no deposit-reversed consists of these events/) as unknown,
    });
  });

  it('a wallet below zero by reversed deposits, covered bit by bit: sound', () => {
    const covered = overdrawnLog(3).rows;
    expect(covered.some(({ body }) => body.includes('"balance_after":"-41.15000000"'))).toBe(true);
    expect(firstFault(covered, headOf(covered))).toBeUndefined();
  });

  it.each(longer)('%s: found', (_name, change, position, problem) => {
    const events = structuredClone(log.events);
    change(events as unknown as Forged[]);
    const changed = eventRows(events, GENESIS_HASH);
    expect(firstFault(changed, headOf(changed))).toMatchObject({
      position,
      problem: expect.stringMatching(problem) as unknown,
    });
  });

  it('a wallet below zero, with all sums correct: found', () => {
    const changed = eventRows(overdrawn(), GENESIS_HASH);
    expect(firstFault(changed, headOf(changed))).toMatchObject({
      problem: expect.stringMatching(/below zero: -/) as unknown,
    });
  });

  it('text that is not canonical: found', () => {
    const [first] = eventRows(log.events.slice(0, 1), GENESIS_HASH);
    if (!first) throw new Error('no first row');
    expect(firstFault([respelled(first)], undefined)).toMatchObject({
      position: 1,
      problem: expect.stringMatching(/canonical/) as unknown,
    });
  });

  const walletOf = (position: number) => (log.events[position - 1]?.event as { wallet_id: string }).wallet_id;

  /** A payout of more than was ever deposited, with matching legs and balances. */
  function overdrawn(): RecordedEvent[] {
    const events = structuredClone(log.events.slice(0, walletDebit + 1));
    const [taken, given] = events.slice(-2).map(({ event }) => event as unknown as Record<string, unknown>);
    if (!taken || !given) throw new Error('no legs');
    Object.assign(taken, { amount: '2000.00000000', balance_after: '-1000.00000000' });
    Object.assign(taken['opens'] as object, { amount: '2000.00000000' });
    Object.assign(given, { amount: '2000.00000000', balance_after: '2000.00000000' });
    return events;
  }
});

function respelled(row: EventRow): EventRow {
  const body = row.body.replace('{', '{ ');
  return { ...row, body, hash: eventHash(GENESIS_HASH, body) };
}
