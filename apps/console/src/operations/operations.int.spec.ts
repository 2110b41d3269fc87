/** What the operator's people who run the services look at, in a real browser. */
import type { Page } from 'playwright-core';
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';

const AT = '2026-01-31T09:30:00.000Z';
const HASH = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';
const HOT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const of = (amount: string) => ({ units: amount.replace('.', ''), amount });
const NETWORK: Schema<'NetworkHoldings'> = {
  status: {
    ...{ network: 'erc20', chain_id: 1, head: 21_000_020, tip: 21_000_018, tip_at: AT, final: 20_999_950, sent: 2 },
    ...{ rescan_from: null, waiting: { liquidity: 3, nonce_taken: 1 } },
    nodes: [
      { node: 'node-a.example.com', head: 21_000_020, behind: 0, failure: null },
      { node: 'node-b.example.com', head: null, behind: null, failure: 'answers 503' },
    ],
    oldest_unconfirmed_deposit: { transaction_hash: HASH, block_number: 21_000_000, seen_at: AT },
    oldest_unconfirmed_payout: { reference: 'payout:1', state: 'waiting', held_by: 'liquidity', created_at: AT },
  },
  treasury: {
    ...{
      network: 'erc20',
      coin: 'ETH',
      hot_address: HOT,
      hot_coins: '1.25',
      cold_address: null,
      hot_wei_transfers: 310,
    },
    ...{
      deposit_addresses_coins: '0.003',
      fees_coins: '0.42',
      gas_coins: '0.01',
      block_number: 21_000_018,
      read_at: AT,
    },
    tokens: [
      {
        ...{ currency: 'USDC', hot: of('12000.50000000'), cold: null, former: of('0.00000000'), rest_units: '0' },
        to_sweep: { ...of('900.00000000'), addresses: 3 },
        below_threshold: { ...of('4.00000000'), addresses: 12 },
        under_way: { payouts: of('20.00000000'), to_cold: of('0.00000000'), sweeps: of('0.00000000') },
        ...{ sweep_above: '100.00000000', hot_min: null, hot_max: '50000.00000000', hot_target: null },
      },
    ],
  },
};
const TRANSFER: Schema<'ChainTransfer'> = {
  ...{ reference: 'payout:0190c6f0', kind: 'payout', network: 'erc20', currency: 'USDC', amount: '20.00000000' },
  ...{ from_address: HOT, to_address: null, state: 'waiting', held_by: 'nonce_taken', failure: null, nonce: 7 },
  ...{ transaction_hash: HASH, block_number: null, confirmations: 0, fee_coins: null, cancelled_by: null },
  ...{ created_at: AT, updated_at: AT },
};
const UNRECOGNISED: Schema<'UnrecognisedTransfer'> = {
  ...{ id: '0190c6f0-0000-7c1e-9d2a-0000000000e1', network: 'erc20', transaction_hash: HASH, to_address: HOT },
  ...{ token: HOT, currency: 'USDT', units: '5000000', amount: '5.00000000', block_number: 7, standing: 'final' },
  ...{ reason: 'wrong_currency', wallet_id: '0190c6f0-0000-7c1e-9d2a-0000000000e2', seen_at: AT },
  merchant_id: '0190c6f0-0000-7c1e-9d2a-0000000000aa',
};
const INSTANCE = { instance: 'ledger-1 7', started_at: AT, ready: true, phase: 'serving', broken: [], heard_at: AT };
const SERVICES: Schema<'HeardService'>[] = [
  { service: 'gateway', instances: [{ ...INSTANCE, instance: 'gateway-1 7', is_silent: false }] },
  {
    service: 'wallet-ledger',
    instances: [
      { ...INSTANCE, is_silent: false },
      { ...INSTANCE, instance: 'ledger-2 7', is_silent: false, ready: false, broken: ['database does not answer'] },
      { ...INSTANCE, instance: 'ledger-3 7', is_silent: true },
    ],
  },
  { service: 'chain', instances: [] },
];
const SHARDS: Schema<'Shards'> = {
  ...{ read_at: AT, instances: [{ instance: 'ledger-1', joined_at: AT, seen_at: AT }], lost_databases: [] },
  shards: [
    {
      ...{ shard: 0, database: 'home', holder: 'ledger-1', is_held: true, lease_expires_at: AT, epoch: 4 },
      ...{ head_position: 120_431, reserved_until: null },
    },
    {
      ...{ shard: 1, database: 'home', holder: 'ledger-9', is_held: false, lease_expires_at: AT, epoch: 9 },
      ...{ head_position: 9, reserved_until: AT },
    },
  ],
};
const FACT = {
  ...{ consumer: 'payout', shard: 0, position: 1204, movement: 'payout-accepted', attempts: 5, parked_at: AT },
  ...{ concerns: '0190c6f0-0000-7c1e-9d2a-0000000000e3', retry_requested: false },
};
const PARKED: Schema<'ParkedFacts'>[] = [
  { service: 'customer', is_away: false, total: 0, facts: [] },
  {
    ...{ service: 'payout', is_away: false, total: 2 },
    facts: [
      { ...FACT, held_behind: null, reason: 'the bank code is not known' },
      { ...FACT, position: 1311, held_behind: 1204, reason: null, attempts: 0, retry_requested: true },
    ],
  },
  { service: 'chain', is_away: true, total: 0, facts: [] },
];

