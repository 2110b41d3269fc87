/** The trial's own look into the services' databases, as their owner, and what it does to their connections. */
import type { DatabaseName, DatabaseUrls } from '@stablecoin/migrations/databases';
import { Drawing } from '@stablecoin/testing/drawing';
import pg from 'pg';

const CONNECTIONS = 3;

export class Databases {
  private readonly pools = new Map<DatabaseName, pg.Pool>();

  constructor(private readonly urls: Record<DatabaseName, DatabaseUrls>) {}

  async read<Row extends pg.QueryResultRow>(
    database: DatabaseName,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return (await this.poolOf(database).query<Row>(text, values)).rows;
  }

  /** Ends about half of the connections that its service has, in the middle of whatever they carry; one at the least. */
  async endBackends(database: DatabaseName, draw: Drawing): Promise<void> {
    const backends = await this.read<{ pid: number }>(
      database,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user ORDER BY pid`,
    );
    const ended = backends.filter((_, index) => index === 0 || draw.below(2) === 0).map(({ pid }) => pid);
    await this.read(database, 'SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [ended]);
  }

  /**
   * What a process held that has ended is free again. It would be so by itself: leases are as long as the longest work
   * under them. A commit that is still under way holds its lease's row, and is waited for.
   */
  async endLeasesOfChain(): Promise<void> {
    await this.read('chain', 'UPDATE walk_leases SET expires_at = clock_timestamp()');
    await this.read('chain', 'UPDATE sender_leases SET expires_at = clock_timestamp()');
    await this.read('chain', 'UPDATE deposits SET next_step_at = clock_timestamp() WHERE next_step_at IS NOT NULL');
  }

  /** The same of the payout service, when its process has ended. */
  async endLeasesOfPayout(): Promise<void> {
    await this.read('payout', 'UPDATE payouts SET next_step_at = clock_timestamp() WHERE next_step_at IS NOT NULL');
  }

  /** A transfer that nodes or signer held up is tried again some seconds later: now. */
  async hastenHeldTransfers(): Promise<void> {
    await this.read('chain', 'UPDATE outgoing_transfers SET retry_at = clock_timestamp() WHERE retry_at IS NOT NULL');
  }

  /** The payout service looks at its payouts on chains ever more seldom: now it looks once more at each that it waits for. */
  async hastenLooks(): Promise<void> {
    await this.read(
      'payout',
      `UPDATE payouts SET next_step_at = clock_timestamp() WHERE state = 'submitted' AND next_step_at IS NOT NULL`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
  }

  private poolOf(database: DatabaseName): pg.Pool {
    const known = this.pools.get(database);
    if (known) return known;
    const pool = new pg.Pool({ connectionString: this.urls[database].owner, max: CONNECTIONS });
    pool.on('error', () => undefined);
    this.pools.set(database, pool);
    return pool;
  }
}
