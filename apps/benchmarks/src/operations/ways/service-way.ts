import { dataOf, MerchantClient } from '@stablecoin/testing/merchant-client';
import { Deliveries, type DeliveryStatements } from './deliveries';
import type { Way } from './way';

const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'] as const;
export const SERVICE_DATABASES = ['customer', 'ledger', 'swap', 'payout'];
/** The endpoint asks for what does not happen here: deposits of other measurements are not delivered. */
const NEVER_HAPPENS = 'payout.reversed';
const DELIVERIES: DeliveryStatements = {
  hold: `INSERT INTO event_deliveries (id, event_id, endpoint_id, status, next_attempt_at, created_at)
    SELECT gen_random_uuid(), newest.id, endpoint.id, 'pending', now() + interval '1 day', now()
    FROM (SELECT id FROM events ORDER BY number DESC LIMIT $1::int) AS newest,
      (SELECT id FROM webhook_endpoints WHERE $2::text IS NOT NULL LIMIT 1) AS endpoint`,
  release: `UPDATE event_deliveries SET next_attempt_at = now() WHERE status = 'pending'`,
  clear: ['DELETE FROM event_deliveries'],
};

export interface ServiceAccess {
  baseUrl: string;
  apiKey: string;
  /** Of the whole stack. */
  pids: Readonly<Record<string, number>>;
  /** The customer service's, as its owner. */
  customerDatabaseUrl: string;
}

/** The stack as it is started by default. @param receiverUrl where its webhooks go */
export async function serviceWay(access: ServiceAccess, receiverUrl: string): Promise<Way> {
  const { baseUrl, apiKey } = access;
  const merchant = new MerchantClient({ baseUrl, apiKey, connections: 1 });
  await dataOf(merchant.post('/webhooks', { url: receiverUrl, events: [NEVER_HAPPENS] }));
  merchant.close();
  const processes = [...SERVICES, 'nats'];
  const pids = Object.entries(access.pids).filter(([name]) => processes.includes(name));
  const deliveries = await Deliveries.in(access.customerDatabaseUrl, DELIVERIES);
  return {
    ...{ name: 'service', baseUrl, apiKey, pids: Object.fromEntries(pids), deliveries },
    share: { processes, databases: SERVICE_DATABASES },
    stop: () => deliveries.close(),
  };
}
