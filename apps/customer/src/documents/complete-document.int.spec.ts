import { createHash, Hash, randomBytes, randomUUID } from 'node:crypto';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { completeDocument } from '@stablecoin/contracts/customer/complete-document';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { DOCUMENT_BYTES_MAX } from '@stablecoin/contracts/customer/document';

import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { DocumentArchive } from '@stablecoin/customer-store/documents/document-archive';
import { SettingsWrapping } from '@stablecoin/key-wrapping/settings-wrapping';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { commandOf } from '@stablecoin/testing/command-of';
import { countedTurns } from '@stablecoin/testing/counted-turns';
import { asRole } from '@stablecoin/testing/postgres';
import { BY, business, individual, refusalOf, RunningCustomer, TEST_KEYS } from '../testing/running-service';
import { UNATTACHED_BYTES_MAX, UNATTACHED_DOCUMENTS_MAX } from './document-share';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const png = (bytes: number) => Buffer.concat([PNG, randomBytes(bytes - PNG.length)]);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const HOUR_MS = 3_600_000;

describe('a document that travels by itself', () => {
  let service: RunningCustomer;
  let merchant: string;

  beforeAll(async () => {
    service = await RunningCustomer.start();
  });
  beforeEach(async () => {
    merchant = await service.newMerchant();
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  async function upload(content: Buffer, upload_id: string = randomUUID()) {
    const parts = Math.ceil(content.length / DOCUMENT_PART_BYTES);
    for (let part = 0; part < parts; part += 1) {
      const bytes = content.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES).toString('base64');
      await service.ask(uploadDocumentPart, { merchant_id: merchant, upload_id, part, bytes });
    }
    return { merchant_id: merchant, upload_id, parts, bytes: content.length, sha256: sha256(content) };
  }
  const complete = (uploaded: object) => service.ask(completeDocument, commandOf(uploaded));
  async function sent(content = png(100)): Promise<string> {
    return (await complete(await upload(content))).result.document_id;
  }
  const attach = (document_id: string, merchant_id = merchant) => {
    const documents = [{ doc_type: 'valid_ids', document_id }];
    return service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  };
  const uploads = (id: string) => service.sql('SELECT 1 FROM document_uploads WHERE id = $1', [id]);
  const after = (ms: number) => jest.spyOn(service.clock, 'now').mockReturnValue(new Date(Date.now() + ms));

  it('is a customer’s with the command that names it, and compliance reads it back', async () => {
    const content = png(DOCUMENT_BYTES_MAX);
    const uploaded = await upload(content);
    const { result, replayed } = await complete(uploaded);
    const { upload_id: document_id, bytes } = uploaded;
    expect({ result, replayed }).toEqual({
      result: {
        document_id,
        bytes,
        sha256: sha256(content),
        media_type: 'image/png',
        created_at: expect.any(String) as string,
      },
      replayed: false,
    });
    const { result: customer } = await attach(document_id);
    const url = asRole(service.database.ownerUrl, 'customer_compliance');
    const compliance = new CustomerDatabase({ url, poolSize: 1 });
    try {
      const archive = new DocumentArchive(
        compliance,
        new SettingsWrapping(new MasterKeys(Buffer.from(TEST_KEYS.PERSONAL_DATA_KEY, 'base64'))),
      );
      const reader = { officer: 'Ada Obi', reason: 'case 7' };
      const kept = await archive.read(customer.id, document_id, reader);
      expect(kept.content.equals(content)).toBe(true);
      await service.ask(closeCustomer, commandOf({ merchant_id: merchant, customer_id: customer.id }));
      await new CustomerAdministration(service.get(CustomerDatabase), service.clock).erase(merchant, customer.id, BY);
      await expect(archive.read(customer.id, document_id, reader)).rejects.toThrow('was erased');
    } finally {
      await compliance.$disconnect();
    }
    expect(await refusalOf(attach(document_id))).toBe('document_used');
  });

  it('is opened part by part, between which others have their turns', async () => {
    const whole = await upload(png(DOCUMENT_PART_BYTES * 2 + 1));
    const turns = countedTurns();
    const readIn: number[] = [];
    const update = Reflect.get(Hash.prototype, 'update') as (this: Hash, data: unknown) => Hash;
    jest.spyOn(Hash.prototype, 'update').mockImplementation(function (this: Hash, data) {
      if (Buffer.isBuffer(data)) readIn.push(turns.now);
      return update.call(this, data);
    });
    await complete(whole);
    turns.stop();
    expect([readIn.length, new Set(readIn).size]).toEqual([3, 3]);
  });

  it('is refused when its parts are not what they must be together', async () => {
    const whole = await upload(png(DOCUMENT_PART_BYTES + 10));
    for (const wrong of [{ parts: 3 }, { bytes: whole.bytes - 1 }, { merchant_id: await service.newMerchant() }]) {
      expect(await refusalOf(complete({ ...whole, ...wrong }))).toBe('upload_id: unknown_upload');
    }
    expect(await refusalOf(complete({ ...whole, sha256: sha256(PNG) }))).toBe('sha256: digest_mismatch');
    expect(await refusalOf(complete(await upload(Buffer.from('GIF89a'))))).toBe('bytes: unsupported_document_type');
    expect(await refusalOf(attach(whole.upload_id))).toBe('not_found');
    await complete(whole);
    const part = { merchant_id: merchant, upload_id: randomUUID(), part: 0, bytes: PNG.toString('base64') };
    expect(await refusalOf(service.ask(uploadDocumentPart, { ...part, parts: 1 }))).toBe('sha256: digest_mismatch');
  });

  it('is one document however often the command is sent, and the parts of the repeats go', async () => {
    const [content, other] = [png(100), png(100)];
    const first = await upload(content);
    const command = commandOf(first);
    expect(await service.ask(completeDocument, command)).toMatchObject({ replayed: false });
    const again = { ...command, ...(await upload(content)) };
    expect(await service.ask(completeDocument, again)).toEqual({
      result: expect.objectContaining({ document_id: first.upload_id, sha256: first.sha256 }) as object,
      replayed: true,
    });
    expect(await uploads(again.upload_id)).toEqual([]);
    const reused = { ...command, ...(await upload(other)), input_hash: sha256(other) };
    expect(await refusalOf(service.ask(completeDocument, reused))).toBe('idempotency_key_reused');
    const [stored] = await service.sql<{ result: string }>(
      'SELECT result FROM command_results WHERE merchant_id = $1',
      [merchant],
    );
    expect(stored?.result).not.toContain(first.sha256);
  });

  it('is not found under another merchant, nor where it is not named as such, and is used once', async () => {
    const document_id = await sent();
    expect(await refusalOf(attach(document_id, await service.newMerchant()))).toBe('not_found');
    expect(await refusalOf(attach(randomUUID()))).toBe('not_found');
    const twice = [document_id, document_id].map((id) => ({ doc_type: 'OTHER', document_id: id }));
    const withBoth = service.ask(createIndividualCustomer, commandOf(individual(merchant, { documents: twice })));
    expect(await refusalOf(withBoth)).toBe('document_used');
    const { result } = await attach(document_id);
    const documents = [{ doc_type: 'OTHER', document_id }];
    const update = { merchant_id: merchant, customer_id: result.id, documents };
    expect(await refusalOf(service.ask(updateIndividualCustomer, commandOf(update)))).toBe('document_used');
    const email = (await service.ask(createIndividualCustomer, commandOf(individual(merchant)))).result.email;
    const taken = individual(merchant, { email, documents: [{ doc_type: 'OTHER', document_id: randomUUID() }] });
    expect(await refusalOf(service.ask(createIndividualCustomer, commandOf(taken)))).toBe('not_found');
  });

  it('can be an owner’s of a business', async () => {
    const supporting = async () => [{ doc_type: 'OTHER', document_id: await sent() }];
    const owners = async () => [{ first_name: 'Ada', last_name: 'Obi', supporting_documents: await supporting() }];
    const create = business(merchant, { business_owners: await owners(), documents: await supporting() });
    const { result } = await service.ask(createBusinessCustomer, commandOf(create));
    const update = { merchant_id: merchant, customer_id: result.id, business_owners: await owners() };
    await service.ask(updateBusinessCustomer, commandOf(update));
    const rows = await service.sql('SELECT 1 FROM documents WHERE customer_id = $1', [result.id]);
    expect(rows).toHaveLength(3);
  });

  it('waits a day for its customer, and an hour for its end', async () => {
    const [whole, begun] = [await sent(), (await upload(png(100))).upload_id];
    after(23 * HOUR_MS);
    await upload(png(100));
    expect([await uploads(whole), await uploads(begun)].map(({ length }) => length)).toEqual([1, 0]);
    after(24 * HOUR_MS + 1_000);
    expect(await refusalOf(attach(whole))).toBe('not_found');
    await upload(png(100));
    expect(await uploads(whole)).toEqual([]);
  });

  it('has a share of its merchant’s: a hundred without a customer, and 500 MiB of all uploads', async () => {
    const document_id = await sent();
    const fill = (count: number, bytes: number) =>
      service.sql(
        `INSERT INTO document_uploads (id, merchant_id, wrapped_key, created_at, bytes)
         SELECT gen_random_uuid(), $1, 'x', now(), $2 FROM generate_series(1, $3)`,
        [merchant, bytes, count],
      );
    const announced = (content: Buffer) => {
      const part = { merchant_id: merchant, upload_id: randomUUID(), part: 0, bytes: content.toString('base64') };
      return service.ask(uploadDocumentPart, { ...part, parts: 1, sha256: sha256(content) });
    };
    await fill(UNATTACHED_DOCUMENTS_MAX - 1, 1);
    expect(await refusalOf(upload(png(100)))).toBe('rate_limited');
    await announced(png(100));
    await attach(document_id);
    await service.sql(
      `DELETE FROM document_uploads WHERE merchant_id = $1 AND bytes = 100 AND parts IS NOT NULL
      AND attached_customer_id IS NULL`,
      [merchant],
    );
    await upload(png(100));
    await fill(1, UNATTACHED_BYTES_MAX);
    expect(await refusalOf(announced(png(100)))).toBe('rate_limited');
    merchant = await service.newMerchant();
    await upload(png(100));
  });

  it('is refused without a share until so much has expired that there is room', async () => {
    const fill = (count: number, bytes: number, minutes: number) =>
      service.sql(
        `INSERT INTO document_uploads (id, merchant_id, wrapped_key, created_at, bytes, expires_at)
         SELECT gen_random_uuid(), $1, 'x', now(), $2, now() + $4 * interval '1 minute' FROM generate_series(1, $3)`,
        [merchant, bytes, count, minutes],
      );
    const afterSeconds = () =>
      upload(png(100)).then(
        () => 0,
        ({ retryAfterSeconds = NaN }: Refusal) => retryAfterSeconds,
      );
    await fill(1, 1, 10);
    await fill(1, 1, 20);
    await fill(UNATTACHED_DOCUMENTS_MAX - 1, 1, 60);
    expect(Math.round((await afterSeconds()) / 60)).toBe(20);
    await fill(1, UNATTACHED_BYTES_MAX - 10, 30);
    expect(Math.round((await afterSeconds()) / 60)).toBe(30);
  });

  it('leaves what a repeated command uploaded once more when the database is away, and says so', async () => {
    const content = png(100);
    const command = commandOf(await upload(content));
    await service.ask(completeDocument, command);
    const again = { ...command, upload_id: (await upload(content)).upload_id };
    const discarded = jest.spyOn(service.get(CustomerDatabase).sql, '$executeRaw');
    discarded.mockRejectedValueOnce(Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' }));
    expect(await refusalOf(service.ask(completeDocument, again))).toBe('unavailable');
    discarded.mockRestore();
    expect(await service.ask(completeDocument, again)).toMatchObject({ replayed: true });
    expect(await uploads(again.upload_id)).toEqual([]);
  });
});
