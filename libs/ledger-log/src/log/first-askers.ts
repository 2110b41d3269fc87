/**
 * When the ledger's commands began to name who asked for them, over all shards: `asker-rules` judges each shard by it. One that no
 * merchant had yet while services were upgraded has that day with the others; one of a ledger that always named askers has none.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { Sql } from '@stablecoin/persistence/sql';
import { NamelessUntil, UPGRADE_MS } from './asker-rules';

/** A database, and the shards that it has. */
interface PartOfLog {
  sql: Sql;
  shards: readonly number[];
}

/**
 * Reads each shard's log from its beginning as far as the first command that names its asker: of most, one event.
 *
 * @param parts all databases of the ledger: the day is one for all shards, wherever they are
 */
export async function readNamelessUntil(parts: readonly PartOfLog[]): Promise<NamelessUntil> {
  const begun: number[] = [];
  const asked: number[] = [];
  for (const { sql, shards } of parts)
    for (const shard of shards) {
      const first = await firstOf(sql, shard);
      if (!first) continue;
      begun.push(timeOf(first));
      const firstAsked = first.asked_by ? first : await firstAskedOf(sql, shard);
      if (firstAsked) asked.push(timeOf(firstAsked));
    }
  if (asked.length === 0) return { namelessUntil: Infinity };
  const since = Math.min(...asked);
  return { namelessUntil: Math.min(...begun) < since ? since + UPGRADE_MS : -Infinity };
}

const timeOf = ({ recorded_at }: RecordedEvent): number => Date.parse(recorded_at);

async function firstOf(sql: Sql, shard: number): Promise<RecordedEvent | undefined> {
  const [row] = await sql.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events WHERE shard = ${shard} ORDER BY position LIMIT 1`;
  return row && parsed(row.body);
}

/** Within a text of the event these quotes are escaped, so that only the member itself matches. */
async function firstAskedOf(sql: Sql, shard: number): Promise<RecordedEvent | undefined> {
  const [row] = await sql.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events WHERE shard = ${shard} AND body LIKE '%"asked_by":{"%' ORDER BY position LIMIT 1`;
  return row && parsed(row.body);
}

/** An event that was tampered with says nothing here: its own shard's check names it. */
function parsed(body: string): RecordedEvent | undefined {
  try {
    return JSON.parse(body) as RecordedEvent;
  } catch {
    return undefined;
  }
}
