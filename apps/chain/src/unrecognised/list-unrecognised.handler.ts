import { ListUnrecognised, listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { DEPOSIT_COLUMNS, DepositRow } from '../deposits/deposit-rows';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';

@Handles(listUnrecognised)
export class ListUnrecognisedHandler {
  constructor(private readonly database: ChainDatabase) {}

  async execute({ network, reason, page, limit }: ListUnrecognised): Promise<Page<UnrecognisedView>> {
    const listed = Prisma.sql`booked = 'unrecognised' AND standing <> 'gone'
      AND (${network ?? null}::text IS NULL OR network = ${network ?? null})
      AND (${reason ?? null}::text IS NULL OR unrecognised_reason = ${reason ?? null})`;
    const [rows, [count]] = await asRefusal(() =>
      Promise.all([
        this.database.$queryRaw<DepositRow[]>`
          SELECT ${DEPOSIT_COLUMNS} FROM deposits WHERE ${listed}
          ORDER BY seen_at DESC, id LIMIT ${limit}::int OFFSET ${(page - 1) * limit}::int`,
        this.database.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM deposits WHERE ${listed}`,
      ]),
    );
    return { items: rows.map(viewOf), total: count?.total ?? 0, page, limit };
  }
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
