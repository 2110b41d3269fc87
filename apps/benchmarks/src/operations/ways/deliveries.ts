/**
 * Deliveries by themselves: recorded events are put on their way to one endpoint, but due only tomorrow; then all of them
 * are due at once. So nothing is measured but delivering.
 */
import { Client } from 'pg';

/** Statements on the way's own tables. */
export interface DeliveryStatements {
  /** `$1` the number, `$2` the endpoint's URL. */
  hold: string;
  release: string;
  /** Makes room for the next ones. */
  clear: readonly string[];
}

export class Deliveries {
  private constructor(
    private readonly client: Client,
    private readonly statements: DeliveryStatements,
  ) {}

  static async in(databaseUrl: string, statements: DeliveryStatements): Promise<Deliveries> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    return new Deliveries(client, statements);
  }

  /** @throws Error when there are fewer events than that */
  async hold(count: number, url: string): Promise<void> {
    await this.clear();
    const { rowCount } = await this.client.query(this.statements.hold, [count, url]);
    if (rowCount !== count) throw new Error(`there are ${rowCount} events to deliver, not ${count}`);
  }

  async release(): Promise<void> {
    await this.client.query(this.statements.release);
  }

  async clear(): Promise<void> {
    for (const statement of this.statements.clear) await this.client.query(statement);
  }

  /** The process that serves this connection, whose time is not the way's. */
  async backend(): Promise<number> {
    const { rows } = await this.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid as number;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
