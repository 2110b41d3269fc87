/**
 * Judges what databases have of shards that are on other ones (docs/adr/0066): a copy that was left behind, or one that a move has begun.
 * It answers no caller, and is evidence for as long as it is the beginning of the log: every event of it is held against the one
 * in the log, page by page in constant memory. That the log itself is right is another check, so a copy is judged where the log is sound.
 */
import { EventRow, readEventRows } from '@stablecoin/ledger-store/event-rows';
import { PAGE_SIZE } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { Sql } from '@stablecoin/persistence/sql';
import { ShardCopy } from '../database/placements';
import { NamedSnapshot } from '../database/ledger';

export interface CopyOutcome {
  shard: number;
  /** The database with the copy, and the one with the log. */
  database: string;
  log: string;
  /** How many of its events are those of the log. */
  events: number;
  fault: { position: number; problem: string } | null;
}

interface Compared {
  copy: ShardCopy;
  here: NamedSnapshot;
  /** Where the shard is. */
  place: NamedSnapshot;
  pageSize?: number;
  onProgress?: (events: number) => void;
}

export async function judgeCopy({ copy, here, place, pageSize, onProgress }: Compared): Promise<CopyOutcome> {
  const { shard, head } = copy;
  const outcome: CopyOutcome = { shard, database: here.name, log: place.name, events: 0, fault: null };
  const names = { copy: `the copy on ${here.name}`, log: `the log on ${place.name}` };
  const fault = (position: number, problem: string) => ({ ...outcome, fault: { position, problem } });
  for (;;) {
    const after = outcome.events;
    const rows = await readEventRows(here.snapshot, shard, after, pageSize ?? PAGE_SIZE);
    if (rows.length === 0) break;
    const log = await readEventRows(place.snapshot, shard, after, rows.length);
    for (const [index, row] of rows.entries()) {
      const position = after + index + 1;
      const logged = log[index];
      if (!logged) return fault(position, `${names.copy} goes on, and ${names.log} ends at ${position - 1}`);
      if (row.position !== position) return fault(position, `${names.copy} lacks this event, and has later ones`);
      if (!isSame(row, logged)) return fault(position, `${names.copy} has another event than ${names.log}`);
      outcome.events = position;
      if (position === head.position && !head.hash.equals(row.hash))
        return fault(position, `${names.copy} has another event than the head that its database names`);
    }
    onProgress?.(rows.length);
  }
  if (head.position <= outcome.events) return outcome;
  const end = await hasEvent(place.snapshot, shard, head.position);
  return fault(
    outcome.events + 1,
    end
      ? `${names.copy} ends before its head, which is at ${head.position}`
      : `the head of ${names.copy} is at ${head.position}, and ${names.log} ends before it`,
  );
}

/** All that a row says, not its hash alone: the hash is a column like the others. */
const isSame = (row: EventRow, logged: EventRow): boolean =>
  row.hash.equals(logged.hash) &&
  row.body === logged.body &&
  row.recorded_at === logged.recorded_at &&
  row.account_id === logged.account_id &&
  row.transaction === logged.transaction;

async function hasEvent(sql: Sql, shard: number, position: number): Promise<boolean> {
  const rows = await readEventRows(sql, shard, position - 1, 1);
  return rows[0]?.position === position;
}
