/**
 * Of what each movement consists, what may follow it in the same command, and between which accounts it posts how much. Sums that
 * are equal don't show it: money that enters under the name of a movement that needs no evidence, or behind a group that has
 * some, is posted as soundly as a rail's. It shares no code with the decider on purpose.
 *
 * Events as letters: W wallet opened, A address added, X customer closed, D debit, d debit that opens a transaction, p one that
 * opens a payout and has its judgement, C credit, O transaction opened as PENDING, c, f, r its change to COMPLETED, FAILED,
 * REVERSED, P policy, J judged by it, a approved, R released, j rejected.
 */
import { Transaction } from '@stablecoin/ledger-domain/entities';
import {
  CreditPosted,
  DebitPosted,
  LedgerEvent,
  Movement,
  OpenedTransaction,
  RecordedEvent,
  TransactionType,
} from '@stablecoin/ledger-domain/events';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';

type Place = 'wallet' | 'external' | 'payout-clearing' | 'liquidity' | 'transfers' | 'fees';
type Share = 'amount' | 'fee' | 'amount and fee';
/** From where to where, and how much of its transaction. */
type Posting = readonly [from: Place, to: Place, share: Share];

interface Shape {
  events: RegExp;
  /** In the order of its debits. */
  postings?: readonly Posting[];
  /** What it may follow in the same command; any other movement begins its command. */
  follows?: readonly Movement[];
  /** What has to come behind it in the same command. */
  leadsTo?: Movement;
}

const SHAPES: Readonly<Record<Movement, Shape>> = {
  'wallet-opened': { events: /^WA?$/ },
  'deposit-address-added': { events: /^A$/ },
  'customer-closed': { events: /^X$/ },
  'deposit-recorded': { events: /^O$/ },
  'deposit-completed': { events: /^DCc$/, postings: [['external', 'wallet', 'amount']] },
  'deposit-failed': { events: /^f$/ },
  'deposit-reversed': { events: /^DCr$/, postings: [['wallet', 'external', 'amount']] },
  'swap-accepted': { events: /^dCO$/, postings: [['wallet', 'liquidity', 'amount']], leadsTo: 'swap-settled' },
  'swap-settled': { events: /^DCcc$/, postings: [['liquidity', 'wallet', 'amount']], follows: ['swap-accepted'] },
  'payout-accepted': { events: /^(dCJ?|pC)$/, postings: [['wallet', 'payout-clearing', 'amount and fee']] },
  'payout-waiting': { events: /^dCJ$/, postings: [['wallet', 'payout-clearing', 'amount and fee']] },
  'payout-completed': {
    events: /^DC(DC)?c$/,
    postings: [
      ['payout-clearing', 'external', 'amount'],
      ['payout-clearing', 'fees', 'fee'],
    ],
  },
  'payout-failed': { events: /^j?DCf$/, postings: [['payout-clearing', 'wallet', 'amount and fee']] },
  'payout-reversed': {
    events: /^DC(DC)?r$/,
    postings: [
      ['external', 'wallet', 'amount'],
      ['fees', 'wallet', 'fee'],
    ],
  },
  'payout-approved': { events: /^a$/ },
  'payout-released': { events: /^a?R$/ },
  'policy-changed': { events: /^P$/ },
  'transfer-sent': {
    events: /^dCc$/,
    postings: [['wallet', 'transfers', 'amount']],
    follows: ['payout-reversed'],
    leadsTo: 'transfer-received',
  },
  'transfer-received': {
    events: /^ODCc$/,
    postings: [['transfers', 'wallet', 'amount']],
    follows: ['transfer-sent', 'wallet-opened'],
  },
};

/** Movements that begin commands, and may follow one as well. */
const MAY_FOLLOW: Readonly<Partial<Record<Movement, Movement>>> = {
  'deposit-completed': 'deposit-recorded',
  'wallet-opened': 'transfer-sent',
};

/** Of what type a transaction is that such a group opens: by its type limits hold for a payout, and solvency looks for a deposit. */
const OPENS: Readonly<Partial<Record<Movement, TransactionType>>> = {
  'deposit-recorded': 'DEPOSIT',
  'payout-accepted': 'PAYOUT',
  'payout-waiting': 'PAYOUT',
  'swap-accepted': 'INTERNAL TRANSFER',
  'transfer-sent': 'INTERNAL TRANSFER',
  'transfer-received': 'INTERNAL TRANSFER',
};

/** @returns what is wrong with the type of a transaction */
export const typeProblem = (
  { movement }: RecordedEvent,
  { transaction_type }: OpenedTransaction,
): string | undefined =>
  OPENS[movement] === transaction_type ? undefined : `a ${movement} opens no ${transaction_type}`;

/** A group with what it consists of. */
export interface Group {
  first: RecordedEvent;
  events: readonly LedgerEvent[];
}

/**
 * @param before the groups of the same command before it
 * @returns what is wrong with it
 */
export function shapeProblem({ first, events }: Group, before: readonly Group[]): string | undefined {
  const { movement } = first;
  const whole = SHAPES[movement].events.test(events.map(letterOf).join('')) && isOfItsTransactions(movement, events);
  if (!whole) return `no ${movement} consists of these events`;
  const currency = exchangedForItself({ first, events });
  if (currency) return `swaps ${currency} for ${currency}, ${by(first)}`;
  const previous = before.at(-1);
  if (!previous) return SHAPES[movement].follows ? `begins with a ${movement}, which only follows` : undefined;
  const isDue =
    SHAPES[movement].follows?.includes(previous.first.movement) || MAY_FOLLOW[movement] === previous.first.movement;
  return isDue && isOfTheSame({ first, events }, before)
    ? undefined
    : `no ${movement} of this follows a ${previous.first.movement} in one command`;
}

