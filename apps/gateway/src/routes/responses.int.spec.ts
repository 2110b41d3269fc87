import { randomBytes } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import {
  AT,
  MERCHANT,
  OTHER_CUSTOMER,
  WALLET,
  call,
  keyOf,
  outcome,
  owners,
  quoted,
  standIns,
  useGateway,
  wallet,
} from '../../testing/gateway-fixture';

useGateway();

describe('success', () => {
  it('wraps a wallet', async () => {
    const { merchant_id: _merchant, ...printed } = wallet;
    expect((await call('GET', `/api/wallets/${WALLET.toUpperCase()}`)).body).toEqual({
      status: 'success',
      data: { ...printed, description: '' },
    });
    expect(standIns.requestsTo(getWallet)).toEqual([{ merchant_id: MERCHANT, wallet_id: WALLET }]);
  });

  it('wraps a quote twice, with its owner', async () => {
    standIns.on(createQuote, () => ({ result: quoted, replayed: false }));
    const { body } = await call('POST', '/api/instant-swaps', {
      from_currency: 'usdt',
      to_currency: 'ngn',
      amount: '1',
    });
    const { customer_id: _customer, ...printed } = quoted;
    const { profile } = owners.get(MERCHANT) as Owner;
    expect(body).toEqual({
      status: 'success',
      data: {
        status: 'success',
        message: expect.any(String) as string,
        data: { ...printed, user: { id: MERCHANT, ...profile } },
      },
    });
  });

  it('pages lists', async () => {
    standIns.on(listTransactions, ({ page, limit }) => ({ items: [], total: 0, page, limit }));
    expect((await call('GET', '/api/transactions?page=2')).body).toEqual({
      status: 'success',
      data: [],
      pagination: { total: 0, page: 2, limit: 10, totalPages: 0 },
    });
    expect(outcome(await call('GET', `/api/transactions?customer_id=${OTHER_CUSTOMER}`))).toEqual([404, 'not_found']);
    expect(outcome(await call('GET', '/api/customers/transactions/by_customer_id/x'))).toEqual([404, 'not_found']);
  });

  it('uploads documents in parts before it creates the customer', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-'), randomBytes(800 * 1024)]);
    const doc_image = `data:application/pdf;base64,${pdf.toString('base64')}`;
    const body = {
      first_name: 'Ada',
      last_name: 'Obi',
      email: 'ada@example.com',
      phone: '+2348012345678',
      birth_date: '1990-01-01',
      account_purpose: 'OTHER',
      employment_status: 'OTHER',
      expected_monthly_income: 10,
      most_recent_occupation: '111021',
      source_of_funds: 'SALARY',
      registered_address: { street1: '1 Marina', city: 'Lagos', state: 'LA', country: 'NG' },
      user_documents: [
        { doc_type: 'OTHER', doc_image },
        { doc_type: 'OTHER', doc_image: 'https://example.com/a.pdf' },
      ],
    };
    const view: CustomerView = {
      id: WALLET,
      customer_type: 'individual',
      email: 'ada@example.com',
      phone: '+2348012345678',
      status: 'active',
      kyc_status: 'approved',
      created_at: AT,
      updated_at: AT,
      address: null,
      business_info: null,
      personal_info: { first_name: 'Ada', middle_name: null, last_name: 'Obi', birth_date: '1990-01-01' },
      financial_info: {
        account_purpose: null,
        employment_status: null,
        expected_monthly_income: null,
        most_recent_occupation: null,
        source_of_funds: null,
      },
    };
    standIns.on(uploadDocumentPart, ({ upload_id }) => ({ upload_id }));
    standIns.on(createIndividualCustomer, () => ({ result: view, replayed: false }));
    const answer = await call('POST', '/api/individual-customers', body);
    expect([answer.status, answer.body['status']]).toEqual([201, 'success']);
    const parts = standIns.requestsTo(uploadDocumentPart).sort((a, b) => Number(a['part']) - Number(b['part']));
    expect(Buffer.concat(parts.map(({ bytes }) => Buffer.from(bytes as string, 'base64'))).equals(pdf)).toBe(true);
    const [created] = standIns.requestsTo(createIndividualCustomer);
    expect(created?.['documents']).toEqual([
      { doc_type: 'OTHER', upload_id: parts[0]?.['upload_id'] },
      { doc_type: 'OTHER', url: 'https://example.com/a.pdf' },
    ]);
    expect(created).not.toHaveProperty('user_documents');
  });
});

describe('the sandbox', () => {
  it('does not exist for live keys', async () => {
    const key = keyOf({ mode: 'live' });
    expect(outcome(await call('POST', '/api/sandbox/deposits', {}, { 'x-api-key': key }))).toEqual([404, 'not_found']);
    expect(outcome(await call('POST', '/api/sandbox/deposits', {}))).toEqual([400, 'validation_failed']);
  });
});

describe('when a service is away', () => {
  it('answers 503 within 5 s when the service does not reply', async () => {
    standIns.on(getWallet, () => new Promise<never>(() => undefined));
    const startedAt = Date.now();
    const answer = await call('GET', `/api/wallets/${WALLET}`);
    expect([...outcome(answer), answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  }, 10_000);

  it('answers 503 when no instance of the service listens', async () => {
    expect(outcome(await call('GET', `/api/swaps/${WALLET}`))).toEqual([503, 'unavailable']);
  }, 10_000);

  it('answers 500, without the reason, when a service fails', async () => {
    standIns.on(getWallet, () => {
      throw new Error('the reason');
    });
    const answer = await call('GET', `/api/wallets/${WALLET}`);
    expect(outcome(answer)).toEqual([500, 'internal_error']);
    expect(answer.text).not.toContain('the reason');
  });
});
