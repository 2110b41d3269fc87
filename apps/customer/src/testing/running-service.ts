import { createHash, randomInt, randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { CloseCustomerAccount, closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { ActedBy } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { commandOf } from '@stablecoin/testing/command-of';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { CustomerConfiguration } from '../customer.configuration';
import { CustomerModule } from '../customer.module';

export const TEST_KEYS = {
  PERSONAL_DATA_KEY: createHash('sha256').update('integration tests: personal data').digest('base64'),
  BLIND_INDEX_KEY: createHash('sha256').update('integration tests: blind index').digest('base64'),
};
/** Who acts in specs. */
export const BY: ActedBy = { actor: 'Ada Obi', reason: 'case 7' };
const BUS_KEY = createHash('sha256').update(`integration tests of customer ${randomUUID()}`).digest();

/** The customer service on a database and a bus of its own, with a stand-in for the ledger, which is another process. */
export class RunningCustomer {
  private constructor(
    private readonly app: Awaited<ReturnType<typeof startApp>>,
    readonly database: TestDatabase,
    readonly ledger: LedgerStandIn,
    /** Real time, unless a test spies on it. */
    readonly clock: Clock,
    private readonly owner: Client,
    private readonly close: () => Promise<void>,
  ) {}

  /** @param differing another instance's database, a broker of the spec's own, …; or what the database decides */
  static async start(
    differing: NodeJS.ProcessEnv | ((database: TestDatabase) => NodeJS.ProcessEnv) = {},
  ): Promise<RunningCustomer> {
    const database = await createTestDatabase('customer');
    const environment = typeof differing === 'function' ? differing(database) : differing;
    const connection = await connectToBus(environment['NATS_URL'] ?? testNatsUrl(), 'customer-spec');
    const bus = new SealedCodec(BUS_KEY);
    const ledger = await LedgerStandIn.start(connection, bus);
    const app = await startApp(database, connection, bus, environment);
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    return new RunningCustomer(app, database, ledger, app.get(Clock), owner, () => connection.close());
  }

  get<Provider>(type: abstract new (...args: never[]) => Provider): Provider {
    return this.app.get<Provider>(type);
  }

  /** As the bus server does with a message: JSON, validated, then dispatched. */
  ask<Request extends object, Reply>(operation: Operation<Request, Reply>, body: object): Promise<Reply> {
    const request = validateRequest(operation.request, JSON.parse(JSON.stringify(body)));
    return operation.readOnly
      ? this.app.get(QueryBus, { strict: false }).execute<Request, Reply>(request)
      : this.app.get(CommandBus, { strict: false }).execute<Request, Reply>(request);
  }

  /** A merchant whose shard is the stand-in's. */
  async newMerchant(mode: KeyMode = 'test'): Promise<string> {
    const merchants = this.get(MerchantRegistry);
    const scopes = ['read', 'write', 'payout'] as const;
    const { merchant_id } = await merchants.register({ name: 'Shop', email: null, mode, scopes, payoutFee: null }, BY);
    await this.sql('UPDATE merchants SET shard = $1 WHERE id = $2', [this.ledger.shard, merchant_id]);
    return merchant_id;
  }

  /** Behind the service's back, as the database's owner. */
  async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.owner.query(text, values)).rows as Row[];
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.owner.end();
    await this.close();
    await this.database.drop();
  }
}

async function startApp(
  database: TestDatabase,
  connection: Awaited<ReturnType<typeof connectToBus>>,
  codec: SealedCodec,
  environment: NodeJS.ProcessEnv,
) {
  const configuration = loadConfiguration(CustomerConfiguration, {
    NATS_URL: testNatsUrl(),
    BUS_KEY: BUS_KEY.toString('base64'),
    COMMAND_KEY: Buffer.alloc(32, 7).toString('base64'),
    CUSTOMER_DATABASE_URL: database.url,
    ...TEST_KEYS,
    ...environment,
  });
  const provided = { provide: CustomerConfiguration, useValue: configuration };
  const bus = {
    connection,
    codec,
    client: new BusClient(connection, codec),
    server: new BusServer(connection, codec, 'spec'),
  };
  const root = {
    module: class Root {},
    global: true,
    imports: [MessagingModule.of(bus), CustomerModule],
    providers: [provided],
    exports: [provided],
  };
  return NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
}

/** Answers `wallet.close-customer-account` on one shard. */
export class LedgerStandIn {
  /** A shard that no other spec uses, as they share a broker. */
  readonly shard = randomInt(1_000, 32_000);
  readonly asked: CloseCustomerAccount[] = [];
  refuseWith: Refusal | undefined;

  static async start(connection: Awaited<ReturnType<typeof connectToBus>>, codec: SealedCodec): Promise<LedgerStandIn> {
    const ledger = new LedgerStandIn();
    const server = new BusServer(connection, codec, 'wallet-ledger');
    const answer = async (request: CloseCustomerAccount) => ledger.answer(request);
    server.serve(closeCustomerAccount, answer);
    await server.takeShard(ledger.shard);
    return ledger;
  }

  private answer(request: CloseCustomerAccount): CommandReply<{ customer_id: string }> {
    this.asked.push(request);
    if (this.refuseWith) throw this.refuseWith;
    return { result: { customer_id: request.customer_id }, replayed: false };
  }
}

let drawn = randomInt(1_000_000);

/** What arrives when a merchant registers a person with a test key; no two have the same e-mail address or phone number. */
export function individual(merchantId: string, fields: object = {}) {
  drawn += 1;
  return {
    merchant_id: merchantId,
    key_mode: 'test',
    first_name: 'Ada',
    last_name: 'Obi',
    email: `ada.${drawn}@example.com`,
    phone: `+23480${String(drawn).padStart(8, '0')}`,
    birth_date: '1990-05-17',
    account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
    employment_status: 'EMPLOYED',
    expected_monthly_income: 2500,
    most_recent_occupation: '132011',
    source_of_funds: 'SALARY',
    registered_address: { street1: '1 Marina Road', city: 'Lagos', state: 'LA', country: 'NG' },
    ...fields,
  };
}

export function business(merchantId: string, fields: object = {}) {
  drawn += 1;
  return {
    merchant_id: merchantId,
    key_mode: 'test',
    business_name: 'Obi Trading',
    email: `office.${drawn}@example.com`,
    phone: `+23481${String(drawn).padStart(8, '0')}`,
    ...fields,
  };
}

/** A customer of a merchant of its own, with one uploaded document. */
export async function customerWithDocument(service: RunningCustomer, content: Buffer) {
  const merchant_id = await service.newMerchant();
  const upload_id = randomUUID();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const parts = Math.ceil(content.length / DOCUMENT_PART_BYTES);
  for (let part = 0; part < parts; part += 1) {
    const bytes = content.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES).toString('base64');
    await service.ask(uploadDocumentPart, { merchant_id, upload_id, part, parts, sha256, bytes });
  }
  const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', upload_id }];
  const { result } = await service.ask(createIndividualCustomer, commandOf(individual(merchant_id, { documents })));
  const [document] = await service.sql<{ id: string }>('SELECT id FROM documents WHERE upload_id = $1', [upload_id]);
  return { merchant_id, customer_id: result.id, document_id: document?.id ?? '' };
}

/** What a request was refused with; field errors as `field: code`. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const refusal = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal)) throw new Error('it was not refused', { cause: refusal });
  const [field] = refusal.fields ?? [];
  return field ? `${field.field}: ${field.code}` : refusal.code;
}

export type CustomerReply = CommandReply<CustomerView>;