/**
 * @param groups all of one command
 * @returns the first that another one had to follow, and what is wrong with it
 */
export function unfollowedGroup(groups: readonly Group[]): { group: Group; problem: string } | undefined {
  const movements = groups.map(({ first }) => first.movement);
  for (const [index, group] of groups.entries()) {
    const { leadsTo } = SHAPES[group.first.movement];
    if (leadsTo && !movements.includes(leadsTo, index + 1))
      return { group, problem: `is a ${group.first.movement} that no ${leadsTo} follows` };
  }
  return undefined;
}

/** Both legs of such a swap move one wallet: what it gives is made of nothing. @returns the currency */
export function exchangedForItself({ first, events }: Group): Currency | undefined {
  const [sold, bought] = first.movement === 'swap-accepted' ? events.flatMap(openedBy) : [];
  return sold?.currency === bought?.currency ? sold?.currency : undefined;
}

const by = ({ asked_by }: RecordedEvent): string =>
  asked_by ? `as ${asked_by.service} stated: no ledger of this version takes that` : 'which the ledger does not';

/** All of one, but for a swap's two. */
const isOfItsTransactions = (movement: Movement, events: readonly LedgerEvent[]): boolean =>
  transactionsOf(events).size <= (movement === 'swap-accepted' || movement === 'swap-settled' ? 2 : 1);

/** What follows is about the transactions of what it follows, or brings on to the same merchant what a return has brought. */
function isOfTheSame({ first, events }: Group, before: readonly Group[]): boolean {
  const { movement, merchant_id, customer_id } = first;
  if (movement === 'deposit-completed' || movement === 'swap-settled') {
    const opened = transactionsOf(before.at(-1)?.events ?? []);
    return [...transactionsOf(events)].every((id) => opened.has(id));
  }
  const begin = before[0]?.first;
  if (begin?.movement !== 'payout-reversed' || begin.merchant_id !== merchant_id) return false;
  if (movement === 'transfer-sent') return begin.customer_id === customer_id;
  return customer_id === null && (movement === 'wallet-opened' || hasArrived(events, before));
}

/** What was sent is what is received. */
function hasArrived(events: readonly LedgerEvent[], before: readonly Group[]): boolean {
  const sent = before.find(({ first }) => first.movement === 'transfer-sent')?.events.flatMap(openedBy)[0];
  const [received] = events.flatMap(openedBy);
  return sent !== undefined && sent.amount === received?.amount && sent.currency === received.currency;
}

const openedBy = (event: LedgerEvent): OpenedTransaction[] => ('opens' in event && event.opens ? [event.opens] : []);

const transactionsOf = (events: readonly LedgerEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap((event) => ('transaction' in event ? [event.transaction] : [])));

function letterOf(event: LedgerEvent): string {
  switch (event.type) {
    case 'WalletOpened':
      return 'W';
    case 'DepositAddressAdded':
      return 'A';
    case 'CustomerClosed':
      return 'X';
    case 'DebitPosted':
      if (event.judged) return event.opens ? 'p' : '?';
      return event.opens ? 'd' : 'D';
    case 'CreditPosted':
      return 'C';
    case 'TransactionStatusChanged':
      return event.from === null ? 'O' : STATUS_LETTERS[event.to];
    case 'PolicyChanged':
      return 'P';
    case 'PolicyApplied':
      return 'J';
    case 'PayoutApproved':
      return 'a';
    case 'PayoutReleased':
      return 'R';
    case 'PayoutRejected':
      return 'j';
  }
}

const STATUS_LETTERS = { PENDING: '?', COMPLETED: 'c', FAILED: 'f', REVERSED: 'r' } as const;

/**
 * Of a group whose events are those of its movement.
 *
 * @returns what is wrong with a posting
 */
export function placeProblem(
  { movement, position, group }: RecordedEvent,
  event: DebitPosted | CreditPosted,
  transaction: Transaction | OpenedTransaction,
): string | undefined {
  const { postings = [] } = SHAPES[movement];
  // Only payouts post twice, the fee behind the amount, and nothing stands before.
  const posting = postings[postings.length > 1 && position - group > 1 ? 1 : 0];
  if (!posting) return `posts, which a ${movement} does not`;
  const [from, to, share] = posting;
  const place = event.type === 'DebitPosted' ? from : to;
  const isThere = place === 'wallet' ? event.account_id === transaction.wallet_id : isAt(place, event.account_id);
  if (!isThere) return `a ${movement} does not post to ${event.account_id}`;
  const due = shareOf(share, transaction);
  return due === event.amount ? undefined : `posts ${event.amount}, and its ${share} is ${due}`;
}

const isAt = (place: Place, account: string): boolean => account.startsWith(`${place}:`);

function shareOf(share: Share, { currency, amount, fee }: Transaction | OpenedTransaction): string {
  const ofFee = fee ? Money.parseSigned(currency, fee) : Money.zero(currency);
  if (share === 'fee') return ofFee.toString();
  const ofAmount = Money.parseSigned(currency, amount);
  return (share === 'amount' ? ofAmount : ofAmount.plus(ofFee)).toString();
}
