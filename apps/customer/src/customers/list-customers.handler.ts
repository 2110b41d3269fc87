import { ListCustomers, listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CustomerRow, customerView, openedWith } from '@stablecoin/customer-store/customers/customer-record';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { SlicedWork } from './sliced-work';

/** Of sealed profiles: about a millisecond and a half. */
const CHARACTERS_PER_SLICE = 128 * 1024;

/** One page, newest first, with the exact total. An erased customer, whose data key is gone, is no longer listed. */
@Handles(listCustomers)
export class ListCustomersHandler {
  private readonly opening = new SlicedWork();

  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  async execute(request: ListCustomers): Promise<Page<CustomerView>> {
    const { page, limit } = request;
    const wanted = this.wanted(request);
    const reads = this.reads.of(request.merchant_id);
    const [rows, [counted]] = await asRefusal(() =>
      Promise.all([
        reads.$queryRaw<CustomerRow[]>`
          SELECT id, merchant_id, customer_type, status, kyc_status, sn, sealed_profile, wrapped_key, event_sequence,
                 created_at, updated_at
          FROM customers JOIN data_keys ON owner_id = id
          WHERE ${wanted}
          ORDER BY created_at DESC, sequence DESC
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        reads.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM customers WHERE ${wanted}`,
      ]),
    );
    return { items: await this.opened(rows), total: counted?.total ?? 0, page, limit };
  }

  /** In slices: a page can hold 10 MB of sealed profiles, and other merchants' requests have turns in between. */
  private async opened(rows: readonly CustomerRow[]): Promise<CustomerView[]> {
    const items: CustomerView[] = [];
    let characters = 0;
    const seals = await Promise.all(rows.map((row) => this.personalData.sealOf(row.id, row.wrapped_key)));
    for (const [index, row] of rows.entries()) {
      items.push(customerView(openedWith(seals[index] as OwnerSeal, row)));
      characters += row.sealed_profile.length;
      if (characters < CHARACTERS_PER_SLICE) continue;
      characters = 0;
      await this.opening.nextSlice();
    }
    return items;
  }

  private wanted({ merchant_id, status, customer_type, search }: ListCustomers): Prisma.Sql {
    const conditions = [Prisma.sql`merchant_id = ${merchant_id}::uuid`, Prisma.sql`erased_at IS NULL`];
    if (status) conditions.push(Prisma.sql`status = ${status}`);
    if (customer_type) conditions.push(Prisma.sql`customer_type = ${customer_type}`);
    if (search) conditions.push(this.found(merchant_id, search));
    return Prisma.join(conditions, ' AND ');
  }

  /** Personal data can only be found whole, by its fingerprint. */
  private found(merchantId: string, search: string): Prisma.Sql {
    if (isUuid(search)) return Prisma.sql`id = ${search}::uuid`;
    const email = this.personalData.emailIndex(merchantId, search);
    return Prisma.sql`(email_index = ${email} OR phone_index = ${this.personalData.phoneIndex(merchantId, search)})`;
  }
}
