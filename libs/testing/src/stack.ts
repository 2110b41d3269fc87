export interface TestStack {
  base_url: string;
  docs_url: string;
  api_key: string;
  operations_urls: Record<'gateway' | 'customer' | 'wallet-ledger' | 'swap-pricing' | 'payout', string>;
  nats_url: string;
  databases: Record<'customer' | 'ledger' | 'swap' | 'payout', string>;
  owner_databases: Record<'customer' | 'ledger' | 'swap' | 'payout', string>;
  pids: Record<
    'launcher' | 'postgres' | 'nats' | 'gateway' | 'customer' | 'wallet-ledger' | 'swap-pricing' | 'payout',
    number
  >;
  data_dir: string;
}

/** The stack that the journeys run against, as it described itself when it was ready. */
export function testStack(): TestStack {
  const text = process.env['TEST_STACK'];
  if (!text) throw new Error('TEST_STACK is not set: run the journeys with npm test -- --only e2e');
  return JSON.parse(text) as TestStack;
}
