import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { onCopy, Move } from './move';

/**
 * Deletes what an older or interrupted copy has projected on the target, so that its row names no event as projected. Its log stays: the
 * new copy is compared with it. Merchants' rows are found by the wallets, customers' by the log, because their tables do not say the shard.
 */
export function clearCopy(move: Move): Promise<void> {
  const { shard } = move;
  return onCopy(move, async (sql) => {
    const known = await sql.$queryRaw<unknown[]>`SELECT shard FROM ledger_events WHERE shard = ${shard} LIMIT 1`;
    if (known.length === 0) return;
    await sql.$executeRaw`
      UPDATE ledger_shards SET head_position = 0, head_hash = ${GENESIS_HASH} WHERE shard = ${shard}`;
    // Their progress first: a follower of an instance that held the shard here adds nothing after that.
    await sql.$executeRaw`DELETE FROM transaction_search_progress WHERE shard = ${shard}`;
    await sql.$executeRaw`DELETE FROM daily_figures_progress WHERE shard = ${shard}`;
    await sql.$executeRaw`
      DELETE FROM transaction_search WHERE merchant_id IN (SELECT merchant_id FROM wallets WHERE shard = ${shard})`;
    await sql.$executeRaw`DELETE FROM transactions WHERE shard = ${shard}`;
    // A trigger counts the transactions down; what it leaves are counts of none.
    await sql.$executeRaw`
      DELETE FROM transaction_counts WHERE merchant_id IN (SELECT merchant_id FROM wallets WHERE shard = ${shard})`;
    await sql.$executeRaw`
      DELETE FROM deposit_addresses WHERE wallet_id IN (SELECT id FROM wallets WHERE shard = ${shard})`;
    await sql.$executeRaw`
      DELETE FROM closed_customers WHERE customer_id IN (
        SELECT (body::json ->> 'customer_id')::uuid FROM ledger_events
        WHERE shard = ${shard} AND account_id IS NULL AND transaction IS NULL
      )`;
    await sql.$executeRaw`DELETE FROM payout_usage WHERE shard = ${shard}`;
    await sql.$executeRaw`DELETE FROM payout_policies WHERE shard = ${shard}`;
    await sql.$executeRaw`DELETE FROM daily_figures WHERE shard = ${shard}`;
    await sql.$executeRaw`DELETE FROM account_balances WHERE shard = ${shard}`;
    await sql.$executeRaw`DELETE FROM wallets WHERE shard = ${shard}`;
  });
}
