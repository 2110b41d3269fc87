import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { DocumentArchive } from '@stablecoin/customer-store/documents/document-archive';
import { SettingsWrapping } from '@stablecoin/key-wrapping/settings-wrapping';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { commandOf } from '@stablecoin/testing/command-of';
import { asRole } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { BY, customerWithDocument, individual, RunningCustomer, TEST_KEYS } from '../testing/running-service';

const PDF = Buffer.from('%PDF-1.7 the deed');
const MASTER_KEY = new SettingsWrapping(new MasterKeys(Buffer.from(TEST_KEYS.PERSONAL_DATA_KEY, 'base64')));
const reader = { officer: 'Ada Obi', reason: 'case 7' };

let service: RunningCustomer;
let compliance: CustomerDatabase;
let archive: DocumentArchive;
/** Connected with an officer's login, as an officer or an intruder would be. */
let officer: Client;

beforeAll(async () => {
  service = await RunningCustomer.start();
  const url = asRole(service.database.ownerUrl, 'customer_compliance');
  compliance = new CustomerDatabase({ url, poolSize: 1 });
  archive = new DocumentArchive(compliance, MASTER_KEY);
  officer = new Client({ connectionString: url });
  await officer.connect();
});
afterAll(async () => {
  await officer.end();
  await compliance.$disconnect();
  await service.stop();
});

const record = (customer_id: string, document_id: string) =>
  officer.query(
    `INSERT INTO document_accesses (officer, reason, action, customer_id, document_id)
     VALUES ('Eve', 'curiosity', 'export', $1, $2)`,
    [customer_id, document_id],
  );
const partsOf = async (client: Client, document_id: string) =>
  (
    await client.query(
      'SELECT 1 FROM document_parts WHERE upload_id = (SELECT upload_id FROM documents WHERE id = $1)',
      [document_id],
    )
  ).rowCount;

describe('a compliance officer', () => {
  it('reads what a customer sent, whole', async () => {
    const { customer_id, document_id } = await customerWithDocument(service, PDF);
    expect(await archive.list(customer_id, reader)).toEqual([
      {
        document_id,
        doc_type: 'valid_ids',
        sub_type: 'front',
        doc_country: 'NG',
        url: null,
        created_at: expect.any(String),
      },
    ]);
    const { content, media_type } = await archive.read(customer_id, document_id, reader);
    expect({ content: content.toString(), media_type }).toEqual({
      content: PDF.toString(),
      media_type: 'application/pdf',
    });
  });

  it('reads a document only of the customer that is named, and only content that was uploaded', async () => {
    const [one, other] = [await customerWithDocument(service, PDF), await customerWithDocument(service, PDF)];
    await expect(archive.read(one.customer_id, other.document_id, reader)).rejects.toThrow('no such document');
    const merchant = await service.newMerchant();
    const documents = [{ doc_type: 'OTHER', url: 'https://files.example.com/deed.pdf' }];
    const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant, { documents })));
    const [link] = await archive.list(result.id, reader);
    expect(link?.url).toBe('https://files.example.com/deed.pdf');
    await expect(archive.read(result.id, link?.document_id ?? '', reader)).rejects.toThrow('is a link');
  });

  it('can’t read documents of an erased customer', async () => {
    const { merchant_id, customer_id, document_id } = await customerWithDocument(service, PDF);
    await archive.read(customer_id, document_id, reader);
    await service.sql(`CREATE TABLE kept_keys AS SELECT * FROM data_keys WHERE owner_id = '${customer_id}'`);
    await service.ask(closeCustomer, commandOf({ merchant_id, customer_id }));
    await new CustomerAdministration(service.get(CustomerDatabase), service.get(Clock)).erase(
      merchant_id,
      customer_id,
      BY,
    );
    await expect(archive.read(customer_id, document_id, reader)).rejects.toThrow('was erased');
    await expect(archive.list(customer_id, reader)).rejects.toThrow('was erased');
    await service.sql('INSERT INTO data_keys SELECT * FROM kept_keys');
    await expect(archive.read(customer_id, document_id, reader)).rejects.toThrow('was erased');
    expect(await archive.accesses(customer_id)).toHaveLength(1);
  });

  it('is identified by the login, whatever name the officer gives, and can’t change the record', async () => {
    const { customer_id, document_id } = await customerWithDocument(service, PDF);
    await archive.read(customer_id, document_id, reader);
    const [login] = await service.sql<{ name: string }>('SELECT session_user AS name');
    expect(await archive.accesses(customer_id)).toEqual([
      { ...reader, action: 'export', document_id, database_user: login?.name, recorded_at: expect.any(String) },
    ]);
    for (const statement of [
      `UPDATE document_accesses SET officer = 'nobody'`,
      'DELETE FROM document_accesses',
      'TRUNCATE document_accesses',
      `INSERT INTO document_accesses (officer, reason, action, customer_id, database_user)
       VALUES ('x', 'x', 'list', '${customer_id}', 'nobody')`,
      `INSERT INTO document_accesses (officer, reason, action, customer_id, recorded_at)
       VALUES ('x', 'x', 'list', '${customer_id}', '2000-01-01')`,
    ]) {
      await expect(officer.query(statement)).rejects.toThrow('permission denied');
    }
    for (const statement of ['UPDATE document_accesses SET id = DEFAULT', 'DELETE FROM document_accesses']) {
      await expect(service.sql(statement)).rejects.toThrow('append-only');
    }
    await expect(service.sql('TRUNCATE document_accesses')).rejects.toThrow('append-only');
  });

  it('gets no content before the record of the read is committed', async () => {
    const { customer_id, document_id } = await customerWithDocument(service, PDF);
    expect(await partsOf(officer, document_id)).toBe(0);
    await officer.query('BEGIN');
    await record(customer_id, document_id);
    expect(await partsOf(officer, document_id)).toBe(0);
    await officer.query('ROLLBACK');
    await record(customer_id, document_id);
    expect(await partsOf(officer, document_id)).toBe(1);
    const other = await customerWithDocument(service, PDF);
    expect(await partsOf(officer, other.document_id)).toBe(0);
  });

  it('sees of customers only whose documents they are, and can change nothing', async () => {
    for (const statement of [
      'SELECT sealed_profile FROM customers',
      'SELECT email_index FROM customers',
      'SELECT * FROM merchants',
      'SELECT * FROM api_keys',
      'SELECT * FROM command_results',
      'SELECT wrapped_key FROM document_uploads',
      'DELETE FROM data_keys',
      `UPDATE customers SET kyc_status = 'approved'`,
      'DELETE FROM documents',
      'DELETE FROM document_parts',
    ]) {
      await expect(officer.query(statement)).rejects.toThrow('permission denied');
    }
  });
});

