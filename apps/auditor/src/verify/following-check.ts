/**
 * How far searches and charts follow each shard's log. Both read it some moments later, and note up to where: what they have is compared
 * with the log up to there (`compare-derived`). Who sets that position back, and takes the rows away that lie beyond, leaves a comparison
 * that is right, and searches and charts that lack what happened since. So the report says how far each is, and where the auditor says
 * how far behind it may be, more is a fault.
 */
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { Sql } from '@stablecoin/persistence/sql';

export interface FollowingOutcome {
  shard: number;
  /** The last position of its log. */
  end: number;
  /** Up to which position searches have it. */
  searches: number;
  charts: number;
  /** What is too far behind, by the first position that it lacks. Empty where the auditor was not given how far it may be. */
  faults: Omit<LogFault, 'shard'>[];
}

export interface FollowingOptions {
  /** How much older than the end of the log the first event may be that searches or charts lack. */
  followedWithinMs?: number;
}

interface Followed {
  shard: number;
  end: bigint;
  ended_at: Date | null;
  searches: bigint;
  charts: bigint;
  /** When the first event was recorded that searches lack. */
  unsearched_at: Date | null;
  uncharted_at: Date | null;
}

/**
 * Both times are of the log: one that stands still, or a backup of it, is not further behind for being looked at later. The first event
 * that is lacking counts, and not the last one that is followed: after a pause of the log's own, that one is old.
 *
 * @param shards whose log is sound
 */
export async function checkFollowing(
  sql: Sql,
  shards: readonly number[],
  { followedWithinMs }: FollowingOptions,
): Promise<FollowingOutcome[]> {
  const rows = await readFollowed(sql, shards);
  return rows.map(({ shard, ended_at, ...row }) => {
    const [end, searches, charts] = [Number(row.end), Number(row.searches), Number(row.charts)];
    const lacking = [
      { of: 'searches', position: searches + 1, since: row.unsearched_at },
      { of: 'charts', position: charts + 1, since: row.uncharted_at },
    ];
    const faults = lacking.flatMap(({ of, position, since }) => {
      if (followedWithinMs === undefined || since === null || ended_at === null) return [];
      if (ended_at.getTime() - since.getTime() <= followedWithinMs) return [];
      const times = `this is of ${since.toISOString()}, and the last event of ${ended_at.toISOString()}`;
      return [{ position, problem: `${of} lack the log from here on: ${times}` }];
    });
    return { shard, end, searches, charts, faults };
  });
}

const readFollowed = (sql: Sql, shards: readonly number[]): PromiseLike<Followed[]> => sql.$queryRaw<Followed[]>`
  WITH followed AS (
    SELECT shard, COALESCE(search.position, 0) AS searches, COALESCE(figures.position, 0) AS charts
    FROM unnest(${shards}::int[]) AS every (shard)
    LEFT JOIN public.transaction_search_progress AS search USING (shard)
    LEFT JOIN public.daily_figures_progress AS figures USING (shard)
  )
  SELECT followed.shard, COALESCE(last.position, 0) AS end, last.recorded_at AS ended_at, searches, charts,
    (SELECT recorded_at FROM public.ledger_events AS event
     WHERE event.shard = followed.shard AND event.position > searches ORDER BY event.position LIMIT 1) AS unsearched_at,
    (SELECT recorded_at FROM public.ledger_events AS event
     WHERE event.shard = followed.shard AND event.position > charts ORDER BY event.position LIMIT 1) AS uncharted_at
  FROM followed LEFT JOIN LATERAL (
    SELECT event.position, recorded_at FROM public.ledger_events AS event
    WHERE event.shard = followed.shard ORDER BY event.position DESC LIMIT 1
  ) AS last ON true
  ORDER BY followed.shard`;
