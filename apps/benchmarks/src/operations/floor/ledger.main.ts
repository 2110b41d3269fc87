/** The process of the floor's ledger: commands, and the two reads, each a prepared statement. */
import { FloorLedger, type LedgerCommand, MERCHANT, SCHEMA } from './ledger';
import { openReads, serves, startFloorProcess } from './process';

async function main(): Promise<void> {
  const { bus, writes } = await startFloorProcess(SCHEMA);
  await bus.makeStream();
  const reads = openReads();
  const ledger = new FloorLedger(writes, bus);
  bus.answer('floor.ledger.do', (command: LedgerCommand) => ledger.do(command));
  bus.answer('floor.ledger.do-all', (commands: LedgerCommand[]) =>
    Promise.all(commands.map((command) => ledger.do(command))),
  );
  bus.answer('floor.ledger.wallet', async ({ id }: { id: string }) => {
    const { rows } = await reads.query<Record<string, unknown>>({
      name: 'wallet',
      text: `SELECT wallets.*, balance::text, updated_at FROM wallets JOIN account_balances ON account_id = id::text
             WHERE id = $1 AND merchant_id = $2`,
      values: [id, MERCHANT],
    });
    return rows[0] ?? null;
  });
  bus.answer('floor.ledger.transactions', async ({ customer_id, limit }: { customer_id: string; limit: number }) => {
    const [counted, page] = await Promise.all([
      reads.query<{ total: number }>({
        name: 'total',
        text: 'SELECT count(*)::int AS total FROM transactions WHERE customer_id = $1 AND merchant_id = $2',
        values: [customer_id, MERCHANT],
      }),
      reads.query<Record<string, unknown>>({
        name: 'page',
        text: 'SELECT * FROM transactions WHERE customer_id = $1 AND merchant_id = $2 ORDER BY position DESC LIMIT $3',
        values: [customer_id, MERCHANT, limit],
      }),
    ]);
    return { total: counted.rows[0]?.total ?? 0, items: page.rows };
  });
  bus.answer('floor.ledger.pending', async () => {
    const { rows } = await reads.query<{ total: number }>(
      `SELECT coalesce(sum(transactions), 0)::int AS total FROM transaction_counts WHERE status = 'PENDING'`,
    );
    return rows[0]?.total ?? 0;
  });
  serves();
}

void main();
