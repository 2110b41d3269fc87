import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { individual } from '@stablecoin/testing/person';
import { testStack } from '@stablecoin/testing/stack';
import { Client, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { fileForm, PNG_BYTES, sendDocument, SentDocument } from './forms';
import { createMerchant, merchantsCommand, newClient } from './merchants';
import { business, createBusiness, createIndividual } from './people';
import { Customer, UUID } from './resources';

covers('Resource: document');

const MIB = 1024 * 1024;
const png = (bytes: number) => Buffer.concat([PNG_BYTES, Buffer.alloc(bytes)]).subarray(0, bytes);
const named = (document_id: string) => ({ doc_type: 'valid_ids', sub_type: 'front', document_id, doc_country: 'NG' });

let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

describe('POST /documents', () => {
  covers('POST /documents');

  it('takes up to 5 MiB of PNG, JPEG or PDF, and says what arrived', async () => {
    for (const [content, media_type] of [
      [png(5 * MIB), 'image/png'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]), 'image/jpeg'],
      [Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ] as const) {
      expect(await sendDocument(merchant, content)).toEqual({
        document_id: UUID,
        sha256: createHash('sha256').update(content).digest('hex'),
        bytes: content.length,
        media_type,
        created_at: expect.any(String) as string,
      });
    }
  });

  it('refuses another type, a larger file, another form and another body', async () => {
    const errorsOf = (content: Buffer, field?: string) =>
      fieldErrorsOf(merchant.post('/documents', undefined, fileForm(content, field)));
    expect(await errorsOf(Buffer.from('GIF89a'))).toEqual({ file: 'invalid_document' });
    expect(await errorsOf(png(5 * MIB + 1))).toEqual({ file: 'document_too_large' });
    expect(await errorsOf(PNG_BYTES, 'scan')).toEqual({ scan: 'unknown_field' });
    await refusalOf(merchant.post('/documents', {}), 415, 'unsupported_media_type');
    await refusalOf(merchant.post('/wallets', undefined, fileForm(PNG_BYTES)), 415, 'unsupported_media_type');
  });

  it('takes a live key as well, and no key without the scope write', async () => {
    const { api_key } = await createMerchant(['--live']);
    await sendDocument(new Client(testStack().base_url, api_key));
    const reader = await newClient(['--scopes', 'read']);
    await refusalOf(reader.post('/documents', undefined, fileForm(PNG_BYTES)), 403, 'insufficient_scope');
  });

  it('answers the same to the same key and content, and takes no other content under that key', async () => {
    const send = (content: Buffer, key: string) =>
      merchant.post<SentDocument>('/documents', undefined, { ...fileForm(content), idempotencyKey: key });
    const idempotencyKey = randomUUID();
    const first = await send(PNG_BYTES, idempotencyKey);
    const again = await send(PNG_BYTES, idempotencyKey);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    await refusalOf(send(png(100), idempotencyKey), 422, 'idempotency_key_reused');
    const other = await send(PNG_BYTES, randomUUID());
    expect(other.body.data.document_id).not.toBe(first.body.data.document_id);
  });

  it('drops a sender that keeps it waiting, unanswered', async () => {
    const { hostname, port, pathname } = new URL(merchant.baseUrl);
    const { headers } = fileForm(PNG_BYTES);
    const lines = [
      `POST ${pathname}/documents HTTP/1.1`,
      'host: x',
      `x-api-key: ${merchant.apiKey}`,
      `content-type: ${headers?.['content-type']}`,
      `content-length: ${5 * MIB}`,
    ];
    let answer = '';
    let isClosed = false;
    const socket = connect(Number(port), hostname)
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('error', () => undefined)
      .on('close', () => (isClosed = true));
    socket.write(`${lines.join('\r\n')}\r\n\r\n--`);
    await eventually('it is dropped', () => isClosed, { timeoutMs: 15_000 });
    expect(answer).toBe('');
  });
});

describe('a document that was sent by itself', () => {
  it('is taken in place of its image by every body that takes documents', async () => {
    const sent = async () => named((await sendDocument(merchant)).document_id);
    const { id } = await createIndividual(merchant, { documents: [await sent()] });
    await merchant.sdk.customers.updateIndividual(id, { user_documents: [await sent()] });
    const owner = async () => ({ first_name: 'Ada', last_name: 'Obi', supporting_documents: [await sent()] });
    const firm = await createBusiness(merchant, { documents: [await sent()], business_owners: [await owner()] });
    await merchant.sdk.customers.updateBusiness(firm.id, { business_owners: [await owner()] });
  });

  it('is named by its id or comes as an image, one of the two', async () => {
    const { document_id } = await sendDocument(merchant);
    const errorsOf = (document: object) =>
      fieldErrorsOf(merchant.post('/individual-customers', individual({ documents: [document] })));
    const both = { ...named(document_id), doc_image: 'https://files.example.com/passport.png' };
    expect(await errorsOf(both)).toEqual({ 'documents.0.document_id': 'conflicting_fields' });
    expect(await errorsOf({ doc_type: 'valid_ids' })).toEqual({ 'documents.0.doc_image': 'required' });
    expect(await errorsOf({ doc_type: 'valid_ids', document_id: 'x' })).toEqual({
      'documents.0.document_id': 'invalid_uuid',
    });
  });

  it('is one customer’s, once, and a repeated request is answered again', async () => {
    const documents = [named((await sendDocument(merchant)).document_id)];
    const [body, idempotencyKey] = [individual({ documents }), randomUUID()];
    const first = await merchant.post<Customer>('/individual-customers', body, { idempotencyKey });
    const again = await merchant.post<Customer>('/individual-customers', body, { idempotencyKey });
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    await refusalOf(merchant.post('/individual-customers', individual({ documents })), 409, 'document_used');
    const update = merchant.put(`/individual-customers/${first.body.data.id}`, { documents });
    await refusalOf(update, 409, 'document_used');
    await refusalOf(merchant.post('/business-customers', business({ documents })), 409, 'document_used');
  });

  it('is not there for another merchant, and then still there for its own', async () => {
    const documents = [named((await sendDocument(merchant)).document_id)];
    const other = await newClient();
    await refusalOf(other.post('/individual-customers', individual({ documents })), 404, 'not_found');
    await createIndividual(merchant, { documents });
  });

  it('is read by compliance, byte for byte, until its customer is erased', async () => {
    const { merchant_id, api_key } = await createMerchant();
    const own = new Client(testStack().base_url, api_key);
    const content = png(900_000);
    const { document_id } = await sendDocument(own, content);
    const { id } = await createIndividual(own, { documents: [named(document_id)] });
    const reader = ['--customer', id, '--officer', 'Ada Obi', '--reason', 'case 7', '--json'];
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    const exportTo = (file: string) =>
      merchantsCommand(['documents', 'export', ...reader, '--document', document_id, '--out', join(folder, file)]);
    try {
      await exportTo('before.png');
      expect(readFileSync(join(folder, 'before.png')).equals(content)).toBe(true);
      await own.sdk.customers.close(id);
      const erased = ['--merchant', merchant_id, '--customer', id, '--reason', 'case 7'];
      await merchantsCommand(['customers', 'erase', ...erased]);
      await expect(exportTo('after.png')).rejects.toThrow('erased');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
