/** Each read of a merchant's says which shard it is about: the ledger asks the database that has it, and refuses what names none. */
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { explainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { getDailyBalances } from '@stablecoin/contracts/wallet/get-daily-balances';
import { getDailyFigures } from '@stablecoin/contracts/wallet/get-daily-figures';
import { getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listWalletEntries } from '@stablecoin/contracts/wallet/list-wallet-entries';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import type { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { type OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import type { NatsConnection } from 'nats';
import { newMerchant, RunningBackoffice } from '../testing/running-backoffice';

const READS: readonly Operation<object, unknown>[] = [
  ...[listWallets, getWallet, getPastBalance, getDailyBalances, listWalletEntries, getDailyFigures],
  ...[listTransactions, getTransaction, explainTransaction, proveTransaction],
];
const DAYS = 'start_date=2026-06-01&end_date=2026-06-02';
const WALLET = `wallets/${randomUUID()}`;

let broker: OwnNats;
let backoffice: RunningBackoffice;
let connection: NatsConnection;
/** What the ledger was asked, and about which shard. */
const asked: { subject: string; shard: number | undefined }[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startOwnNats();
  backoffice = await RunningBackoffice.start({ NATS_URL: broker.url });
  connection = await connectToBus(broker.url, 'services', false);
  const ledger = new BusServer(connection, new SealedCodec(backoffice.busKey), 'wallet-ledger');
  for (const operation of READS)
    ledger.serve(operation, () => {
      asked.push({ subject: operation.subject, shard: currentRequest()?.shard });
      return Promise.reject(new Refusal('not_found'));
    });
  ledger.listen(() => undefined);
  await connection.flush();
});
beforeEach(() => void asked.splice(0));
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
  await broker?.stop();
});

it.each([
  ['wallets', listWallets],
  [WALLET, getWallet],
  [`${WALLET}/statement`, getPastBalance],
  [`${WALLET}/balances?${DAYS}`, getDailyBalances],
  [`${WALLET}/statement.csv?${DAYS}`, listWalletEntries],
  [`${WALLET}/statement.pdf?${DAYS}`, listWalletEntries],
  [`figures?${DAYS}`, getDailyFigures],
  ['transactions', listTransactions],
  ['transactions.csv', listTransactions],
  ['deposits', listTransactions],
  ['transactions/AAAAAAAAAA', getTransaction],
  [`transactions/${randomUUID()}`, getTransaction],
  ['transactions/AAAAAAAAAA/events', explainTransaction],
  ['transactions/AAAAAAAAAA/proof', proveTransaction],
] as const)('%s', async (path, { subject }) => {
  const { browser } = await backoffice.member('admin', { ...newMerchant(), shard: 5 });
  await browser.get(`/api/${path}`);
  expect(asked).toEqual([{ subject, shard: 5 }]);
});
