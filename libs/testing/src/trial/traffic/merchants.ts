/** Who the traffic comes from: a merchant on every shard, each with wallets of its own and of a customer. */
import type { Currency } from '@stablecoin/money/currency';
import type { CreatedMerchant } from '../../operator-command';
import { OperatorProcess } from '../../operator-process';
import { individual } from '../../person';
import { Client as Postgres } from 'pg';
import { TrialStack } from '../trial-stack';
import { MeasuredClient } from './measured-client';

export interface Merchant {
  id: string;
  apiKey: string;
  shard: number;
  owners: readonly Owner[];
}

export interface Owner {
  /** Null: the merchant itself. */
  customerId: string | null;
  wallets: Readonly<Record<HeldCurrency, string>>;
}

export type HeldCurrency = Extract<Currency, 'USD' | 'EUR' | 'USDT'>;
export const HELD_CURRENCIES: readonly HeldCurrency[] = ['USD', 'EUR', 'USDT'];

const MERCHANTS_MAX = 64;

export async function registerMerchants(
  stack: TrialStack,
  client: MeasuredClient,
  shards: number,
): Promise<Merchant[]> {
  const byShard = new Map<number, { id: string; apiKey: string; shard: number }>();
  const database = new Postgres({ connectionString: stack.owner_databases.customer });
  const operator = new OperatorProcess(stack.command_line);
  await database.connect();
  try {
    for (let made = 0; byShard.size < shards; made += 1) {
      if (made === MERCHANTS_MAX) throw new Error(`${made} merchants are on ${byShard.size} of ${shards} shards only`);
      const created = await operator.run(['merchants', 'create', '--name', 'Trial']);
      const { merchant_id: id, api_key: apiKey } = JSON.parse(created) as CreatedMerchant;
      const { rows } = await database.query<{ shard: number }>('SELECT shard FROM merchants WHERE id = $1', [id]);
      const shard = rows[0]?.shard as number;
      if (!byShard.has(shard)) byShard.set(shard, { id, apiKey, shard });
    }
  } finally {
    await operator.end();
    await database.end();
  }
  const chosen = [...byShard.values()].sort((one, other) => one.shard - other.shard);
  return Promise.all(
    chosen.map(async (merchant) => ({ ...merchant, owners: await ownersOf(merchant.apiKey, client) })),
  );
}

async function ownersOf(apiKey: string, client: MeasuredClient): Promise<Owner[]> {
  const created = async <Data>(path: string, body: object): Promise<Data> => {
    const { status, code, data } = await client.send<Data>({ method: 'POST', path, apiKey, body });
    if (status === undefined || status >= 300) throw new Error(`POST ${path} was answered ${status} ${code}`);
    return data as Data;
  };
  const { id: customer } = await created<{ id: string }>('/individual-customers', individual());
  return Promise.all(
    [null, customer].map(async (customerId) => {
      const owner = customerId === null ? {} : { customer_id: customerId };
      const opened = HELD_CURRENCIES.map(async (currency) => {
        const network = currency === 'USDT' ? { network: 'erc20' } : {};
        const { id } = await created<{ id: string }>('/wallets', { ...owner, currency, ...network });
        return [currency, id] as const;
      });
      return { customerId, wallets: Object.fromEntries(await Promise.all(opened)) as Owner['wallets'] };
    }),
  );
}
