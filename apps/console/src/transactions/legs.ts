/** The events of a transaction as a person reads them: one step per group, each with its debits and credits. */
import type { Schema } from '../api/client';
import { sumOf } from '../amounts/amounts';
import { NETWORK_WORDS } from './words';

export type ExplainedEvent = Schema<'ExplainedEvent'>;

export interface Leg {
  position: number;
  account: string;
  side: 'debit' | 'credit';
  currency: string;
  amount: string;
  balanceAfter: string | null;
}

export interface Step {
  /** Position of the group's first event. */
  group: number;
  movement: ExplainedEvent['movement'];
  recordedAt: string;
  commandId: string;
  status: string | null;
  legs: Leg[];
  /** What leaves accounts equals what reaches them, per currency. */
  balanced: boolean;
}

/** Groups in the order of the log. */
export function stepsOf(events: readonly ExplainedEvent[]): Step[] {
  const groups = groupsBy(events, ({ group }) => group);
  return [...groups].sort(([one], [other]) => one - other).map(([group, members]) => stepOf(group, members));
}

function stepOf(group: number, members: readonly ExplainedEvent[]): Step {
  const [first] = members;
  if (first === undefined) throw new Error(`group ${group} has no events`);
  const legs = members.flatMap(legsOf);
  return {
    group,
    movement: first.movement,
    recordedAt: first.recorded_at,
    commandId: first.command_id,
    status: members.findLast(({ to_status }) => to_status !== null)?.to_status ?? null,
    legs,
    balanced: isBalanced(legs),
  };
}

function legsOf({ type, position, account_id, currency, amount, balance_after }: ExplainedEvent): Leg[] {
  if (type === 'TransactionStatusChanged' || currency === null || amount === null) return [];
  const side = type === 'DebitPosted' ? 'debit' : 'credit';
  return [{ position, account: account_id, side, currency, amount, balanceAfter: balance_after }];
}

function isBalanced(legs: readonly Leg[]): boolean {
  const byCurrency = groupsBy(legs, ({ currency }) => currency);
  return [...byCurrency.values()].every((same) => {
    const total = sumOf(same.map(({ side, amount }) => (side === 'debit' ? `-${amount}` : amount)));
    return total !== undefined && /^0\.0+$/.test(total);
  });
}

function groupsBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const HOUSE: Readonly<Record<string, string>> = {
  ...{ 'payout-clearing': 'Payouts on their way', transfers: 'Transfers on their way' },
  ...{ liquidity: 'Liquidity', fees: 'Fees' },
};

/** What an account is called: the accounts of the house by what they are for; a wallet keeps its id. */
export function accountName(id: string): string {
  const [kind = '', way = ''] = id.split(':');
  if (kind === 'external')
    return way === 'bank' ? 'Outside, at banks' : `Outside, on ${NETWORK_WORDS[way] ?? 'chains'}`;
  return HOUSE[kind] ?? id;
}

export const isWallet = (id: string): boolean => !id.includes(':');
