/** The two merchants: what each owns before the first attack. */
import { OperatorProcess } from '@stablecoin/testing/operator-process';
import type { StackDescription } from '@stablecoin/local-stack/description';
import { readStack } from '@stablecoin/local-stack/description';
import { eventually } from '@stablecoin/testing/eventually';
import { dataOf, MerchantClient } from '@stablecoin/testing/merchant-client';
import type { CreatedMerchant } from '@stablecoin/testing/operator-command';
import { individual } from '@stablecoin/testing/person';
import { Client as Postgres } from 'pg';
import type { Attacker } from './load/attacker-account';
import type { VictimAccount } from './victim/victim';

const FLOAT = '100000000';
const FURTHER_KEYS = 5;
const MERCHANTS_MAX = 64;
/** A proof needs a checkpoint that covers it. */
const PROVEN_WITHIN = { timeoutMs: 60_000, pollMs: 500 };
const EVENT_WITHIN = { timeoutMs: 20_000, pollMs: 250 };

interface Identified {
  id: string;
}

export async function createAccounts(stack: StackDescription): Promise<{ victim: VictimAccount; attacker: Attacker }> {
  const operator = new OperatorProcess(readStack({ DATA_DIR: stack.data_dir })?.environment ?? {});
  try {
    const { victim, attacker } = await createNeighbours(operator, stack.owner_databases.customer);
    const addKey = async (scopes: string) => {
      const made = await operator.run(['merchants', 'add-key', '--merchant', attacker.merchant_id, '--scopes', scopes]);
      return (JSON.parse(made) as { api_key: string }).api_key;
    };
    const furtherKeys: string[] = [];
    while (furtherKeys.length < FURTHER_KEYS) furtherKeys.push(await addKey('read,write'));
    const baseUrl = stack.base_url ?? '';
    return {
      victim: await withWallets(baseUrl, victim.api_key),
      attacker: { ...(await ofAttacker(baseUrl, attacker.api_key)), furtherKeys, readOnlyKey: await addKey('read') },
    };
  } finally {
    await operator.end();
  }
}

/** Two merchants on one shard, where the writes of one wait for the same writer as the other's. */
async function createNeighbours(operator: OperatorProcess, customerDatabase: string) {
  const database = new Postgres({ connectionString: customerDatabase });
  await database.connect();
  try {
    const byShard = new Map<number, CreatedMerchant>();
    for (let made = 0; made < MERCHANTS_MAX; made += 1) {
      const merchant = JSON.parse(
        await operator.run(['merchants', 'create', '--name', 'Neighbour']),
      ) as CreatedMerchant;
      const { rows } = await database.query<{ shard: number }>('SELECT shard FROM merchants WHERE id = $1', [
        merchant.merchant_id,
      ]);
      const shard = rows[0]?.shard ?? 0;
      const victim = byShard.get(shard);
      if (victim !== undefined) return { victim, attacker: merchant };
      byShard.set(shard, merchant);
    }
    throw new Error(`of ${MERCHANTS_MAX} merchants no two are on one shard`);
  } finally {
    await database.end();
  }
}

async function withWallets(baseUrl: string, apiKey: string): Promise<VictimAccount & { depositId: string }> {
  const client = new MerchantClient({ baseUrl, apiKey, connections: 1, drawsIdempotencyKeys: true });
  const { id: customerId } = await dataOf(client.post<Identified>('/individual-customers', individual()));
  const owner = { customer_id: customerId };
  const wallet = { ...owner, currency: 'USDT', network: 'trc20' };
  const { id: walletId } = await dataOf(client.post<Identified>('/wallets', wallet));
  await dataOf(client.post('/wallets', { ...owner, currency: 'NGN' }));
  const deposit = { wallet_id: walletId, amount: FLOAT };
  const { transaction_id: depositId } = await dataOf(
    client.post<{ transaction_id: string }>('/sandbox/deposits', deposit),
  );
  client.close();
  return { apiKey, customerId, walletId, depositId };
}

async function ofAttacker(baseUrl: string, apiKey: string): Promise<Omit<Attacker, 'furtherKeys' | 'readOnlyKey'>> {
  const { depositId: transactionId, ...account } = await withWallets(baseUrl, apiKey);
  const client = new MerchantClient({ baseUrl, apiKey, connections: 1 });
  const isProven = async () => (await client.get(`/audit/proofs/${transactionId}`)).status === 200;
  await eventually('a proof of the first deposit', isProven, PROVEN_WITHIN);
  const event = async () => (await dataOf(client.get<Identified[]>('/events')))[0]?.id;
  const eventId = await eventually('the first event', event, EVENT_WITHIN);
  client.close();
  return { ...account, transactionId, eventId };
}
