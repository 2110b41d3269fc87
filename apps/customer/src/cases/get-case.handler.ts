import { CaseView } from '@stablecoin/contracts/customer/case-views';
import { GetCase, getCase } from '@stablecoin/contracts/customer/get-case';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { CASE_COLUMNS, CaseRow, caseView } from './case-row';

@Handles(getCase)
export class GetCaseHandler {
  constructor(private readonly database: CustomerDatabase) {}

  async execute({ customer_id }: GetCase): Promise<CaseView> {
    const [row] = await asRefusal(
      () => this.database.$queryRaw<CaseRow[]>`
        SELECT ${CASE_COLUMNS} FROM customers WHERE id = ${customer_id}::uuid`,
    );
    if (!row) throw new Refusal('not_found');
    return caseView(row);
  }
}
