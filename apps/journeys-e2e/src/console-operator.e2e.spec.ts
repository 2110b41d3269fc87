/** What the operator's people see at the console, on the whole stack: each role what it may, and nothing personal that it may not. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { auditWith } from './audit-command';
import { createMerchant, operatorOf } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual } from './people';
import type { Transaction } from './resources';

/** Written nowhere but in what is personal; each in a field of its own. */
const PLANTED = {
  first_name: 'Plantedname',
  email: `planted-${randomUUID()}@example.com`,
  recipient: 'Planted Recipient',
  account: '9876501234',
  description: 'For Planted of Description',
  reference: 'Planted reference of a sender',
};
const ROLES = ['support', 'operations', 'compliance', 'auditor'];
const SEES_NOTHING_PERSONAL = ['support', 'operations', 'auditor'];
const RUNS_SERVICES = ['operations', 'auditor'];
/** For who runs the services. */
const OF_SERVICES = [
  ...['/treasury', '/treasury/transfers', '/treasury/transfers/none', '/treasury/unrecognised'],
  ...['/operations/services', '/operations/shards', '/operations/parked-facts'],
];
const RECONCILES = ['operations', 'compliance', 'auditor'];
const OF_REPORTS = ['/reconciliation', '/reconciliation/1', '/reconciliation/none'];
const MEMBER_ROLES = ['viewer', 'developer', 'payer', 'approver', 'admin'];

interface Answer<Data> {
  code?: string;
  data: Data;
}

let own: OwnStack;
let merchantId: string;
let otherId: string;
let walletId: string;
let payout: Transaction;
let theirs: Transaction;
const people = new Map<string, ConsoleSession>();
const as = (role: string): ConsoleSession => people.get(role) as ConsoleSession;

beforeAll(async () => {
  own = await startOwnStack({
    BACKOFFICE_PORT: '0',
    CHECKPOINT_INTERVAL_MS: '300',
    LOCAL_CHAINS: 'true',
    LIABILITIES_INTERVAL_MS: '500',
  });
  const [created, another] = [await createMerchant([], own.description), await createMerchant([], own.description)];
  [merchantId, otherId] = [created.merchant_id, another.merchant_id];
  await plant(new Client(own.description.base_url, created.api_key));
  theirs = await deposited(new Client(own.description.base_url, another.api_key));
  for (const role of ROLES) people.set(role, await ConsoleSession.of(role, undefined, own.description));
  for (const role of MEMBER_ROLES) people.set(role, await ConsoleSession.of(role, merchantId, own.description));
}, 500_000);
afterAll(() => own?.stop(), 90_000);

async function plant(merchant: Client): Promise<void> {
  const { first_name, email, description, reference } = PLANTED;
  const { id: customer_id } = await createIndividual(merchant, { first_name, email });
  const wallet = { customer_id, currency: 'USD', description };
  walletId = (await dataOf(merchant.post<{ id: string }>('/wallets', wallet))).id;
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '5000', reference }));
  const bank = { account_number: PLANTED.account, bank_code: '011', recipient_name: PLANTED.recipient };
  const asked = { customer_id, currency: 'USD', amount: '20', ...bank };
  payout = await dataOf(merchant.post<Transaction>('/payouts/banks', asked));
}

async function deposited(merchant: Client): Promise<Transaction> {
  const wallet = await dataOf(merchant.post<{ id: string }>('/wallets', { currency: 'USD' }));
  return dataOf(merchant.post<Transaction>('/sandbox/deposits', { wallet_id: wallet.id, amount: '5' }));
}

const read = async <Data>(role: string, path: string) => {
  const { status, text } = await as(role).get(path);
  expect([path, status]).toEqual([path, 200]);
  return (JSON.parse(text) as Answer<Data>).data;
};
const ofMerchant = (id = merchantId) =>
  [
    ...['transactions', 'transactions?limit=5&status=COMPLETED', `transactions/${payout.id}`, 'transactions.csv'],
    ...[`transactions/${payout.transaction_id}/events`, 'wallets', `wallets/${walletId}`],
    ...[`wallets/${walletId}/statement`],
  ].map((path) => `/merchants/${id}/${path}`);

