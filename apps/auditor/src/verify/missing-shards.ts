/**
 * Is a shard gone as a whole, with its checkpoints? Its own rows say nothing then, and an instance of the ledger that starts makes
 * an empty one in its place. What does:
 *
 * | says so                        | because                                                                    |
 * |--------------------------------|----------------------------------------------------------------------------|
 * | the other shards               | they are numbered from 0 without gaps                                      |
 * | every statement of liabilities | the ledger has signed up to which position of each shard it speaks         |
 * | LEDGER_SHARDS                  | the auditor was told how many there are                                    |
 */
import { readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { readLiabilityRows } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '@stablecoin/ledger-log/log/fault';

const AT_ONCE = 500;

export interface KnownShard {
  shard: number;
  /** How many events its log has, sound or not. */
  logged: number;
}

/**
 * @param sql the database with the statements
 * @param known of all databases
 * @param count how many shards there are, where the auditor knows it
 */
export async function findMissingShards(
  sql: Sql,
  known: readonly KnownShard[],
  count: number | undefined,
): Promise<LogFault[]> {
  const logged = new Map(known.map((one) => [one.shard, one.logged]));
  const faults = new Map<number, LogFault>();
  const say = (shard: number, position: number, problem: string) => {
    if (!faults.has(shard)) faults.set(shard, { shard, position, problem: `missing: ${problem}` });
  };
  for (const { shard, size, number, time } of await signedPlaces(sql)) {
    const has = logged.get(shard) ?? -1;
    if (size > has)
      say(
        shard,
        Math.max(has, 0) + 1,
        `statement ${number} of liabilities, signed at ${time}, speaks of its first ${size} events`,
      );
  }
  const last = Math.max(-1, ...known.map(({ shard }) => shard));
  for (let shard = 0; shard < last; shard += 1)
    if (!logged.has(shard)) say(shard, 1, `there is nothing of this shard, and something of shard ${last}`);
  for (let shard = 0; shard < (count ?? 0); shard += 1)
    if (!logged.has(shard)) say(shard, 1, `there is nothing of this shard, and the ledger has ${count}`);
  return [...faults.values()].sort((one, other) => one.shard - other.shard);
}

interface SignedPlace {
  shard: number;
  size: number;
  /** Of the statement that names it. */
  number: number;
  time: string;
}

/** Of each shard the furthest place that a statement speaks of. Whether the statements are signed is another check. */
async function signedPlaces(sql: Sql): Promise<SignedPlace[]> {
  const furthest = new Map<number, SignedPlace>();
  for (let after = 0; ;) {
    const rows = await readLiabilityRows(sql, { after, limit: AT_ONCE });
    for (const { note } of rows) {
      const { shards = [], number = 0, time = '' } = readLiabilities(note) ?? {};
      for (const { shard, size } of shards)
        if (size > (furthest.get(shard)?.size ?? -1)) furthest.set(shard, { shard, size, number, time });
    }
    after = rows.at(-1)?.number ?? after;
    if (rows.length < AT_ONCE) return [...furthest.values()];
  }
}
