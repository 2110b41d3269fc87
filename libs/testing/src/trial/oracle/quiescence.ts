/** What is still under way in the services' own books: after a while, nothing may be. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { Client as Postgres } from 'pg';
import { ledgerUrls, OF_SHARDS_HERE, TrialStack } from '../trial-stack';

const POLL_MS = 500;

const UNDER_WAY = [
  {
    database: 'ledger',
    what: 'transactions PENDING',
    query: `SELECT id FROM transactions WHERE status = 'PENDING' AND ${OF_SHARDS_HERE}`,
  },
  {
    database: 'payout',
    what: 'payouts with a step to come',
    query: 'SELECT id FROM payouts WHERE next_step_at IS NOT NULL',
  },
  {
    database: 'payout',
    what: 'payouts not at their end',
    query: `SELECT id FROM payouts WHERE state NOT IN ('completed', 'failed', 'reversed')`,
  },
  ...(['customer', 'payout', 'swap'] as const).map((database) => ({
    database,
    what: `facts that ${database} has set aside`,
    query: `SELECT shard || ':' || position AS id FROM parked_facts`,
  })),
  { database: 'swap', what: 'quotes claimed', query: `SELECT id FROM quotes WHERE state = 'claimed'` },
] as const;

/** Waits until nothing is under way, for `timeoutMs` at the most. @returns what still is, each with its first ids */
export async function untilQuiet(stack: TrialStack, timeoutMs: number): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = await underWay(stack);
    if (left.length === 0 || Date.now() >= deadline) return left;
    await delay(POLL_MS);
  }
}

async function underWay(stack: TrialStack): Promise<string[]> {
  const found = await Promise.all(
    UNDER_WAY.flatMap(({ database, what, query }) => urlsOf(stack, database).map((url) => ({ url, what, query }))).map(
      async ({ url, what, query }) => {
        const client = new Postgres({ connectionString: url });
        await client.connect();
        try {
          const { rows } = await client.query<{ id: string }>(query);
          return rows.length === 0
            ? []
            : [
                `${rows.length} ${what}: ${rows
                  .slice(0, 5)
                  .map(({ id }) => id)
                  .join(' ')}`,
              ];
        } finally {
          await client.end();
        }
      },
    ),
  );
  return found.flat();
}

const urlsOf = (stack: TrialStack, database: DatabaseName): string[] =>
  database === 'ledger' ? ledgerUrls(stack) : [stack.owner_databases[database]];