/** What the chain service was asked to look at again. */
let rescans: Record<string, unknown>[] = [];
let content = {
  ...{ treasury: { is_away: false, networks: [NETWORK] }, transfers: [TRANSFER], unrecognised: [UNRECOGNISED] },
  ...{ services: SERVICES, shards: SHARDS, parked: PARKED },
};
const FULL = content;

const ANSWERS: Answers = {
  'GET /api/treasury': () => enveloped(content.treasury),
  'GET /api/treasury/transfers': ({ url }) => app().stub.page(content.transfers, url),
  'GET /api/treasury/transfers/:id': () =>
    enveloped({
      ...{ ...content.transfers[0], deposit_address_index: null, cancel_reason: null, cancelled_at: null, sent_at: AT },
      attempts: [
        {
          ...{ number: 1, cancels: false, gas: 65_000, max_fee_per_gas: '1', max_priority_fee_per_gas: '1' },
          ...{ transaction_hash: HASH, refused: null, created_at: AT, broadcast_at: AT },
        },
      ],
    }),
  'GET /api/treasury/unrecognised': ({ url }) => app().stub.page(content.unrecognised, url),
  'POST /api/treasury/rescan': ({ body }) => {
    rescans.push(body);
    const status = { ...NETWORK.status, rescan_from: body['from_block'] as number };
    content = { ...content, treasury: { is_away: false, networks: [{ ...NETWORK, status }] } };
    return enveloped({ network: body['network'], from_block: body['from_block'] });
  },
  'GET /api/operations/services': () => enveloped({ listening_since: AT, services: content.services }),
  'GET /api/operations/shards': () => enveloped(content.shards),
  'GET /api/operations/parked-facts': () => enveloped(content.parked),
};

const asOperations = () => app().signedInAs('operations', { side: 'operator', merchant: null });
const showing = (changes: Partial<typeof content>) => () => {
  content = { ...FULL, ...changes };
  asOperations();
};
const openTransfer = (page: Page) => page.locator('summary', { hasText: 'Something else has sent' }).click();
const SCREENS: readonly Screen[] = [
  {
    ...{ name: 'treasury', path: '/treasury', heading: 'Ethereum', prepare: showing({}) },
    act: async (page) => {
      await openTransfer(page);
      await page.getByText('chain resume --network erc20').waitFor();
    },
  },
  {
    ...{ name: 'treasury-rescan', path: '/treasury', heading: 'Ethereum', prepare: showing({}) },
    act: async (page) => {
      await page.getByRole('button', { name: 'Rescan Ethereum…' }).click();
      await page.getByRole('dialog').getByLabel('From block').waitFor();
    },
  },
  {
    ...{ name: 'treasury-quiet', path: '/treasury', heading: 'Ethereum' },
    prepare: showing({ transfers: [], unrecognised: [] }),
  },
  {
    ...{ name: 'treasury-away', path: '/treasury', heading: 'The chain service does not answer' },
    prepare: showing({ treasury: { is_away: true, networks: [] } }),
  },
  {
    ...{ name: 'treasury-without-nodes', path: '/treasury', heading: 'No network has a node' },
    prepare: showing({ treasury: { is_away: false, networks: [] } }),
  },
  {
    ...{ name: 'operations', path: '/operations', heading: 'Operations', prepare: showing({}) },
    act: (page) => page.getByText('the bank code is not known').waitFor(),
  },
  {
    ...{ name: 'operations-quiet', path: '/operations', heading: 'Operations' },
    prepare: showing({ parked: [], shards: { ...SHARDS, shards: [] } }),
    act: (page) => page.getByText('Nothing is parked').waitFor(),
  },
];
const app: () => ConsoleInBrowser = consoleInBrowser(SCREENS, ANSWERS);

