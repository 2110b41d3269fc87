import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { DEPOSIT_COLUMNS, DepositRow } from '../deposits/deposit-rows';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';

/** What waits for an operator and is still on its chain, newest first. */
export async function unrecognisedPage(
  database: ChainDatabase,
  condition: Prisma.Sql,
  { page, limit }: { page: number; limit: number },
): Promise<Page<UnrecognisedView>> {
  const listed = Prisma.sql`booked = 'unrecognised' AND standing <> 'gone' AND ${condition}`;
  const [rows, [count]] = await asRefusal(() =>
    Promise.all([
      database.$queryRaw<DepositRow[]>`
        SELECT ${DEPOSIT_COLUMNS} FROM deposits WHERE ${listed}
        ORDER BY seen_at DESC, id LIMIT ${limit}::int OFFSET ${(page - 1) * limit}::int`,
      database.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM deposits WHERE ${listed}`,
    ]),
  );
  return { items: rows.map(viewOf), total: count?.total ?? 0, page, limit };
}

function viewOf(row: DepositRow): UnrecognisedView {
  const { id, network, transaction_hash, from_address, to_address, token, currency, units, amount, standing } = row;
  const { wallet_id, merchant_id, unrecognised_reason } = row;
  return {
    ...{ id, network, transaction_hash, from_address, to_address, token, currency, units, amount, standing },
    ...{ wallet_id, merchant_id },
    block_number: Number(row.block_number),
    // The table has no unrecognised deposit without a reason.
    reason: unrecognised_reason ?? 'refused_by_ledger',
    seen_at: row.seen_at.toISOString(),
  };
}
