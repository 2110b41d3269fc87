/**
 * What a service has stated, and signed, is booked once. Its signature is right each time: a program that has the ledger's key could
 * book a deposit that was seen once, or a swap at a price that was quoted once, over and over. A command names its deposit, its payout
 * or its policy, and has one place in all logs; a quote names its swap.
 */
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { PlacedKey, sharingKeys } from './across-databases';

const NAMED_MAX = 10;

/**
 * After `CommandResultsCheck` has followed the log: by what it noted, and by the transactions that were rebuilt.
 *
 * @param snapshots of all databases of the ledger
 */
export async function findBookedTwice(snapshots: readonly (Sql & RawSql)[]): Promise<LogFault[]> {
  const [only, ...others] = snapshots;
  return only && others.length === 0 ? bookedTwiceIn(only) : bookedTwiceAmong(snapshots);
}

const bookedTwiceIn = (sql: Sql): PromiseLike<LogFault[]> => sql.$queryRaw<LogFault[]>`
  SELECT shard, position::float8 AS position, problem FROM (
    (SELECT shard, position, format('command %s has taken effect before, in shard %s at position %s', command_id, one.shard_before,
      one.position_before) AS problem
    FROM (
      SELECT command_id, shard, position, lag(shard) OVER places AS shard_before, lag(position) OVER places AS position_before
      FROM logged_commands WINDOW places AS (PARTITION BY command_id ORDER BY shard, position)
    ) AS one WHERE position_before IS NOT NULL ORDER BY shard, position LIMIT ${NAMED_MAX})
    UNION ALL
    (SELECT shard, position, format('uses the quote of swap %s once more', reference_id) FROM (
      SELECT shard, position, reference_id, row_number() OVER (PARTITION BY reference_id ORDER BY shard, position) AS nth
      FROM transactions WHERE transaction_type = 'INTERNAL TRANSFER' AND transaction_mode = 'DEBIT' AND exchange_rate IS NOT NULL
    ) AS swaps WHERE nth > 1 ORDER BY shard, position LIMIT ${NAMED_MAX})
  ) AS twice ORDER BY shard, position`;

const COMMANDS = 'SELECT command_id::text AS key, shard, position::float8 AS position FROM logged_commands';
const QUOTED = `SELECT COALESCE(reference_id::text, '') AS key, shard, position::float8 AS position FROM transactions
  WHERE transaction_type = 'INTERNAL TRANSFER' AND transaction_mode = 'DEBIT' AND exchange_rate IS NOT NULL`;

async function bookedTwiceAmong(snapshots: readonly (Sql & RawSql)[]): Promise<LogFault[]> {
  const commands = await repeatedAmong(
    snapshots,
    COMMANDS,
    ({ key }, before) =>
      `command ${key} has taken effect before, in shard ${before.shard} at position ${before.position}`,
  );
  const swaps = await repeatedAmong(snapshots, QUOTED, ({ key }) => `uses the quote of swap ${key} once more`);
  return [...commands, ...swaps].sort(byPlace);
}

/** The first few places whose key another place before them has. */
export async function repeatedAmong(
  snapshots: readonly (Sql & RawSql)[],
  rows: string,
  problemOf: (place: PlacedKey, before: PlacedKey) => string,
): Promise<LogFault[]> {
  let first: LogFault[] = [];
  for await (const same of sharingKeys<PlacedKey>(snapshots, rows)) {
    const places = [...same].sort(byPlace);
    const faults = places.slice(1).map((place, index) => {
      const problem = problemOf(place, places[index] as PlacedKey);
      return { shard: place.shard, position: place.position, problem };
    });
    first = [...first, ...faults].sort(byPlace).slice(0, NAMED_MAX);
  }
  return first;
}

type Place = Pick<PlacedKey, 'shard' | 'position'>;
const byPlace = (one: Place, other: Place): number => one.shard - other.shard || one.position - other.position;
