import { randomUUID } from 'node:crypto';
import { ResolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { Instance, RunningShards } from '../testing/running-shards';
import { ResolvePayoutHandler } from './resolve-payout.handler';

let ledger: RunningShards;
let instance: Instance;
let merchant_id: string;

const starts = async () => {
  instance = await ledger.newInstance({ shards: 1, checkpointIntervalMs: 60_000 });
  await instance.shards.onApplicationBootstrap();
};

beforeAll(async () => {
  ledger = await RunningShards.start();
  await starts();
});
beforeEach(() => {
  merchant_id = randomUUID();
});
afterAll(() => ledger.stop());

const within = <Result>(work: () => Promise<Result>): Promise<Result> =>
  withRequestContext({ requestId: 'spec', deadline: Date.now() + 5_000, shard: 0 }, work);

const submit = (command: LedgerCommand) =>
  within(() =>
    instance.shards.writer().submit({
      request: { merchant_id, command_id: randomUUID(), input_hash: '' },
      command,
      result: () => ({}),
    }),
  );

async function openWallet(customer_id: string | null): Promise<string> {
  const [wallet_id, address_id] = [timeOrderedId(), timeOrderedId()];
  const address_index = await instance.addresses.drawIndex();
  const terms = { wallet_id, address_id, address_index, currency: 'EUR', network: null, description: null } as const;
  await submit({ kind: 'OpenWallet', merchant_id, customer_id, ...terms });
  return wallet_id;
}

/** A payout of all that a customer had, completed; the customer is closed. */
async function payoutOfClosed(): Promise<{ payout: string; wallet_id: string }> {
  const [customer_id, payout] = [randomUUID(), timeOrderedId()];
  const wallet_id = await openWallet(customer_id);
  const ids = { id: timeOrderedId(), reference_id: timeOrderedId() };
  const deposit = { wallet_id, amount: '10', network: null, reference: null, confirmed: true };
  await submit({ kind: 'RecordDeposit', merchant_id, ...ids, ...deposit });
  await submit({
    kind: 'HoldPayout',
    ...{ merchant_id, customer_id, id: payout, reference_id: timeOrderedId(), currency: 'EUR', amount: '10' },
    ...{ recipient_currency: 'EUR', exchange_rate: '1', sealed_destination: 'v1.sealed' },
  });
  await resolve(payout, 'COMPLETED');
  await submit({ kind: 'CloseCustomer', merchant_id, customer_id });
  return { payout, wallet_id };
}

const resolve = (transaction: string, resolution: 'COMPLETED' | 'REVERSED', commandId?: string) => {
  const request = Object.assign(new ResolvePayout(), commandOf({ merchant_id, transaction, resolution }, commandId));
  const handler = new ResolvePayoutHandler(instance.shards, instance.addresses, instance.evidence);
  return within(() => handler.execute(request));
};

const merchantsWallets = () => ledger.servers.database.$queryRaw<{ id: string; balance: string; index: number }[]>`
  SELECT wallets.id::text, balance::text, address_index AS index
  FROM wallets JOIN account_balances ON account_id = wallets.id::text
  WHERE merchant_id = ${merchant_id}::uuid AND customer_id IS NULL`;

it('finds the merchant’s wallet also when the instance has just taken the shard', async () => {
  const own = await openWallet(null);
  const { payout, wallet_id } = await payoutOfClosed();
  await ledger.stopInstances();
  await starts();
  expect(await resolve(payout, 'REVERSED')).toMatchObject({ result: { status: 'REVERSED', balance: '10.00000000' } });
  expect(await merchantsWallets()).toMatchObject([{ id: own, balance: '10.00000000' }]);
  const past = await ledger.servers.database.$queryRaw`
    SELECT balance::text FROM account_balances WHERE account_id = ${wallet_id}`;
  expect(past).toEqual([{ balance: '0.00000000' }]);
});

it('opens a wallet with an address index of its own, and uses up none where there is a wallet', async () => {
  const [first, second] = [await payoutOfClosed(), await payoutOfClosed()];
  await resolve(first.payout, 'REVERSED');
  const [opened] = await merchantsWallets();
  expect(opened).toMatchObject({ balance: '10.00000000' });
  await resolve(second.payout, 'REVERSED');
  expect(await merchantsWallets()).toEqual([{ ...opened, balance: '20.00000000' }]);
  // The one that the second return did not use, and then a new one.
  const next = [await instance.addresses.drawIndex(), await instance.addresses.drawIndex()];
  expect(new Set([opened?.index, ...next]).size).toBe(3);
  expect(Math.max(...next) - Number(opened?.index)).toBe(2);
});

it('happens once, however often the rail tells of it', async () => {
  const { payout } = await payoutOfClosed();
  const commandId = randomUUID();
  const { result } = await resolve(payout, 'REVERSED', commandId);
  expect(await resolve(payout, 'REVERSED', commandId)).toEqual({ result, replayed: true });
  expect(await merchantsWallets()).toMatchObject([{ balance: '10.00000000' }]);
});