it('says of a transfer that needs a person what is typed for it', async () => {
  showing({})();
  const page = await app().open('/treasury');
  await openTransfer(page);
  await page.getByText(`chain resume --network erc20 --address ${HOT} --reason CASE`).waitFor();
  expect(await page.getByText('whose address is not shown here').count()).toBe(1);
});

it('a transfer that is opened asks for itself, and not for the whole treasury again', async () => {
  showing({})();
  const page = await app().open('/treasury');
  await page.getByText('Walked to').waitFor();
  await page.clock.setFixedTime(Date.now() + 60_000);
  await openTransfer(page);
  await page.getByText('chain resume --network erc20').waitFor();
  expect(app().stub.state.asked.filter((asked) => asked === 'GET /api/treasury')).toHaveLength(1);
});

describe('a rescan', () => {
  beforeEach(() => {
    rescans = [];
    showing({})();
  });
  const ask = async (block: string) => {
    const page = await app().open('/treasury');
    await page.getByRole('button', { name: 'Rescan Ethereum…' }).click();
    await page.getByRole('dialog').getByLabel('From block').fill(block);
    await page.getByRole('dialog').getByLabel('Reason').fill('case 7');
    await page.getByRole('button', { name: 'Look again' }).click();
    return page;
  };

  it('is asked for from a block and for a reason, and shows how far it is', async () => {
    const page = await ask('21000000');
    await page.getByText('Under way: block 21,000,000 is the next, 19 are left').waitFor();
    expect(rescans).toEqual([{ network: 'erc20', from_block: 21_000_000, reason: 'case 7' }]);
  });

  it('is asked for no block that was not walked', async () => {
    const page = await ask('21000019');
    await page.getByLabel('From block').and(page.locator(':invalid')).waitFor();
    expect(rescans).toEqual([]);
  });

  it('that is refused says why, and what was typed is there when it is asked for again', async () => {
    app().refuse('POST /api/treasury/rescan', 400);
    const page = await ask('5');
    await page.getByText('It was refused.').waitFor();
    app().stub.state.refusals.clear();
    await page.getByRole('button', { name: 'Rescan Ethereum…' }).click();
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('Under way: block 5 is the next').waitFor();
    await page.getByRole('button', { name: 'Rescan Ethereum…' }).click();
    expect(await page.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('');
  });

  it('is for operations alone, and for a network that is walked', async () => {
    app().signedInAs('auditor', { side: 'operator', merchant: null });
    const page = await app().open('/treasury');
    await page.getByText('Walked to').waitFor();
    expect(await page.getByRole('button', { name: /Rescan/ }).count()).toBe(0);
    showing({ treasury: { is_away: false, networks: [{ ...NETWORK, status: { ...NETWORK.status, tip: null } }] } })();
    const another = await app().open('/treasury');
    await another.getByText('Not walked yet').waitFor();
    expect(await another.getByRole('button', { name: /Rescan/ }).count()).toBe(0);
  });
});

it('says the fee in the network’s coin, limits as amounts, and nothing to do where there is nothing', async () => {
  const done = { state: 'completed', held_by: null, fee_coins: '0.001200' } as const;
  showing({ transfers: [{ ...TRANSFER, ...done }] })();
  const page = await app().open('/treasury');
  await page.getByText('sweep above 100.00, hot max 50,000.00').waitFor();
  await page.locator('summary', { hasText: 'Payout on Ethereum' }).click();
  await page.getByText('0.0012 ETH', { exact: true }).waitFor();
  expect(await page.getByText('What can be done').count()).toBe(0);
});

it('a part that fails is shown as failed, and the others all the same', async () => {
  showing({})();
  app().refuse('GET /api/operations/shards', 404);
  const page = await app().open('/operations');
  await page.getByRole('alert').waitFor();
  await page.getByText('the bank code is not known').waitFor();
});

it.each(['support', 'compliance', 'admin'] as const)('%s has neither screen', async (role) => {
  app().signedInAs(role, role === 'admin' ? {} : { side: 'operator', merchant: null });
  for (const path of ['/treasury', '/operations']) {
    const page = await app().open(path);
    await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  }
  expect(app().stub.state.asked.filter((asked) => /treasury|operations/.test(asked))).toEqual([]);
});
