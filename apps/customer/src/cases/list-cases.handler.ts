import { CaseView } from '@stablecoin/contracts/customer/case-views';
import { ListCases, listCases } from '@stablecoin/contracts/customer/list-cases';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { CASE_COLUMNS, CaseRow, caseView } from './case-row';

/** Its condition is that of the index customers_under_review: what it reads is what waits. */
@Handles(listCases)
export class ListCasesHandler {
  constructor(private readonly database: CustomerDatabase) {}

  async execute({ page, limit }: ListCases): Promise<Page<CaseView>> {
    const [rows, [counted]] = await asRefusal(() =>
      Promise.all([
        this.database.$queryRaw<CaseRow[]>`
          SELECT ${CASE_COLUMNS} FROM customers
          WHERE kyc_status = 'under_review' AND erased_at IS NULL ORDER BY created_at, sequence
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        this.database.$queryRaw<{ total: number }[]>`
          SELECT count(*)::int AS total FROM customers WHERE kyc_status = 'under_review' AND erased_at IS NULL`,
      ]),
    );
    return { items: rows.map(caseView), total: counted?.total ?? 0, page, limit };
  }
}
