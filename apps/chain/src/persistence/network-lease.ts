import { randomUUID } from 'node:crypto';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { Sql } from '@stablecoin/persistence/sql';
import { ChainDatabase } from './chain-database';
import { Prisma } from './generated/client';

/** Lets one instance at a time work for a network: the one that is in the network's row, until the lease ends. */
export class NetworkLease {
  private readonly holder = randomUUID();
  private readonly table: Prisma.Sql;
  private readonly length: Prisma.Sql;

  constructor(
    private readonly database: ChainDatabase,
    table: 'walk_leases' | 'treasuries',
    leaseMs: number,
  ) {
    this.table = Prisma.raw(table);
    this.length = Prisma.sql`${leaseMs}::int * interval '1 millisecond'`;
  }

  /** Takes or prolongs it. False while another instance has it. */
  async hold(network: EvmNetwork): Promise<boolean> {
    const taken = await this.database.$queryRaw<unknown[]>`
      INSERT INTO ${this.table} AS held (network, holder, expires_at)
      VALUES (${network}, ${this.holder}::uuid, clock_timestamp() + ${this.length})
      ON CONFLICT (network) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE held.holder = excluded.holder OR held.expires_at < clock_timestamp()
      RETURNING network`;
    return taken.length > 0;
  }

  /** Prolongs it where it is held still. Its row stays locked until the commit: no other instance takes it in between. */
  async keep(sql: Sql, network: EvmNetwork): Promise<boolean> {
    const kept = await sql.$executeRaw`
      UPDATE ${this.table} SET expires_at = clock_timestamp() + ${this.length}
      WHERE network = ${network} AND holder = ${this.holder}::uuid AND expires_at > clock_timestamp()`;
    return kept > 0;
  }

  async release(network: EvmNetwork): Promise<void> {
    await this.database.$executeRaw`
      UPDATE ${this.table} SET expires_at = clock_timestamp() WHERE network = ${network} AND holder = ${this.holder}::uuid`;
  }
}
