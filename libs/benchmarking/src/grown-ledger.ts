/**
 * A ledger that has been in use for long: made by the database itself, since millions of payouts through the writer
 * would take hours. Every table and index has the size, the order and the spread of values that it would have; only
 * the bodies of events and results are short, as nothing reads them again, and hashes are drawn, not computed. Such
 * a log is for measuring, and no audit of it would pass.
 */
import { Client } from 'pg';
import { progress } from './report';

export interface GrownLedger {
  /** Of a database made for this, connected as its owner. */
  ownerUrl: string;
  merchantId: string;
  shard: number;
  /** Customers, each with a wallet in USD and money in it. */
  accounts: number;
  /** Two events each, spread over the accounts, newest last. */
  transactions: number;
  /** So many of them are there already, from a call before. */
  from?: number;
}

const TABLES = [
  'wallets',
  'account_balances',
  'transactions',
  'transaction_search',
  'ledger_events',
  'command_results',
] as const;
/** So that five million of them lie in two months. */
const TRANSACTION_EVERY_MS = 1_000;

/** The customer with this number, from 0. */
export const grownCustomer = (number: number): string => numberedId('c', number);
export const grownWallet = (number: number): string => numberedId('a', number);
/** The `id` of the transaction with this number, from 1. */
export const grownTransaction = (number: number): string => numberedId('e', number);
export const grownTransactionCode = (number: number): string => `G${String(number).padStart(9, '0')}`;
/** Every transaction has one of its own. */
export const grownReference = (number: number): string => numberedId('f', number);

/** Numbered UUIDs: 32 hexadecimal digits, of which the first tells the kind. */
function numberedId(kind: string, number: number): string {
  const digits = number.toString(16).padStart(12, '0');
  return `${kind}0000000-0000-7000-8000-${digits}`;
}

const sqlId = (kind: string, number: string) =>
  `('${kind}0000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

export async function growLedger(ledger: GrownLedger): Promise<void> {
  const client = new Client({ connectionString: ledger.ownerUrl, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await client.query(`SET maintenance_work_mem = '512MB'`);
    const indexes = await dropIndexes(client);
    for (const [title, statement] of Object.entries(statements(ledger))) {
      progress(`${ledger.transactions.toLocaleString('en')} transactions: ${title}`);
      await client.query(statement);
    }
    progress(`${ledger.transactions.toLocaleString('en')} transactions: indexes`);
    for (const index of indexes) await client.query(index);
    await client.query(`ANALYZE ${TABLES.join(', ')}`);
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Built afterwards they take a fraction of the time. @returns how to build them */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND tablename = ANY ($1)
       AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return rows.map(({ definition }) => definition);
}

function statements({ merchantId, shard, accounts, transactions, from = 0 }: GrownLedger): Record<string, string> {
  const merchant = `'${merchantId}'::uuid`;
  // Every account in turn, in an order that is far from that of their ids.
  const account = `((n::bigint * 7919) % ${accounts})`;
  const at = `timestamptz '2026-01-01' + make_interval(secs => n * ${TRANSACTION_EVERY_MS / 1000})`;
  return {
    wallets: `
      INSERT INTO wallets
        (id, shard, merchant_id, customer_id, currency, description, address_index, created_at, updated_at, position)
      SELECT ${sqlId('a', 'n')}, ${shard}, ${merchant}, ${sqlId('c', 'n')}, 'USD', NULL, 0, now(), now(), n + 1
      FROM generate_series(0, ${accounts} - 1) AS n ON CONFLICT DO NOTHING`,
    balances: `
      INSERT INTO account_balances (shard, account_id, currency, balance, open_transactions, updated_at)
      SELECT ${shard}, ${sqlId('a', 'n')}::text, 'USD', 1000000000, 0, now()
      FROM generate_series(0, ${accounts} - 1) AS n ON CONFLICT DO NOTHING`,
    transactions: `
      INSERT INTO transactions (
        id, shard, position, merchant_id, customer_id, transaction_id, reference_id, wallet_id, sender_wallet_id,
        receiver_wallet_id, transaction_type, transaction_mode, currency, amount, exchange_rate, amount_fiat, bank_name,
        bank_code, recipient_currency, status, balance, created_at, updated_at
      )
      SELECT ${sqlId('e', 'n')}, ${shard}, n::bigint * 2 - 1, ${merchant}, ${sqlId('c', account)},
        'G' || lpad(n::text, 9, '0'), ${sqlId('f', 'n')}, ${sqlId('a', account)},
        CASE WHEN n % 3 > 0 THEN ${sqlId('a', account)} END, CASE WHEN n % 3 = 0 THEN ${sqlId('a', account)} END,
        CASE WHEN n % 3 = 0 THEN 'DEPOSIT' ELSE 'PAYOUT' END, CASE WHEN n % 3 = 0 THEN 'CREDIT' ELSE 'DEBIT' END,
        (ARRAY['USD', 'USDC', 'USDT', 'EUR'])[1 + n % 4], 1 + n % 1000, '1', 1 + n % 1000, 'First Bank', '011', 'USD',
        CASE WHEN n % 50 = 0 THEN 'FAILED' WHEN n % 97 = 0 THEN 'REVERSED' ELSE 'COMPLETED' END, 1000000000, ${at}, ${at}
      FROM generate_series(${from} + 1, ${transactions}) AS n`,
    search: `
      INSERT INTO transaction_search (merchant_id, position, ids)
      SELECT merchant_id, position, lower(transaction_id) || ' ' || id FROM transactions
      WHERE shard = ${shard} AND position > ${from}::bigint * 2 ORDER BY position`,
    'search progress': `
      INSERT INTO transaction_search_progress (shard, position) VALUES (${shard}, ${transactions}::bigint * 2)
      ON CONFLICT (shard) DO UPDATE SET position = excluded.position`,
    // The relay's checkpoints are at the end of the log, so that it publishes none of these events.
    relay: `
      INSERT INTO relay_checkpoints (shard, position) VALUES (${shard}, ${transactions}::bigint * 2)
      ON CONFLICT (shard) DO UPDATE SET position = excluded.position`,
    events: `
      INSERT INTO ledger_events (shard, position, recorded_at, account_id, transaction, body, hash)
      SELECT ${shard}, n::bigint * 2 - 2 + leg, ${at},
        CASE leg WHEN 1 THEN ${sqlId('a', account)}::text ELSE 'payout-clearing:USD' END, ${sqlId('e', 'n')},
        '{"made_for":"measuring"}', sha256(int8send(n::bigint * 2 + leg))
      FROM generate_series(${from} + 1, ${transactions}) AS n, generate_series(1, 2) AS leg`,
    'command results': `
      INSERT INTO command_results (command_id, merchant_id, input_hash, result)
      SELECT md5(n::text)::uuid, ${merchant}, md5(n::text), '{}' FROM generate_series(${from} + 1, ${transactions}) AS n
      ORDER BY 1`,
    head: `
      INSERT INTO ledger_shards (shard, head_position, head_hash)
      VALUES (${shard}, ${transactions}::bigint * 2, sha256('head'))
      ON CONFLICT (shard) DO UPDATE SET head_position = excluded.head_position, head_hash = excluded.head_hash`,
  };
}
