/**
 * All the while, every account's balance as it is shown against its last event in the log, both of one moment. A balance
 * that was not written is overwritten by the account's next event: at the end nothing would be seen of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import { OF_SHARDS_HERE } from '../trial-stack';

const LOOK_EVERY_MS = 500;
/** Amid faults the database may not answer: then the next look is the one that counts. */
const LOOK_TIMEOUT_MS = 2_000;

export interface ShownBalance {
  shard: number;
  account_id: string;
  balance: string;
  /** Of the account's last event. */
  position: string;
  body: string;
}

export class ProjectionWatch {
  /** Looks that were answered, each by one database. */
  looks = 0;
  private readonly wrong = new Set<string>();
  private stopped = false;
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly ledgerUrls: () => readonly string[]) {}

  get findings(): string[] {
    return [...this.wrong];
  }

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.watching;
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      await Promise.all(this.ledgerUrls().map((url) => this.watchOne(url)));
      await delay(LOOK_EVERY_MS);
    }
  }

  private async watchOne(url: string): Promise<void> {
    const shown = await look(url).catch(() => undefined);
    if (shown) this.looks += 1;
    for (const finding of wronglyShown(shown ?? [])) this.wrong.add(finding);
  }
}

/** One statement, and so one moment: the log and what it is shown as are written in one transaction. */
async function look(url: string): Promise<ShownBalance[]> {
  const times = { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS };
  const database = new Postgres({ connectionString: url, ...times });
  database.on('error', () => undefined);
  try {
    await database.connect();
    const { rows } = await database.query<ShownBalance>(
      `SELECT account.shard, account.account_id, account.balance::text AS balance, last.position, last.body
       FROM account_balances AS account
       CROSS JOIN LATERAL (
         SELECT position, body FROM ledger_events
         WHERE account_id = account.account_id AND shard = account.shard
         ORDER BY recorded_at DESC, position DESC LIMIT 1
       ) AS last
       WHERE account.${OF_SHARDS_HERE}`,
    );
    return rows;
  } finally {
    void database.end().catch(() => undefined);
  }
}

export function wronglyShown(accounts: readonly ShownBalance[]): string[] {
  return accounts.flatMap(({ shard, account_id, balance, position, body }) => {
    const { event } = JSON.parse(body) as { event: { balance_after?: string } };
    if (event.balance_after === undefined || event.balance_after === balance) return [];
    return [
      `${account_id} of shard ${shard} shows ${balance}, and is ${event.balance_after} since position ${position}`,
    ];
  });
}