describe.each(ROLES)('%s', (role) => {
  it('finds a merchant, and reads its transactions and wallets', async () => {
    const [found] = await read<{ merchant_id: string; name: string }[]>(role, `/merchants?search=${merchantId}`);
    expect(found).toMatchObject({ merchant_id: merchantId, mode: 'test', status: 'active' });
    expect(
      (await read<unknown[]>(role, `/merchants?search=${(found?.name ?? '').slice(1, 6)}`)).length,
    ).toBeGreaterThan(0);
    for (const path of ofMerchant()) expect([path, (await as(role).get(path)).status]).toEqual([path, 200]);
    const ids = (await read<Transaction[]>(role, `/merchants/${merchantId}/transactions`)).map(({ id }) => id);
    expect(ids).toContain(payout.id);
    expect(ids).not.toContain(theirs.id);
  });

  it("does not find another merchant's below it, nor below a merchant that is none", async () => {
    for (const path of [`transactions/${theirs.id}`, `transactions/${theirs.transaction_id}/proof`])
      expect((await as(role).get(`/merchants/${merchantId}/${path}`)).status).toBe(404);
    for (const path of ofMerchant(randomUUID())) expect((await as(role).get(path)).status).toBe(404);
  });

  it('changes nothing of a merchant, and is no member of it', async () => {
    for (const path of ['/webhooks', `/payouts/${payout.id}/reject`, `/merchants/${merchantId}/webhooks`])
      expect([403, 404]).toContain((await as(role).post<object>(path, {})).status);
    for (const path of ['/members', '/approvals', '/webhooks', '/live'])
      expect([path, (await as(role).get(path)).status]).toEqual([path, 403]);
  });
});

describe('what is personal', () => {
  const everything = () => ['/merchants', `/merchants/${merchantId}`, ...ofMerchant(), ...OF_SERVICES, ...OF_REPORTS];

  it.each(SEES_NOTHING_PERSONAL)('is in no answer to %s, whatever is asked', async (role) => {
    for (const path of everything()) {
      const { text } = await as(role).get(path);
      for (const planted of Object.values(PLANTED)) expect([path, text.includes(planted)]).toEqual([path, false]);
    }
  });

  it('is shown to compliance as far as it is of transactions and wallets', async () => {
    const bodies = await Promise.all(everything().map(async (path) => (await as('compliance').get(path)).text));
    const { recipient, account, description, reference } = PLANTED;
    for (const planted of [recipient, account, description, reference]) expect(bodies.join('\n')).toContain(planted);
  });
});

it.each(ROLES.filter((role) => !RUNS_SERVICES.includes(role)))(
  '%s sees nothing of services and chains',
  async (role) => {
    for (const path of OF_SERVICES) {
      const { status, text } = await as(role).get(path);
      expect([path, status, text]).toEqual([path, 403, expect.stringContaining('"not_allowed"')]);
    }
  },
);

it('support sees no report of what is held', async () => {
  for (const path of OF_REPORTS) expect([path, (await as('support').get(path)).status]).toEqual([path, 403]);
});

it('who may sees what the auditor found and an operator has kept', async () => {
  interface Networks {
    networks: { treasury: { hot_address: string } }[];
  }
  const { networks } = await read<Networks>('operations', '/treasury');
  const nodes = own.description.chains?.map(({ network, rpc_url }) => [`CHAIN_RPC_${network.toUpperCase()}`, rpc_url]);
  const settings = {
    ...(Object.fromEntries(nodes ?? []) as NodeJS.ProcessEnv),
    SOLVENCY_HOT_WALLETS: networks[0]?.treasury.hot_address,
  };
  const { code, stdout, stderr } = await auditWith(settings, own.description, 'solvency', '--json');
  expect([[0, 1], stderr]).toEqual([expect.arrayContaining([code]), expect.any(String)]);
  const printed = JSON.parse(stdout) as { ok: boolean; statement: object };
  const file = join(own.description.data_dir, 'solvency.json');
  writeFileSync(file, stdout);
  const kept = JSON.parse(await operatorOf(own.description).run(['solvency', 'keep', file, '--json'])) as {
    number: number;
  };
  for (const role of RECONCILES) {
    const [newest] = await read<{ number: number; is_sound: boolean }[]>(role, '/reconciliation');
    expect(newest).toMatchObject({ number: kept.number, is_sound: printed.ok });
    const { report } = await read<{ report: { statement: object } }>(role, `/reconciliation/${kept.number}`);
    expect(report.statement).toEqual(printed.statement);
  }
});

