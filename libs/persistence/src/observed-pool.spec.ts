import { statementName } from './observed-pool';

describe('the name of a statement', () => {
  it.each([
    ['SELECT command_id::text FROM command_results WHERE command_id = ANY ($1::uuid[])', 'SELECT', 'command_results'],
    ['\n      INSERT INTO inbox (consumer, shard) SELECT $1, fact.shard FROM unnest($2) AS fact', 'INSERT', 'inbox'],
    ['UPDATE ledger_shards SET head_position = $1', 'UPDATE', 'ledger_shards'],
    ['SELECT "public"."wallets"."id" FROM "public"."wallets" WHERE 1=1', 'SELECT', 'wallets'],
    ['WITH asked AS (SELECT * FROM unnest($1)) INSERT INTO quotes SELECT * FROM asked', 'WITH', 'quotes'],
    ['WITH due AS (SELECT id FROM payouts FOR UPDATE SKIP LOCKED) DELETE FROM payouts', 'WITH', 'payouts'],
    ['INSERT INTO walks VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = $1', 'INSERT', 'walks'],
    ['COMMIT', 'COMMIT', undefined],
    ["SELECT pg_notify('ada@example.com')", 'SELECT', undefined],
    ['EXPLAIN ANALYZE ada', 'statement', undefined],
  ])('%s', (sql, operation, table) => {
    expect(statementName(sql)).toEqual({ operation, table });
  });
});
