/** Which merchants the log of each shard names, and where first: noted in a table while it is followed, so that memory does not grow. */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { RawSql, Sql } from '@stablecoin/persistence/sql';

/** Merchants that were noted a moment ago are not noted again. */
const REMEMBERED = 10_000;

/** Of this connection alone, made before the snapshot begins: in it nothing may be created. */
export async function createLoggedMerchants(sql: RawSql): Promise<void> {
  await sql.$executeRawUnsafe(`CREATE TEMPORARY TABLE logged_merchants (shard int, merchant_id uuid, position bigint NOT NULL,
    recorded_at timestamptz NOT NULL, PRIMARY KEY (shard, merchant_id))`);
}

/** Follows the log page by page, each shard's in its order, and notes the first event of each merchant in each shard. */
export class LoggedMerchants {
  private noted = new Set<string>();

  constructor(private readonly sql: Sql) {}

  async follow(page: readonly RecordedEvent[]): Promise<void> {
    const found = new Map<string, RecordedEvent>();
    for (const recorded of page) {
      const key = `${recorded.shard}/${recorded.merchant_id}`;
      if (!this.noted.has(key) && !found.has(key)) found.set(key, recorded);
    }
    if (found.size === 0) return;
    if (this.noted.size > REMEMBERED) this.noted = new Set();
    for (const key of found.keys()) this.noted.add(key);
    const column = (of: (first: RecordedEvent) => string) => arrayColumn([...found.values()].map(of));
    await this.sql.$executeRaw`
      INSERT INTO logged_merchants SELECT * FROM unnest(${column(({ shard }) => String(shard))}::int[],
        ${column(({ merchant_id }) => merchant_id)}::uuid[], ${column(({ position }) => String(position))}::bigint[],
        ${column(({ recorded_at }) => recorded_at)}::timestamptz[]) ON CONFLICT DO NOTHING`;
  }
}
