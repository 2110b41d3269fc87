/** What a table of a resource shows, in this order, of what its rows have; --json has all of it. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'customer_type', 'status', 'kyc_status', 'email', 'created_at'],
  wallets: ['id', 'currency', 'balance', 'customer_id', 'description'],
  assets: ['code', 'asset_type', 'id'],
  payoutMethods: ['id', 'type', 'currency', 'account_number', 'bank_name', 'wallet_address', 'label', 'customer_id'],
  transactions: [
    ...[
      'transaction_id',
      'created_at',
      'transaction_type',
      'transaction_mode',
      'asset_code',
      'amount',
      'fee',
      'status',
    ],
    'reference_id',
  ],
  webhooks: ['id', 'status', 'url', 'events'],
  events: ['id', 'created_at', 'type', 'sequence'],
  audit: ['created_at', 'origin', 'size', 'root'],
};
const COLUMNS_MAX = 7;

/** Of a resource without a line above, the first fields that are no objects. */
export function columnsOf(resource: string, rows: readonly object[]): readonly string[] {
  const isScalar = ([, value]: [string, unknown]) => typeof value !== 'object' || value === null;
  return (
    COLUMNS[resource] ??
    Object.entries(rows[0] ?? {})
      .filter(isScalar)
      .map(([name]) => name)
      .slice(0, COLUMNS_MAX)
  );
}
