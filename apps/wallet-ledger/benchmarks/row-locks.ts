/**
 * The classic design, for comparison: one transaction per transfer, which locks both accounts' rows with FOR UPDATE,
 * checks the balance, writes a transfer with its two entries and both balances. No hash chain, no command results,
 * no projections: it does less than the ledger does.
 */
import { randomUUID } from 'node:crypto';
import { sustained } from '@stablecoin/benchmarking/measure';
import { Client } from 'pg';

const CONNECTIONS = 32;
const CLEARING = 'clearing';

export class RowLocks {
  private constructor(private readonly clients: readonly Client[]) {}

  /** @param url of a database, as its owner: the tables are made in a schema of their own */
  static async open(url: string, accounts: readonly string[]): Promise<RowLocks> {
    const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    await clients[0]?.query(`
      DROP SCHEMA IF EXISTS row_locks CASCADE;
      CREATE SCHEMA row_locks;
      CREATE TABLE row_locks.accounts (id text PRIMARY KEY, balance numeric(38,8) NOT NULL);
      CREATE TABLE row_locks.transfers (id uuid PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
      CREATE TABLE row_locks.entries (
        transfer uuid NOT NULL REFERENCES row_locks.transfers, account text NOT NULL, amount numeric(38,8) NOT NULL,
        PRIMARY KEY (transfer, account)
      );`);
    await clients[0]?.query(`INSERT INTO row_locks.accounts SELECT unnest($1::text[]), 1000000000`, [
      [CLEARING, ...accounts],
    ]);
    return new RowLocks(clients);
  }

  /** @returns transfers per second out of one account, every connection always busy */
  async transfersPerSecond(account: string, seconds: number): Promise<number> {
    const idle = [...this.clients];
    const { perSecond } = await sustained({
      inFlight: CONNECTIONS,
      seconds,
      work: async () => {
        const client = idle.pop() as Client;
        await transfer(client, account, '1');
        idle.push(client);
      },
    });
    return perSecond;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
  }
}

async function transfer(client: Client, from: string, amount: string): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  // Always locked in the same order, so that two transfers never wait for each other.
  const { rows } = await client.query<{ enough: boolean }>(
    'SELECT balance >= $2::numeric AS enough FROM row_locks.accounts WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [[from, CLEARING], amount],
  );
  if (!rows.every(({ enough }) => enough)) throw new Error('the account ran dry');
  await client.query('INSERT INTO row_locks.transfers (id) VALUES ($1)', [id]);
  await client.query('INSERT INTO row_locks.entries VALUES ($1, $2, -$4::numeric), ($1, $3, $4::numeric)', [
    id,
    from,
    CLEARING,
    amount,
  ]);
  await client.query(
    'UPDATE row_locks.accounts SET balance = balance + CASE id WHEN $1 THEN -$3::numeric ELSE $3::numeric END WHERE id IN ($1, $2)',
    [from, CLEARING, amount],
  );
  await client.query('COMMIT');
}
