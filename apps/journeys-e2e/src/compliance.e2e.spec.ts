import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { individual, PNG } from '@stablecoin/testing/person';
import { testStack } from '@stablecoin/testing/stack';
import { Client, fieldErrorsOf, refusalOf } from './client';
import { createMerchant, merchantsCommand, newClient } from './merchants';
import { business, createBusiness, createIndividual } from './people';
import { Customer } from './resources';

const document = (doc_image: string) => ({ doc_type: 'valid_ids', sub_type: 'front', doc_image, doc_country: 'NG' });

describe('documents, once they are stored', () => {
  const secret = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf';

  it('are returned by no route, and to compliance byte for byte, with a record of the access', async () => {
    const own = await newClient();
    const answers = [await own.post<Customer>('/individual-customers', individual({ documents: [document(PNG)] }))];
    const { id } = answers[0]?.body.data as Customer;
    const supporting_documents = [document(PNG)];
    const business_owners = [{ first_name: 'Ada', last_name: 'Obi', supporting_documents }];
    answers.push(await own.post<Customer>('/business-customers', business({ business_owners })));
    answers.push(await own.put<Customer>(`/individual-customers/${id}`, { documents: [document(PNG)] }));
    for (const path of ['/customers', `/customers/${id}`, `/customers?search=${id}`]) {
      answers.push(await own.get<Customer>(path));
    }
    answers.push(await own.post<Customer>(`/customers/${id}/close`));
    for (const { status, text } of answers) {
      expect([200, 201]).toContain(status);
      for (const trace of [secret, 'document', 'upload', 'doc_']) expect(text).not.toContain(trace);
    }
    for (const path of [`/customers/${id}/documents`, `/documents/${id}`]) {
      await refusalOf(own.get(path), 404, 'not_found');
    }
    await refusalOf(own.get('/documents'), 405, 'method_not_allowed');

    const reader = ['--customer', id, '--officer', 'Ada Obi', '--reason', 'case 7', '--json'];
    const listed = JSON.parse(await merchantsCommand(['documents', 'list', ...reader])) as { document_id: string }[];
    expect(listed).toHaveLength(2);
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    try {
      const out = join(folder, 'id.png');
      await merchantsCommand([
        'documents',
        'export',
        ...reader,
        '--document',
        listed[0]?.document_id ?? '',
        '--out',
        out,
      ]);
      expect(readFileSync(out, 'base64')).toBe(PNG.split(',')[1]);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const accesses = JSON.parse(
      await merchantsCommand(['documents', 'accesses', '--customer', id, '--json']),
    ) as object[];
    expect(accesses).toMatchObject([
      { action: 'export', officer: 'Ada Obi', reason: 'case 7', database_user: 'customer_compliance' },
      { action: 'list', officer: 'Ada Obi', reason: 'case 7', database_user: 'customer_compliance' },
    ]);
  });
});

describe('a live merchant', () => {
  it('meets nothing of the sandbox: no deposit, no rail, no price of the static book', async () => {
    const live = await newClient(['--live']);
    const { id: wallet_id } = await live.sdk.wallets.open({ currency: 'USD' });
    await refusalOf(live.post('/sandbox/deposits', { wallet_id, amount: '1' }), 404, 'not_found');
    const pair = { from_currency: 'USDT', to_currency: 'NGN', amount: '10' };
    await refusalOf(live.post('/instant-swaps', pair), 503, 'unavailable');
    await refusalOf(live.post('/swaps', pair), 409, 'quote_required');
    const bank = { currency: 'USD', amount: '1', account_number: '0123456789', bank_code: '011', recipient_name: 'A' };
    await refusalOf(live.post('/payouts/banks', bank), 422, 'rail_unavailable');
    expect((await live.sdk.transactions.list()).data).toEqual([]);
  });
});

describe('a customer that a live key registers', () => {
  it('waits for people to decide, whatever its merchant sends, also after another name', async () => {
    const { merchant_id, api_key } = await createMerchant(['--live']);
    const live = new Client(testStack().base_url, api_key);
    const errors = await fieldErrorsOf(
      live.post('/individual-customers', individual({ key_mode: 'test', kyc_status: 'approved' })),
    );
    expect(errors).toEqual({ key_mode: 'unknown_field', kyc_status: 'unknown_field' });
    const created = await createIndividual(live);
    const { id } = created;
    expect(created).toMatchObject({ kyc_status: 'not_started' });
    const reviewed = { documents: [document(PNG)], kyc_status: 'approved' };
    expect(await live.sdk.customers.updateIndividual(id, reviewed)).toMatchObject({
      kyc_status: 'under_review',
    });
    expect(await createBusiness(live, { documents: [document(PNG)] })).toMatchObject({ kyc_status: 'under_review' });

    const bank = {
      currency: 'USD',
      account_number: '0123456789',
      bank_code: '011',
      recipient_name: 'Ada',
      amount: '1',
    };
    const payOut = () => live.post('/payouts/banks', { customer_id: id, ...bank });
    await refusalOf(payOut(), 422, 'kyc_required');
    await merchantsCommand([
      'customers',
      'set-kyc-status',
      '--merchant',
      merchant_id,
      '--customer',
      id,
      '--status',
      'approved',
      '--reason',
      'case 7',
    ]);
    // The gateway asks again within a second; there is no rail to pay out by.
    await eventually('the payout is no longer kyc_required', () => refusalOf(payOut(), 422, 'rail_unavailable'));

    expect(await live.sdk.customers.updateIndividual(id, { phone: '+2347012345678' })).toMatchObject({
      kyc_status: 'approved',
    });
    expect(await live.sdk.customers.updateIndividual(id, { last_name: 'Eze' })).toMatchObject({
      kyc_status: 'under_review',
    });
    await refusalOf(payOut(), 422, 'kyc_required');
  });
});
