import { createHash, randomUUID } from 'node:crypto';
import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { commandOf } from '@stablecoin/testing/command-of';
import { BY, business, individual, RunningCustomer } from '../testing/running-service';

const CONTENT = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.from('canary-document-bytes '.repeat(20))]);
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');
const ADDRESS = {
  street1: 'Canary Street 1',
  street2: 'Canary Floor',
  city: 'Canaryville',
  state: 'CanaryState',
  postal_code: 'CNRY01',
  country: 'NG',
};
/** Everything personal that the test sends: none of it may stand anywhere. */
const CANARIES = [
  'canary',
  'cnry',
  '+2348099999',
  '2348099999',
  '1977-03-14',
  '91827364',
  'sk_test_canary',
  'PERSONAL_OR_LIVING_EXPENSES',
  '7654321.00',
  DIGEST,
];

describe('personal data in the database', () => {
  let service: RunningCustomer;
  beforeAll(async () => {
    service = await RunningCustomer.start({ SANDBOX_API_KEY: 'sk_test_canary_key_of_the_sandbox' });
  });
  afterAll(() => service.stop());

  it('stands in no column in clear, after every kind of request', async () => {
    const merchants = service.get(MerchantRegistry);
    const fields = {
      name: 'Canary Shop',
      email: 'canary@shop.example',
      mode: 'test',
      scopes: ['read'],
      payoutFee: null,
    } as const;
    const { merchant_id } = await merchants.register(fields, BY);
    await service.sql('UPDATE merchants SET shard = $1', [service.ledger.shard]);
    await individualLife(merchant_id);
    await businessLife(merchant_id);

    const tables = await service.sql<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'",
    );
    for (const { name } of tables) {
      const rows = await service.sql<{ text: string }>(`SELECT row_to_json(each)::text AS text FROM "${name}" AS each`);
      const readable = rows.map(({ text }) => `${text} ${bytesOf(text)}`.toLowerCase()).join('\n');
      for (const canary of CANARIES)
        expect({ table: name, canary, found: readable.includes(canary.toLowerCase()) }).toMatchObject({ found: false });
    }
    const filled = await service.sql<{ n: number }>(
      `SELECT (SELECT count(*) FROM documents)::int * (SELECT count(*) FROM document_parts)::int
              * (SELECT count(*) FROM command_results)::int AS n`,
    );
    expect(filled[0]?.n).toBeGreaterThan(0);
  });

  async function upload(merchant_id: string): Promise<string> {
    const upload_id = randomUUID();
    const part = { part: 0, parts: 1, sha256: DIGEST, bytes: CONTENT.toString('base64') };
    await service.ask(uploadDocumentPart, { merchant_id, upload_id, ...part });
    return upload_id;
  }

  async function individualLife(merchant_id: string): Promise<void> {
    const documents = [
      { doc_type: 'canary_type', sub_type: 'canary_front', doc_country: 'NG', upload_id: await upload(merchant_id) },
      { doc_type: 'OTHER', url: 'https://canary.example.com/passport.png' },
    ];
    const body = individual(merchant_id, {
      first_name: 'Canaryfirst',
      middle_name: 'Canarymiddle',
      last_name: 'Canarylast',
      email: 'canary@example.com',
      phone: '+2348099999001',
      birth_date: '1977-03-14',
      expected_monthly_income: '7654321',
      account_purpose_explanation: 'because canary',
      tax_identification_number: '91827364',
      registered_address: ADDRESS,
      documents,
    });
    const { result } = await service.ask(createIndividualCustomer, commandOf(body));
    const customer = { merchant_id, customer_id: result.id };
    const changed = {
      email: 'canary.two@example.com',
      phone: '+2348099999002',
      last_name: 'Canarysecond',
      documents: documents.slice(1),
    };
    await service.ask(updateIndividualCustomer, commandOf({ ...customer, ...changed }));
    await service.ask(closeCustomer, commandOf(customer));
  }

  async function businessLife(merchant_id: string): Promise<void> {
    const owner = {
      first_name: 'Canaryowner',
      last_name: 'Canaryowner',
      email: 'canary.owner@example.com',
      phone_number: '+2348099999003',
      date_of_birth: '1977-03-14',
      id_number: 'canary-91827364',
      address: ADDRESS,
      front_image: 'https://canary.example.com/front.png',
      supporting_documents: [{ doc_type: 'OTHER', upload_id: await upload(merchant_id) }],
    };
    const body = business(merchant_id, {
      business_name: 'Canary Trading',
      email: 'canary.office@example.com',
      phone: '+2348099999004',
      contact_person_email: 'canary.contact@example.com',
      registration_number: 'CNRY-91827364',
      registered_address: ADDRESS,
      business_owners: [owner],
    });
    const { result } = await service.ask(createBusinessCustomer, commandOf(body));
    const update = {
      merchant_id,
      customer_id: result.id,
      trading_name: 'Canary & Sons',
      nature_of_business: 'canaries',
    };
    await service.ask(updateBusinessCustomer, commandOf(update));
  }

  /** A bytea column prints as hex: what it would read as. */
  function bytesOf(text: string): string {
    return [...text.matchAll(/\\\\x([0-9a-f]+)/g)]
      .map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
      .join(' ');
  }
});
