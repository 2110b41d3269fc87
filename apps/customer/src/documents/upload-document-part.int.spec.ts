import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { openBytes } from '@stablecoin/personal-data/sealed-field';
import { commandOf } from '@stablecoin/testing/command-of';
import { individual, refusalOf, RunningCustomer } from '../testing/running-service';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const png = (bytes: number) => Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('uploading a document in parts', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  function partsOf(content: Buffer, fields: object = {}) {
    const parts = Math.ceil(content.length / DOCUMENT_PART_BYTES);
    const upload_id = randomUUID();
    return Array.from({ length: parts }, (_none, part) => {
      const bytes = content.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES).toString('base64');
      return { merchant_id: merchant, upload_id, part, parts, sha256: sha256(content), bytes, ...fields };
    });
  }
  const send = (part: object) => service.ask(uploadDocumentPart, part);
  const attach = (upload_id: string, merchant_id = merchant) => {
    const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', upload_id }];
    return service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  };
  const uploads = (id: string) =>
    service.sql<{ whole_at: Date | null }>('SELECT whole_at FROM document_uploads WHERE id = $1', [id]);

  it('takes 5 MiB in any order, more than once and at once, and keeps them readable with the customer key only', async () => {
    const content = png(DOCUMENT_BYTES_MAX);
    const parts = partsOf(content);
    const [first, last] = [parts[0], parts.at(-1)] as [(typeof parts)[0], (typeof parts)[0]];
    await send(last);
    await send(last);
    expect(await refusalOf(attach(first.upload_id))).toBe('documents.0.upload_id: unknown_upload');
    await Promise.all(parts.slice(0, -1).map(send));
    expect(await send(first)).toEqual({ upload_id: first.upload_id });
    const { result } = await attach(first.upload_id);
    const kept = await contentOf(result.id, first.upload_id);
    expect(kept.equals(content)).toBe(true);
  });

  /** As a person with access to the database and the master key could. */
  async function contentOf(customerId: string, uploadId: string): Promise<Buffer> {
    const [row] = await service.sql<{ wrapped_key: string; sealed_content_key: string }>(
      'SELECT wrapped_key, sealed_content_key FROM documents JOIN data_keys ON owner_id = customer_id WHERE upload_id = $1',
      [uploadId],
    );
    const seal = await service.get(PersonalData).sealOf(customerId, row?.wrapped_key ?? '');
    const key = Buffer.from(seal.open<string>(`content-key:${uploadId}`, row?.sealed_content_key ?? ''), 'base64');
    const parts = await service.sql<{ part: number; sealed_bytes: Buffer }>(
      'SELECT part, sealed_bytes FROM document_parts WHERE upload_id = $1 ORDER BY part',
      [uploadId],
    );
    return Buffer.concat(parts.map(({ part, sealed_bytes }) => openBytes(key, uploadId, `part:${part}`, sealed_bytes)));
  }

  it.each([
    ['a kind that is none of the three', Buffer.from('GIF89a and more'), {}, 'bytes: unsupported_document_type'],
    ['another digest than announced', png(100), { sha256: sha256(PNG) }, 'sha256: digest_mismatch'],
    ['one byte over 5 MiB', png(DOCUMENT_BYTES_MAX + 1), {}, 'bytes: document_too_large'],
    ['a part number beyond the parts', png(100), { part: 1 }, 'part: invalid_number'],
    ['base64 with spare bits', PNG, { bytes: 'iVBORw0KGgp=' }, 'bytes: invalid_base64'],
  ])('refuses %s', async (_case, content, fields, refusal) => {
    const parts = partsOf(content, fields);
    for (const part of parts.slice(0, -1)) await send(part);
    const last = parts.at(-1) as (typeof parts)[0];
    expect(await refusalOf(send(last))).toBe(refusal);
    expect(await refusalOf(attach(last.upload_id))).toBe('documents.0.upload_id: unknown_upload');
  });

  it('takes JPEG and PDF', async () => {
    for (const magic of [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('%PDF-1.7')]) {
      const [part] = partsOf(magic);
      await send(part ?? {});
      await attach(part?.upload_id ?? '');
    }
  });

  it('keeps an upload to its merchant, its digest, and one customer', async () => {
    const [part] = partsOf(png(64)) as [ReturnType<typeof partsOf>[0]];
    await send(part);
    const otherMerchant = await service.newMerchant();
    expect(await refusalOf(send({ ...part, merchant_id: otherMerchant }))).toBe('upload_id: upload_mismatch');
    expect(await refusalOf(send({ ...part, sha256: sha256(PNG) }))).toBe('upload_id: upload_mismatch');
    expect(await refusalOf(attach(part.upload_id, otherMerchant))).toBe('documents.0.upload_id: unknown_upload');
    const { result } = await attach(part.upload_id);
    expect(await refusalOf(attach(part.upload_id))).toBe('documents.0.upload_id: unknown_upload');
    const again = {
      merchant_id: merchant,
      customer_id: result.id,
      documents: [{ doc_type: 'OTHER', upload_id: part.upload_id }],
    };
    expect(await refusalOf(service.ask(updateIndividualCustomer, commandOf(again)))).toBe(
      'documents.0.upload_id: unknown_upload',
    );
  });

  it('refuses a document that is neither uploaded nor a link, or both', async () => {
    const create = (document: object) =>
      service.ask(
        createIndividualCustomer,
        commandOf(individual(merchant, { documents: [{ doc_type: 'OTHER', ...document }] })),
      );
    expect(await refusalOf(create({}))).toBe('documents.0: invalid_document');
    const both = { url: 'https://files.example.com/a.png', upload_id: randomUUID() };
    expect(await refusalOf(create(both))).toBe('documents.0: invalid_document');
  });

  it('forgets after an hour what no customer refers to', async () => {
    const [forgotten, attached, fresh] = [partsOf(png(64))[0], partsOf(png(64))[0], partsOf(png(64))[0]];
    await send(forgotten ?? {});
    await send(attached ?? {});
    await attach(attached?.upload_id ?? '');
    jest.spyOn(service.clock, 'now').mockReturnValue(new Date(Date.now() + 3_601_000));
    await send(fresh ?? {});
    expect(await uploads(forgotten?.upload_id ?? '')).toEqual([]);
    expect(await uploads(attached?.upload_id ?? '')).toHaveLength(1);
    expect(await uploads(fresh?.upload_id ?? '')).toHaveLength(1);
  });
});
