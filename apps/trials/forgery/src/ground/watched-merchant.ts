/** A merchant whose payouts all wait for approvals: its policy, the key that pays and those that approve. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BANK } from '@stablecoin/testing/journey';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import type { CreatedMerchant } from '@stablecoin/testing/operator-command';
import type { OperatorProcess } from '@stablecoin/testing/operator-process';
import type { Database } from './databases';
import type { People } from './people';

export interface WatchedMerchant {
  merchantId: string;
  shard: number;
  creator: MerchantClient;
  /** Of one person: both may approve. */
  approvers: readonly [MerchantClient, MerchantClient];
}

export interface WaitingPayout {
  id: string;
  transaction_id: string;
  status: string;
  approval_hash: string;
}

interface Ground {
  operator: OperatorProcess;
  databases: { customer: Database };
  people: People;
}

/** @param needed how many have to approve */
export async function watchedMerchant(
  { operator, databases, people }: Ground,
  needed: number,
): Promise<WatchedMerchant> {
  const answer = await operator.run(['merchants', 'create', '--name', 'a watched merchant']);
  const { merchant_id: merchantId, api_key } = JSON.parse(answer) as CreatedMerchant;
  const clientOf = (apiKey: string) =>
    new MerchantClient({ baseUrl: people.ada.client.baseUrl, apiKey, drawsIdempotencyKeys: true });
  const addKey = async (...flags: string[]) => {
    const command = ['merchants', 'add-key', '--merchant', merchantId, '--scopes', 'read,approve', ...flags];
    return JSON.parse(await operator.run(command)) as { api_key: string; key_id: string };
  };
  const one = await addKey();
  const other = await addKey('--same-person-as', one.key_id);
  const approval = {
    ...{ above: [{ currency: 'USD', amount: '1' }], new_destination: false, new_rail: false },
    ...{ approvers: needed, expires_after_seconds: 3_600 },
  };
  const limits = [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000' }];
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  const file = join(folder, 'policy.json');
  writeFileSync(file, JSON.stringify({ limits, new_destination_wait_seconds: 0, approval }));
  await operator.run(['policies', 'set', '--merchant', merchantId, '--file', file, '--reason', 'case 4']);
  rmSync(folder, { recursive: true });
  const creator = clientOf(api_key);
  const { id } = await dataOf(creator.post<{ id: string }>('/wallets', { currency: 'USD' }));
  await successOf(creator.post('/sandbox/deposits', { wallet_id: id, amount: '1000' }));
  const [row] = await databases.customer.rows<{ shard: number }>(
    `SELECT shard FROM merchants WHERE id = '${merchantId}'`,
  );
  if (!row) throw new Error(`there is no merchant ${merchantId}`);
  return { merchantId, shard: row.shard, creator, approvers: [clientOf(one.api_key), clientOf(other.api_key)] };
}

export const payOutOf = ({ creator }: WatchedMerchant, amount: string): Promise<WaitingPayout> =>
  dataOf(creator.post<WaitingPayout>('/payouts/banks', { ...BANK, currency: 'USD', amount }));
