import { randomUUID } from 'node:crypto';
import { ConfirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { FailDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { RecordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { ReverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { commandOf } from '@stablecoin/testing/command-of';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { factsAfter } from '../relay/facts-after';
import { Instance, RunningShards } from '../testing/running-shards';
import { ConfirmDepositHandler } from './confirm-deposit.handler';
import { FailDepositHandler } from './fail-deposit.handler';
import { RecordDepositHandler } from './record-deposit.handler';
import { ReverseDepositHandler } from './reverse-deposit.handler';

let ledger: RunningShards;
let instance: Instance;
let merchant_id: string;
let wallet_id: string;

const starts = async () => {
  instance = await ledger.newInstance({ shards: 1, checkpointIntervalMs: 60_000 });
  await instance.shards.onApplicationBootstrap();
};

beforeAll(async () => {
  ledger = await RunningShards.start();
  await starts();
});
beforeEach(async () => {
  merchant_id = randomUUID();
  wallet_id = timeOrderedId();
  const ids = { wallet_id, address_id: timeOrderedId(), address_index: await instance.addresses.drawIndex() };
  const about = { currency: 'USDC', network: 'polygon', description: null } as const;
  await submit({ kind: 'OpenWallet', merchant_id, customer_id: null, ...ids, ...about });
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

const record = async (amount: string, confirmed = false) => {
  const seen = {
    merchant_id,
    wallet_id,
    amount,
    network: 'polygon',
    crypto_transaction_id: '0xabc',
    confirmed,
  } as const;
  const request = Object.assign(new RecordDeposit(), commandOf(seen));
  return (await within(() => new RecordDepositHandler(instance.shards, instance.evidence).execute(request))).result;
};
const confirm = (id: string) =>
  within(() =>
    new ConfirmDepositHandler(instance.shards, instance.evidence).execute(
      Object.assign(new ConfirmDeposit(), commandOf({ merchant_id, id })),
    ),
  );
const fail = (id: string) =>
  within(() =>
    new FailDepositHandler(instance.shards, instance.evidence).execute(
      Object.assign(new FailDeposit(), commandOf({ merchant_id, id })),
    ),
  );
const reverse = (id: string, commandId?: string) => {
  const request = Object.assign(new ReverseDeposit(), commandOf({ merchant_id, id }, commandId));
  return within(() => new ReverseDepositHandler(instance.shards, instance.evidence).execute(request));
};
const payOut = (amount: string) =>
  submit({
    kind: 'HoldPayout',
    ...{ merchant_id, customer_id: null, id: timeOrderedId(), reference_id: timeOrderedId(), currency: 'USDC', amount },
    ...{ network: 'polygon', recipient_currency: null, exchange_rate: '1', sealed_destination: 'v1.sealed' },
  });

const row = async () => {
  const rows = await ledger.servers.database.$queryRaw<{ balance: string; reversed: string }[]>`
    SELECT balance::text, reversed_deposits::text AS reversed FROM account_balances WHERE account_id = ${wallet_id}`;
  return rows[0];
};
const reversals = async () =>
  Number(/ledger_deposits_reversed_total\{rail="polygon"\} (\d+)/.exec(await metricsText())?.[1] ?? NaN);

it('is PENDING under its chain’s name, then final or failed, and every step is a fact', async () => {
  const [one, other] = [await record('10'), await record('7')];
  expect(one).toMatchObject({ status: 'PENDING', crypto_transaction_id: '0xabc', network: 'polygon' });
  const named = { crypto_transaction_id: '0xabc' };
  expect((await confirm(one.id)).result).toMatchObject({ status: 'COMPLETED', balance: '10.00000000', ...named });
  expect((await fail(other.id)).result).toMatchObject({ status: 'FAILED', balance: '10.00000000', ...named });
  await reverse(one.id);
  const { facts } = await factsAfter(ledger.servers.database, 0, 0, 1_000);
  const told = facts.filter((fact) => fact.merchant_id === merchant_id && fact.movement.startsWith('deposit-'));
  expect(told.slice(-5).map(({ movement, transactions: [of] }) => [movement, of?.status, of?.reference])).toEqual([
    ['deposit-recorded', 'PENDING', '0xabc'],
    ['deposit-recorded', 'PENDING', '0xabc'],
    ['deposit-completed', 'COMPLETED', '0xabc'],
    ['deposit-failed', 'FAILED', '0xabc'],
    ['deposit-reversed', 'REVERSED', '0xabc'],
  ]);
});

it('is reversed after it was spent, and the next owner of the shard lets nothing out of the wallet either', async () => {
  const { id } = await record('10', true);
  await payOut('4');
  expect((await reverse(id)).result).toMatchObject({ status: 'REVERSED', balance: '-4.00000000' });
  expect(await row()).toEqual({ balance: '-4.00000000', reversed: '10.00000000' });
  await ledger.stopInstances();
  await starts();
  await record('3', true);
  await expect(payOut('0.5')).rejects.toMatchObject({ code: 'insufficient_funds' });
  await record('1.5', true);
  await payOut('0.5');
  expect(await row()).toEqual({ balance: '0.00000000', reversed: '10.00000000' });
});

it('is reversed and counted once, however often the rail tells of it', async () => {
  const { id } = await record('10', true);
  const [before, commandId] = [await reversals(), randomUUID()];
  const { result } = await reverse(id, commandId);
  expect(await reverse(id, commandId)).toEqual({ result, replayed: true });
  await expect(reverse(id)).rejects.toMatchObject({ code: 'invalid_transition' });
  expect(await reversals()).toBe(before + 1);
  expect(await row()).toEqual({ balance: '0.00000000', reversed: '10.00000000' });
});

it('bounds in the database by how much a wallet is below zero', async () => {
  const { id } = await record('10', true);
  await reverse(id);
  const owe = (balance: string) => ledger.servers.database.$executeRaw`
    UPDATE account_balances SET balance = ${balance}::numeric WHERE account_id = ${wallet_id}`;
  await expect(owe('-10.00000001')).rejects.toThrow(/wallets_owe_reversed_deposits_at_most/);
});
