import { MerchantClient } from '@stablecoin/testing/merchant-client';
import type { Deployment } from '../running/deployment';

export interface NewMerchant {
  id: string;
  apiKey: string;
  /** Asks the gateways in turns. */
  client: MerchantClient;
}

/** By the operator's command, like `docker compose run --rm operator create`. @param flags such as `--live` */
export async function newMerchant(deployment: Deployment, name: string, ...flags: string[]): Promise<NewMerchant> {
  const created = await deployment.command('operator', 'create', '--name', name, ...flags);
  const { merchant_id: id, api_key: apiKey } = JSON.parse(created) as { merchant_id: string; api_key: string };
  const origins = deployment.gatewayOrigins();
  let turn = 0;
  const baseUrl = () => `${origins[(turn += 1) % origins.length] ?? ''}/api`;
  return { id, apiKey, client: new MerchantClient({ baseUrl, apiKey, drawsIdempotencyKeys: true }) };
}
