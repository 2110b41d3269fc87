import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { Sql } from '@stablecoin/persistence/sql';

export interface ClosedCustomer {
  customer_id: string;
  merchant_id: string;
  closed_at: string;
}

/** `closed_customers`: one row per CustomerClosed. */
export async function writeClosedCustomers(sql: Sql, closed: readonly ClosedCustomer[]): Promise<void> {
  if (closed.length === 0) return;
  await sql.$executeRaw`
    INSERT INTO closed_customers (customer_id, merchant_id, closed_at)
    SELECT * FROM unnest(
      ${closed.map(({ customer_id }) => customer_id)}::uuid[],
      ${closed.map(({ merchant_id }) => merchant_id)}::uuid[],
      ${closed.map(({ closed_at }) => closed_at)}::timestamptz[]
    )
    ON CONFLICT (customer_id) DO NOTHING`;
}

/** Notes of each of these customers whether it is closed. */
export async function loadClosedCustomers(sql: Sql, state: LedgerState, customerIds: string[]): Promise<void> {
  if (customerIds.length === 0) return;
  const rows = await sql.$queryRaw<{ customer_id: string }[]>`
    SELECT customer_id::text FROM closed_customers WHERE customer_id = ANY (${customerIds}::uuid[])`;
  customerIds.forEach((id) => state.closedCustomers.set(id, false));
  rows.forEach(({ customer_id }) => state.closedCustomers.set(customer_id, true));
}
