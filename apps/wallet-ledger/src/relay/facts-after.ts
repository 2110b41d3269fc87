import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { readEventRows, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { loadTransactions } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Sql } from '@stablecoin/persistence/sql';
import { factOf, groupsOf, statusesAfter } from './facts-of';

export interface FactsOfLog {
  facts: LedgerFact[];
  /** The position of the last of them, else the one that was asked for. */
  last: number;
  /** Whether the log has nothing more. */
  isAll: boolean;
}

/** The facts after a position of a shard's log, from at most so many events: more than any one group has. */
export async function factsAfter(sql: Sql, shard: number, position: number, eventsMax: number): Promise<FactsOfLog> {
  const rows = await readEventRows(sql, shard, position, eventsMax);
  const groups = groupsOf(rows.map((row) => recordedEvent(row.body)));
  // A full read may have cut its last group in two. Groups are far smaller than a read, so at least one is whole.
  if (rows.length === eventsMax) groups.pop();
  const state = await transactionsOf(sql, groups);
  const facts = groups.map((group) => factOf(group, state.transactions));
  return { facts, last: facts.at(-1)?.position ?? position, isAll: rows.length < eventsMax };
}

async function transactionsOf(sql: Sql, groups: readonly RecordedEvent[][]): Promise<LedgerState> {
  const state = new LedgerState();
  const ids = new Set(groups.flatMap((group) => [...statusesAfter(group).keys()]));
  await loadTransactions(sql, state, [...ids]);
  return state;
}