describe.each(RUNS_SERVICES)('%s, of services and chains', (role) => {
  interface Networks {
    is_away: boolean;
    networks: { status: { network: string }; treasury: { hot_address: string | null; hot_coins: string | null } }[];
  }

  it('sees each instance, and who owns the shards', async () => {
    await eventually('each service is heard', async () => {
      const { services } = await read<{ services: { instances: { ready: boolean }[] }[] }>(
        role,
        '/operations/services',
      );
      return services.every(({ instances }) => instances.length === 1 && instances[0]?.ready === true);
    });
    const { shards, instances } = await read<{
      shards: { is_held: boolean; holder: string }[];
      instances: { instance: string }[];
    }>(role, '/operations/shards');
    expect(shards.length).toBeGreaterThan(0);
    for (const shard of shards) expect(shard).toMatchObject({ is_held: true, holder: instances[0]?.instance });
  });

  it('sees what is held on each network', async () => {
    const { networks } = await eventually('the treasury has read its networks', async () => {
      const seen = await read<Networks>(role, '/treasury');
      return seen.networks.every(({ treasury }) => treasury?.hot_coins !== null) && seen;
    });
    expect(networks.map(({ status }) => status.network).sort()).toEqual(['bep20', 'erc20', 'polygon']);
    for (const { treasury } of networks) expect(treasury.hot_address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(await read(role, '/treasury/transfers')).toEqual([]);
    expect(await read(role, '/treasury/unrecognised')).toEqual([]);
  });

  it('sees a fact that a service has parked, and why', async () => {
    const database = new Database({ connectionString: own.description.owner_databases.payout });
    await database.connect();
    await database.query(
      `INSERT INTO parked_facts (consumer, shard, position, movement, concerns, sealed_fact, reason, attempts)
       VALUES ('payout', 0, 999999, 'payout-accepted', 'a-payout', '', 'it broke', 5),
         ('payout', 0, 1000000, 'payout-failed', 'a-payout', '', NULL, 0)`,
    );
    try {
      const services = await read<{ service: string; total: number; facts: object[] }[]>(
        role,
        '/operations/parked-facts',
      );
      expect(services.map(({ service, total }) => [service, total])).toEqual([
        ...[['customer', 0] as const, ['swap-pricing', 0] as const, ['payout', 2] as const, ['chain', 0] as const],
      ]);
      expect(services[2]?.facts).toMatchObject([
        { position: 999_999, reason: 'it broke', attempts: 5, held_behind: null },
        { position: 1_000_000, reason: null, held_behind: 999_999 },
      ]);
    } finally {
      await database.query('DELETE FROM parked_facts');
      await database.end();
    }
  });
});

it.each(MEMBER_ROLES)("a merchant's %s is refused each of it, without a word of what is there", async (role) => {
  const paths = [merchantId, otherId, randomUUID(), 'none'].flatMap((id) => [`/merchants/${id}`, ...ofMerchant(id)]);
  for (const path of ['/merchants', ...OF_SERVICES, ...OF_REPORTS, ...paths]) {
    const { status, text } = await as(role).get(path);
    const { code, ...rest } = JSON.parse(text) as Record<string, unknown>;
    expect([path, status, code]).toEqual([path, 403, 'not_allowed']);
    expect(Object.keys(rest).sort()).toEqual(['message', 'request_id', 'status']);
  }
  const { status, text } = await as(role).get(`/transactions/${theirs.id}`);
  expect([status, text.includes(theirs.transaction_id)]).toEqual([404, false]);
});

it('each look at a merchant is on the record, once for a person, merchant and session', async () => {
  const database = new Database({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ role: string; merchant_id: string; looks: number }>(
    `SELECT role, details->>'merchant_id' AS merchant_id, count(*)::int AS looks FROM acts JOIN members ON members.id = member_id
     WHERE action = 'merchant-looked-at' GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  await database.end();
  expect(rows).toEqual([...ROLES].sort().map((role) => ({ role, merchant_id: merchantId, looks: 1 })));
});
