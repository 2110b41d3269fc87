import { AskerRules } from '../log/asker-rules';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { earlier, LogFault } from '../log/fault';
import { ruleBroken } from '../log/ledger-rules';
import { Head, LogInspector } from '../log/log-inspector';
import { UnjudgedOpenings } from '../log/unjudged-openings';
import { UnpassedReturns } from '../log/unpassed-returns';

export const headOf = (rows: readonly EventRow[]): Head => ({
  position: rows.length,
  hash: rows.at(-1)?.hash ?? GENESIS_HASH,
});

/** The first fault of one shard's log, as the audit finds it: its rows first, then its sound events by the rules. */
export function firstFault(shard: number, rows: readonly EventRow[], head: Head | undefined): LogFault | undefined {
  const inspector = new LogInspector(shard, new AskerRules(undefined, { checked: 0, unchecked: 0 }));
  const sound = rows.flatMap((row) => inspector.follow(row) ?? []);
  inspector.finish(head);
  const state = new LedgerState();
  const unjudged = new UnjudgedOpenings();
  const unpassed = new UnpassedReturns();
  for (const recorded of sound) {
    const before = unjudged.follow(state, recorded) ?? unpassed.follow(state, recorded);
    if (before) return earlier(before, inspector.fault);
    const problem = ruleBroken(state, recorded);
    if (problem) return earlier({ shard, position: recorded.position, problem }, inspector.fault);
    state.apply(recorded);
  }
  return [unjudged.last, unpassed.last].reduce(earlier, inspector.fault);
}
