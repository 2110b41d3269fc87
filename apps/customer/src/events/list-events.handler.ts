import { ListEvents, listEvents } from '@stablecoin/contracts/customer/list-events';
import { EventView } from '@stablecoin/contracts/customer/webhook-views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { EventRow, eventView } from '@stablecoin/customer-store/events/event-rows';

/** One page, newest first, with the exact total. */
@Handles(listEvents)
export class ListEventsHandler {
  constructor(private readonly reads: MerchantReads) {}

  async execute({ merchant_id, type, page, limit }: ListEvents): Promise<Page<EventView>> {
    const ofType = type ? Prisma.sql`AND type = ${type}` : Prisma.empty;
    const wanted = Prisma.sql`merchant_id = ${merchant_id}::uuid ${ofType}`;
    const reads = this.reads.of(merchant_id);
    const [rows, [counted]] = await asRefusal(() =>
      Promise.all([
        reads.$queryRaw<EventRow[]>`
          SELECT id, type, sequence, data, created_at FROM events WHERE ${wanted}
          ORDER BY created_at DESC, number DESC
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        reads.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM events WHERE ${wanted}`,
      ]),
    );
    return { items: rows.map(eventView), total: counted?.total ?? 0, page, limit };
  }
}
