import { Position } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { Sql } from '@stablecoin/persistence/sql';

/**
 * Whose money is play money, as the log has it: each command that was asked for with a merchant's key keeps the key's mode, and
 * all keys of a merchant have one. Who has asked in both counts as live, since that is what is owed; `verify` finds it. A version
 * before kept no modes: a merchant that has asked for nothing since is not known.
 */
export async function testMerchants(sql: Sql, shards: readonly Position[]): Promise<Set<string>> {
  // Within a text of the event these quotes are escaped: what matches is the member itself, in the event's own `asked_by`.
  const rows = await sql.$queryRaw<{ merchant_id: string; mode: string }[]>`
    SELECT DISTINCT said ->> 'merchant_id' AS merchant_id, said -> 'asked_by' ->> 'mode' AS mode
    FROM unnest(${shards.map(({ shard }) => shard)}::int[], ${shards.map(({ size }) => String(size))}::bigint[]) AS at (shard, size)
    JOIN ledger_events AS event ON event.shard = at.shard AND event.position <= at.size
      AND event.body LIKE '%"asked_by":{%' AND event.body LIKE '%"mode":"%'
    CROSS JOIN LATERAL (SELECT event.body::json AS said) AS parsed
    WHERE said -> 'asked_by' ->> 'mode' IS NOT NULL`;
  const live = new Set(rows.flatMap(({ merchant_id, mode }) => (mode === 'test' ? [] : merchant_id)));
  return new Set(rows.map(({ merchant_id }) => merchant_id).filter((id) => !live.has(id)));
}
