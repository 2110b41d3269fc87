import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { columnsOf } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';

export interface ClosedCustomer {
  customer_id: string;
  merchant_id: string;
  closed_at: string;
}

/** `closed_customers`: one row per CustomerClosed. */
export async function writeClosedCustomers(sql: Sql, closed: readonly ClosedCustomer[]): Promise<void> {
  if (closed.length === 0) return;
  const column = columnsOf(closed);
  await sql.$executeRaw`
    INSERT INTO closed_customers (customer_id, merchant_id, closed_at)
    SELECT * FROM unnest(
      ${column('customer_id')}::uuid[],
      ${column('merchant_id')}::uuid[],
      ${column('closed_at')}::timestamptz[]
    )
    ON CONFLICT (customer_id) DO NOTHING`;
}

/** Records in the state, for each of these customers, as whose it was closed, if it was. */
export async function loadClosedCustomers(sql: Sql, state: LedgerState, customerIds: string[]): Promise<void> {
  if (customerIds.length === 0) return;
  const rows = await sql.$queryRaw<{ customer_id: string; merchant_id: string }[]>`
    SELECT customer_id::text, merchant_id::text FROM closed_customers WHERE customer_id = ANY (${customerIds}::uuid[])`;
  customerIds.forEach((id) => state.closedCustomers.set(id, null));
  rows.forEach(({ customer_id, merchant_id }) => state.closedCustomers.set(customer_id, merchant_id));
}
