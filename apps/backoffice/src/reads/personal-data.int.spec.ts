/** What is personal in what services answer: shown to the roles that see it, and of a case on the record alone. */
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { listMerchantUnrecognised } from '@stablecoin/contracts/chain/list-merchant-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { CaseView, CustomerFileView } from '@stablecoin/contracts/customer/case-views';
import { getCase } from '@stablecoin/contracts/customer/get-case';
import { getCustomerFile } from '@stablecoin/contracts/customer/get-customer-file';
import { openSealed } from '@stablecoin/contracts/customer/open-sealed';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { Role } from '@stablecoin/people-store/roles';
import { asSealedText } from '@stablecoin/personal-data/sealed-text';
import { type OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import type { NatsConnection } from 'nats';
import { newMerchant, RunningBackoffice } from '../testing/running-backoffice';

const PAYER = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
const OURS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LINK = 'https://files.example.com/passport-of-ada-obi';
const AT = '2026-01-31T09:30:00.000Z';
const MERCHANT = newMerchant();
const CUSTOMER_ID = randomUUID();
const UNRECOGNISED: UnrecognisedView = {
  ...{
    id: randomUUID(),
    network: 'erc20',
    transaction_hash: '0x1',
    from_address: PAYER,
    to_address: OURS,
    token: OURS,
  },
  ...{ currency: 'USDC', units: '5', amount: null, block_number: 7, standing: 'final', reason: 'below_smallest_unit' },
  ...{ wallet_id: randomUUID(), merchant_id: MERCHANT.merchant_id, seen_at: AT },
};
const CASE: CaseView = {
  ...{ customer_id: CUSTOMER_ID, merchant_id: MERCHANT.merchant_id, customer_type: 'individual', status: 'active' },
  ...{ kyc_status: 'under_review', created_at: AT, updated_at: AT, erased_at: null },
};
const FILE: CustomerFileView = {
  documents: [
    {
      id: randomUUID(),
      doc_type: 'valid_ids',
      sub_type: null,
      doc_country: 'NG',
      url: LINK,
      bytes: null,
      created_at: AT,
    },
  ],
  ...{ kyc_history: [], documents_are_shown: true },
};
const depositOf = (status: TransactionView['status'], reason: string): TransactionView => ({
  ...{ id: randomUUID(), transaction_id: 'ABCDEF1234', reference_id: randomUUID(), merchant_id: MERCHANT.merchant_id },
  ...{
    customer_id: CUSTOMER_ID,
    sender_wallet_id: null,
    receiver_wallet_id: randomUUID(),
    transaction_type: 'DEPOSIT',
  },
  ...{ transaction_mode: 'CREDIT', asset_code: 'USDC', amount: '5.00000000', fee: null, status, balance: '5.00000000' },
  ...{ exchange_rate: null, amount_fiat: null, network: 'erc20', crypto_transaction_id: `0x${'1'.repeat(64)}` },
  ...{ fiat_reference_id: null, recipient_currency: null, recipient_country: null, bank_name: null, bank_code: null },
  ...{ reason: asSealedText(reason), sealed_destination: null, created_at: AT, updated_at: AT },
});
const DEPOSITS = [depositOf('COMPLETED', 'one'), depositOf('PENDING', 'two')];

let broker: OwnNats;
let backoffice: RunningBackoffice;
let connection: NatsConnection;

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startOwnNats();
  backoffice = await RunningBackoffice.start({ NATS_URL: broker.url });
  connection = await connectToBus(broker.url, 'services', false);
});
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
  await broker?.stop();
});

const read = async <Data>(role: Role, path: string): Promise<Data> => {
  const { browser } = await backoffice.member(role, role === 'compliance' ? null : MERCHANT);
  const { status, body } = await browser.get(`/api/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return (body as { data: Data }).data;
};

it('a transfer that was not credited is in no list while no chain service runs', async () => {
  expect(await read('admin', 'deposits/unrecognised')).toEqual([]);
});

describe('with the services that know more', () => {
  const opened: number[] = [];

  beforeAll(async () => {
    const codec = new SealedCodec(backoffice.busKey);
    const chain = new BusServer(connection, codec, 'chain');
    chain.serve(listMerchantUnrecognised, ({ page, limit }) =>
      Promise.resolve({ items: [UNRECOGNISED], total: 1, page, limit }),
    );
    const customer = new BusServer(connection, codec, 'customer');
    customer.serve(getCase, () => Promise.resolve(CASE));
    customer.serve(getCustomerFile, () => Promise.resolve(FILE));
    chain.serve(getDeposit, () =>
      Promise.resolve({
        ...{ network: 'erc20' as const, transaction_hash: '0x1', block_number: 7, standing: 'included' as const },
        ...{ confirmations: 3, confirmations_required: 12 },
      }),
    );
    customer.serve(openSealed, ({ values }) => {
      opened.push(values.length);
      return Promise.resolve(values.map(({ sealed }) => `Ada Obi pays ${sealed}`));
    });
    const ledger = new BusServer(connection, codec, 'wallet-ledger');
    ledger.serve(listTransactions, ({ page, limit }) => Promise.resolve({ items: DEPOSITS, total: 2, page, limit }));
    for (const server of [chain, customer, ledger]) server.listen(() => undefined);
    await connection.flush();
  });

  it.each<[Role, string | null]>([
    ...(['viewer', 'developer'] as const).map((role): [Role, null] => [role, null]),
    ...(['payer', 'approver', 'admin'] as const).map((role): [Role, string] => [role, PAYER]),
  ])('a %s sees %s as who has sent a transfer that was not credited', async (role, from_address) => {
    const { merchant_id: _, ...shown } = UNRECOGNISED;
    expect(await read(role, 'deposits/unrecognised')).toEqual([{ ...shown, from_address, explorer_url: null }]);
  });

  it('a page of deposits has how far they are, and what is sealed of them for who may see it', async () => {
    const seen = [
      { status: 'COMPLETED', confirmations: null, reason: 'Ada Obi pays one' },
      { status: 'PENDING', confirmations: 3, reason: 'Ada Obi pays two' },
    ];
    expect(await read('viewer', 'deposits')).toMatchObject(seen.map((deposit) => ({ ...deposit, reason: null })));
    expect(opened).toEqual([]);
    expect(await read('admin', 'deposits')).toMatchObject(seen);
    expect(opened).toEqual([2]);
  });

  it.each<[Role, string, string | null]>([
    ['viewer', 'customers', null],
    ['admin', 'customers', LINK],
    ['compliance', 'cases', null],
  ])('a %s reads in the file of %s the link %s', async (role, of, url) => {
    const { documents, ...rest } = await read<CustomerFileView>(role, `${of}/${CUSTOMER_ID}/file`);
    expect(documents).toEqual([{ ...FILE.documents[0], url, doc_country: url === null ? null : 'NG' }]);
    expect(rest).toEqual({ kyc_history: [], documents_are_shown: true });
  });
});

it('a statement is for members: no path gives one to the operator’s people', async () => {
  const { browser } = await backoffice.member('support', null);
  for (const file of ['statement.csv', 'statement.pdf']) {
    const path = `wallets/${randomUUID()}/${file}?start_date=2026-01-01&end_date=2026-01-31`;
    expect((await browser.get(`/api/${path}`)).status).toBe(403);
    expect((await browser.get(`/api/merchants/${MERCHANT.merchant_id}/${path}`)).status).toBe(404);
  }
});
