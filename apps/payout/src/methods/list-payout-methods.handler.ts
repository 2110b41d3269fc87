import { ListPayoutMethods, listPayoutMethods } from '@stablecoin/contracts/payout/list-payout-methods';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MethodRow, methodView } from './sealed-method';
import { OwnerKey, OwnerKeys } from '../owners/owner-keys';
import { Prisma } from '../persistence/generated/client';
import { PayoutDatabase } from '../persistence/payout-database';

/** One page of rows → the key of each owner on it, once → the methods, opened. */
@Handles(listPayoutMethods)
export class ListPayoutMethodsHandler {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly owners: OwnerKeys,
  ) {}

  async execute(query: ListPayoutMethods): Promise<Page<PayoutMethodView>> {
    const { page, limit } = query;
    const { total, rows } = await asRefusal(() => this.read(query));
    const keys = await this.keysOf(query.merchant_id, rows);
    return { items: rows.map((row) => methodView(row, keys.get(row.customer_id))), total, page, limit };
  }

  private async read({ merchant_id, customer_id, type, currency, page, limit }: ListPayoutMethods) {
    const matching = Prisma.sql`
      merchant_id = ${merchant_id}::uuid
      ${customer_id ? Prisma.sql`AND customer_id = ${customer_id}::uuid` : Prisma.empty}
      ${type ? Prisma.sql`AND type = ${type}` : Prisma.empty}
      ${currency ? Prisma.sql`AND currency = ${currency}` : Prisma.empty}`;
    const [count] = await this.database.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM payout_methods WHERE ${matching}`;
    const rows = await this.database.$queryRaw<MethodRow[]>`
      SELECT id, customer_id, type, currency, network, sealed_details, created_at, updated_at
      FROM payout_methods WHERE ${matching}
      ORDER BY created_at DESC, id DESC
      LIMIT ${limit}::int OFFSET ${BigInt(page - 1) * BigInt(limit)}::bigint`;
    return { total: count?.total ?? 0, rows };
  }

  private async keysOf(merchantId: string, rows: MethodRow[]): Promise<Map<string | null, OwnerKey | undefined>> {
    const customerIds = [...new Set(rows.map((row) => row.customer_id))];
    const keys = await Promise.all(customerIds.map((customerId) => this.keyIfThere(merchantId, customerId)));
    return new Map(customerIds.map((customerId, index) => [customerId, keys[index]]));
  }

  /** An owner that was erased must not keep the merchant from its other methods. */
  private async keyIfThere(merchantId: string, customerId: string | null): Promise<OwnerKey | undefined> {
    try {
      return await this.owners.keyOf(merchantId, customerId);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
