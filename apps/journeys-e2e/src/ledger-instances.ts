/** Several wallet-ledger processes on one stack, and what a spec does to them. */
import { bundledMain, nodeCommand } from '@stablecoin/local-stack/service-process';
import { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { eventually } from '@stablecoin/testing/eventually';
import type { TestStack } from '@stablecoin/testing/stack';
import { Client as Postgres } from 'pg';
import { commandKeysOf, environmentBeside } from './service-instances';

const RESTART = { pausesMs: [300], steadyAfterMs: 0, beforeFirstReady: true };

/** One more wallet-ledger beside the stack's own; one that is killed is started again. */
export function startFurtherLedger(stack: TestStack): SupervisedService {
  return new SupervisedService({
    launch: () => ({
      title: 'wallet-ledger',
      command: nodeCommand(bundledMain('wallet-ledger')),
      env: { ...environmentBeside(stack), ...commandKeysOf('wallet-ledger', stack) },
      output: 'ignore',
    }),
    restart: RESTART,
  });
}

/** The shards by the process that holds them, read behind the service's back. */
export class Holders {
  private constructor(private readonly database: Postgres) {}

  static async of(stack: TestStack): Promise<Holders> {
    const database = new Postgres({ connectionString: stack.owner_databases.ledger });
    await database.connect();
    return new Holders(database);
  }

  /** Leases that have not lapsed: shard → process. */
  async byShard(): Promise<Map<number, number>> {
    const { rows } = await this.database.query<{ shard: number; pid: string }>(
      `SELECT shard, split_part(holder, '/', 2) AS pid FROM ledger_shards WHERE lease_expires_at > now() ORDER BY shard`,
    );
    return new Map(rows.map(({ shard, pid }) => [shard, Number(pid)]));
  }

  /** How many shards each process holds, by process. */
  async counts(): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (const pid of (await this.byShard()).values()) counts.set(pid, (counts.get(pid) ?? 0) + 1);
    return counts;
  }

  /** Two instances share the shards evenly: waits until they do. */
  async halved(shards: number): Promise<void> {
    await eventually(
      'both instances to hold their half',
      async () => String([...(await this.counts()).values()]) === String([shards / 2, shards / 2]),
      { timeoutMs: 30_000 },
    );
  }

  /** As the owner of the tables, who may do anything to them. */
  async tamper(statement: string, values: readonly string[]): Promise<void> {
    await this.database.query(statement, [...values]);
  }

  end(): Promise<void> {
    return this.database.end();
  }
}
