import { Injectable } from '@nestjs/common';
import { MerchantView } from '@stablecoin/contracts/customer/merchant-view';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { MerchantProfile } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';

/** Names are sealed, so that a search reads them: of so many merchants, the newest. */
const SEARCHED_MAX = 5_000;
const OPENED_AT_ONCE = 100;

interface SealedName {
  merchant_id: string;
  sealed_profile: string;
  wrapped_key: string;
}

interface MerchantRow extends SealedName {
  mode: MerchantView['mode'];
  shard: number;
  created_at: Date;
  valid_keys: number;
  last_used_at: Date | null;
}

/** All merchants, for the operator's people. */
@Injectable()
export class MerchantDirectory {
  /** By merchant, with the sealed text that each was opened from. */
  private readonly names = new Map<string, { sealed: string; name: string }>();

  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async page({ search, page, limit }: { search?: string; page: number; limit: number }): Promise<Page<MerchantView>> {
    const wanted = await this.wanted(search);
    const offset = BigInt(page - 1) * BigInt(limit);
    const [rows, [counted]] = await Promise.all([
      this.rows(wanted, Prisma.sql`LIMIT ${limit} OFFSET ${offset}`),
      this.database.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM merchants WHERE ${wanted}`,
    ]);
    const items = await Promise.all(rows.map((row) => this.view(row)));
    return { items, total: counted?.total ?? 0, page, limit };
  }

  async find(merchantId: string): Promise<MerchantView | undefined> {
    const [row] = await this.rows(Prisma.sql`merchants.id = ${merchantId}::uuid`, Prisma.sql`LIMIT 1`);
    return row && this.view(row);
  }

  private async wanted(search: string | undefined): Promise<Prisma.Sql> {
    if (search === undefined) return Prisma.sql`true`;
    const part = search.toLowerCase();
    const found = isUuid(search) ? [part] : await this.named(part);
    return Prisma.sql`merchants.id = ANY(${found}::uuid[])`;
  }

  private rows(wanted: Prisma.Sql, part: Prisma.Sql): Promise<MerchantRow[]> {
    return this.database.$queryRaw<MerchantRow[]>`
      SELECT merchants.id::text AS merchant_id, shard, merchants.created_at, sealed_profile, wrapped_key, mode, valid_keys, last_used_at
      FROM merchants JOIN data_keys ON owner_id = merchants.id CROSS JOIN LATERAL (
        SELECT min(mode) AS mode, max(last_used_at) AS last_used_at,
          (count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.clock.now()})))::int
            AS valid_keys
        FROM api_keys WHERE merchant_id = merchants.id) AS keys
      WHERE ${wanted}
      ORDER BY merchants.created_at DESC, merchants.id ${part}`;
  }

  private async named(part: string): Promise<string[]> {
    const rows = await this.database.$queryRaw<SealedName[]>`
      SELECT merchants.id::text AS merchant_id, sealed_profile, wrapped_key
      FROM merchants JOIN data_keys ON owner_id = merchants.id
      ORDER BY merchants.created_at DESC LIMIT ${SEARCHED_MAX}`;
    const found: string[] = [];
    for (let from = 0; from < rows.length; from += OPENED_AT_ONCE) {
      const some = rows.slice(from, from + OPENED_AT_ONCE);
      const names = await Promise.all(some.map((row) => this.nameOf(row)));
      found.push(
        ...some.filter((_, at) => names[at]?.toLowerCase().includes(part)).map(({ merchant_id }) => merchant_id),
      );
    }
    return found;
  }

  private async nameOf({ merchant_id, sealed_profile: sealed, wrapped_key }: SealedName): Promise<string> {
    const known = this.names.get(merchant_id);
    if (known?.sealed === sealed) return known.name;
    const seal = await this.personalData.sealOf(merchant_id, wrapped_key);
    const { name } = seal.open<MerchantProfile>('profile', sealed);
    if (this.names.size >= SEARCHED_MAX) this.names.clear();
    this.names.set(merchant_id, { sealed, name });
    return name;
  }

  private async view(row: MerchantRow): Promise<MerchantView> {
    const { merchant_id, mode, shard, created_at, valid_keys, last_used_at } = row;
    return {
      ...{ merchant_id, name: await this.nameOf(row), mode, status: valid_keys > 0 ? 'active' : 'no_valid_key', shard },
      ...{ created_at: created_at.toISOString(), valid_keys, last_used_at: last_used_at?.toISOString() ?? null },
    };
  }
}