describe('the service itself, whatever a merchant asks of it', () => {
  it('can’t read a document once it is a customer’s, nor the record of reads', async () => {
    const { customer_id, document_id } = await customerWithDocument(service, PDF);
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    try {
      expect(await partsOf(client, document_id)).toBe(0);
      await expect(client.query('SELECT * FROM document_accesses')).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
    const asService = new DocumentArchive(service.get(CustomerDatabase), MASTER_KEY);
    await expect(asService.read(customer_id, document_id, reader)).rejects.toThrow('permission denied');
    await expect(asService.list(customer_id, reader)).rejects.toThrow('permission denied');
  });

  it.each([
    ['by taking the customer’s name off', `attached_customer_id = NULL, wrapped_key = 'x'`],
    ['by naming another customer', 'attached_customer_id = gen_random_uuid()'],
    ['by making it another upload', 'id = gen_random_uuid()'],
  ])('can’t detach it, %s, to read it unrecorded', async (_name, change) => {
    const { document_id } = await customerWithDocument(service, PDF);
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    const upload = `(SELECT upload_id FROM documents WHERE id = '${document_id}')`;
    try {
      await expect(client.query(`UPDATE document_uploads SET ${change} WHERE id = ${upload}`)).rejects.toThrow(
        'a document that is a customer',
      );
      await expect(client.query(`DELETE FROM document_uploads WHERE id = ${upload}`)).rejects.toThrow();
      for (const statement of [
        'ALTER TABLE document_uploads DISABLE TRIGGER ALL',
        'DROP TRIGGER attached_documents_stay_attached ON document_uploads',
        'DROP POLICY document_parts_until_attached ON document_parts',
        'ALTER TABLE document_parts DISABLE ROW LEVEL SECURITY',
        `SET session_replication_role = 'replica'`,
        `UPDATE document_parts SET upload_id = gen_random_uuid()`,
      ]) {
        await expect(client.query(statement)).rejects.toThrow(/must be owner|permission denied/);
      }
      expect(await partsOf(client, document_id)).toBe(0);
    } finally {
      await client.end();
    }
  });
});
