/** What the operator's people see of services and chains: by role, and what of it is shown when a service is away. */
import { Logger } from '@nestjs/common';
import { getTransfer, WholeTransferView } from '@stablecoin/contracts/chain/get-transfer';
import { getTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { listChainParkedFacts } from '@stablecoin/contracts/chain/list-parked-facts';
import { listTransfers } from '@stablecoin/contracts/chain/list-transfers';
import { listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { chainStatus } from '@stablecoin/contracts/chain/status';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { listShards } from '@stablecoin/contracts/wallet/list-shards';
import { InstanceSign, instanceSubject } from '@stablecoin/contracts/wire/instance-signs';
import { Announcements } from '@stablecoin/messaging/announcements';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { MERCHANT_ROLES, OPERATOR_ROLES, Role } from '@stablecoin/people-store/roles';
import { eventually } from '@stablecoin/testing/eventually';
import { type OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import type { NatsConnection } from 'nats';
import { newMerchant, RunningBackoffice } from '../testing/running-backoffice';

const PAYEE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const PAYER = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
const OURS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const AT = '2026-01-31T09:30:00.000Z';
const TRANSFER: WholeTransferView = {
  ...{
    reference: 'payout-1',
    kind: 'payout',
    network: 'erc20',
    currency: 'USDC',
    from_address: OURS,
    units: '1500000',
  },
  ...{ to_address: PAYEE, state: 'waiting', held_by: 'liquidity', failure: null, nonce: null, transaction_hash: null },
  ...{ block_number: null, confirmations: 0, fee_wei: '1500000000000000', cancelled_by: null, created_at: AT },
  ...{
    updated_at: AT,
    deposit_address_index: null,
    cancel_reason: null,
    cancelled_at: null,
    sent_at: null,
    attempts: [],
  },
};
const UNRECOGNISED: UnrecognisedView = {
  ...{ id: OURS, network: 'erc20', transaction_hash: '0x1', from_address: PAYER, to_address: OURS, token: OURS },
  ...{ currency: 'USDC', units: '5', amount: null, block_number: 7, standing: 'final', reason: 'below_smallest_unit' },
  ...{ wallet_id: OURS, merchant_id: OURS, seen_at: AT },
};
const ROUTES = [
  ...['treasury', 'treasury/transfers', 'treasury/transfers/payout-1', 'treasury/unrecognised'],
  ...['operations/services', 'operations/shards', 'operations/parked-facts'],
];
const SEES: readonly Role[] = ['operations', 'auditor'];
const OTHERS = [...OPERATOR_ROLES, ...MERCHANT_ROLES].filter((role) => !SEES.includes(role));

let broker: OwnNats;
let backoffice: RunningBackoffice;
let connection: NatsConnection;
let codec: SealedCodec;

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startOwnNats();
  backoffice = await RunningBackoffice.start({ NATS_URL: broker.url });
  connection = await connectToBus(broker.url, 'services', false);
  codec = new SealedCodec(backoffice.busKey);
});
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
  await broker?.stop();
});

const read = async (role: Role, path: string) => {
  const { browser } = await backoffice.member(role, null);
  const { status, body, text } = await browser.get(`/api/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return { text, data: (body as { data: unknown }).data };
};

it.each(OTHERS)('a %s is refused each of it, before any service is asked', async (role) => {
  const isOfMerchant = (MERCHANT_ROLES as readonly Role[]).includes(role);
  const { browser } = await backoffice.member(role, isOfMerchant ? newMerchant() : null);
  for (const path of [...ROUTES, 'treasury/transfers/none'])
    expect(await browser.get(`/api/${path}`)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
});

it('a service that does not run is shown as away, and what others hold all the same', async () => {
  const [treasury, parked] = [await read('operations', 'treasury'), await read('auditor', 'operations/parked-facts')];
  expect(treasury.data).toEqual({ is_away: true, networks: [] });
  expect(parked.data).toEqual(
    ['customer', 'swap-pricing', 'payout', 'chain'].map((service) => ({ service, is_away: true, total: 0, facts: [] })),
  );
});

describe('with a chain service and a ledger', () => {
  const FACT = {
    ...{ consumer: 'chain', shard: 0, position: 7, movement: 'wallet-opened', concerns: 'x', held_behind: null },
    ...{ attempts: 5, reason: 'broken', parked_at: AT, retry_requested: false },
  };

  beforeAll(async () => {
    const chain = new BusServer(connection, codec, 'chain');
    chain.serve(chainStatus, () => Promise.resolve({ networks: [] }));
    chain.serve(getTreasury, () => Promise.resolve({ networks: [] }));
    chain.serve(listTransfers, ({ page, limit }) => Promise.resolve({ items: [TRANSFER], total: 1, page, limit }));
    chain.serve(getTransfer, () => Promise.resolve(TRANSFER));
    chain.serve(listUnrecognised, ({ page, limit }) =>
      Promise.resolve({ items: [UNRECOGNISED], total: 1, page, limit }),
    );
    chain.serve(listChainParkedFacts, ({ page, limit }) => Promise.resolve({ items: [FACT], total: 1, page, limit }));
    const ledger = new BusServer(connection, codec, 'wallet-ledger');
    ledger.serve(listShards, () => Promise.resolve({ read_at: AT, shards: [], instances: [], lost_databases: [] }));
    chain.listen(() => undefined);
    ledger.listen(() => undefined);
    await connection.flush();
  });

  it.each(SEES)('%s reads it, without the address of a payee or a payer, and in amounts of people', async (role) => {
    for (const path of ROUTES) {
      const { text } = await read(role, path);
      for (const address of [PAYEE, PAYER]) expect([path, text.includes(address)]).toEqual([path, false]);
    }
    const { data } = await read(role, 'treasury/transfers/payout-1');
    expect(data).toMatchObject({ amount: '1.50000000', currency: 'USDC', fee_coins: '0.0015', to_address: null });
    expect((await read(role, 'operations/parked-facts')).data).toMatchObject([{}, {}, {}, { total: 1, facts: [FACT] }]);
  });
});

it('instances are heard, each service by its own subject, and one that ends says so', async () => {
  const said = new Announcements(connection, codec);
  const sign: InstanceSign = { instance: 'host-1 7', started_at: AT, ready: true, phase: 'serving', broken: [] };
  said.announce(instanceSubject('payout'), sign);
  said.announce(instanceSubject('customer'), { ...sign, ready: 'yes' });
  const instancesOf = async (service: string) => {
    const { data } = await read('operations', 'operations/services');
    const { services } = data as {
      services: { service: string; instances: (InstanceSign & { is_silent: boolean })[] }[];
    };
    return services.find((one) => one.service === service)?.instances ?? [];
  };
  await eventually('it is heard', async () => (await instancesOf('payout')).length === 1);
  expect(await instancesOf('payout')).toMatchObject([{ ...sign, is_silent: false }]);
  expect(await instancesOf('customer')).toEqual([]);
  said.announce(instanceSubject('payout'), { ...sign, ready: false, phase: 'draining' });
  await eventually('its end is heard', async () => (await instancesOf('payout'))[0]?.phase === 'draining');
  // This instance says it of itself.
  await eventually('its own', async () => (await instancesOf('backoffice'))[0]?.ready === true);
});
