import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { DOCUMENT_PART_BYTES, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { bundledMain, nodeCommand, ServiceProcess } from '@stablecoin/local-stack/service-process';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { commandOf } from '@stablecoin/testing/command-of';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { individual } from '@stablecoin/testing/person';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { Client } from 'pg';

export const TEST_KEYS = {
  PERSONAL_DATA_KEY: createHash('sha256').update('integration tests: personal data').digest('base64'),
  BLIND_INDEX_KEY: createHash('sha256').update('integration tests: blind index').digest('base64'),
};

/** The customer service as the process that runs beside the operator's commands, on a database and a broker of its own. */
export class CustomerService {
  private constructor(
    readonly database: TestDatabase,
    private readonly parts: {
      nats: OwnNats;
      connection: NatsConnection;
      client: BusClient;
      owner: Client;
      service: ServiceProcess;
    },
  ) {}

  static async start(): Promise<CustomerService> {
    const [database, nats] = await Promise.all([createTestDatabase('customer'), startOwnNats()]);
    const busKey = randomBytes(32);
    const env = {
      ...process.env,
      ...TEST_KEYS,
      NATS_URL: nats.url,
      BUS_KEY: busKey.toString('base64'),
      COMMAND_KEY: Buffer.alloc(32, 7).toString('base64'),
      CUSTOMER_DATABASE_URL: database.url,
    };
    const command = nodeCommand(bundledMain('customer'));
    const service = new ServiceProcess({ title: 'customer', command, env, output: 'tail' });
    await service.untilReady();
    const connection = await connectToBus(nats.url, 'operator-spec');
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const client = new BusClient(connection, new SealedCodec(busKey));
    return new CustomerService(database, { nats, connection, client, owner, service });
  }

  /** @param body as it stands on the wire; the service validates it */
  ask<Request extends object, Reply>(operation: Operation<Request, Reply>, body: object): Promise<Reply> {
    return this.parts.client.call(operation, body as Request);
  }

  /** Behind the service's back, as the database's owner. */
  async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.parts.owner.query(text, values)).rows as Row[];
  }

  /** Its database and broker stay. */
  async stopProcess(): Promise<void> {
    await this.parts.service.stop();
  }

  async stop(): Promise<void> {
    await this.stopProcess();
    await this.parts.owner.end();
    await this.parts.connection.close();
    await this.parts.nats.stop();
    await this.database.drop();
  }
}

/** A customer of the merchant, with one uploaded document. */
export async function customerWithDocument(service: CustomerService, merchant_id: string, content: Buffer) {
  const upload_id = randomUUID();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const parts = Math.ceil(content.length / DOCUMENT_PART_BYTES);
  for (let part = 0; part < parts; part += 1) {
    const bytes = content.subarray(part * DOCUMENT_PART_BYTES, (part + 1) * DOCUMENT_PART_BYTES).toString('base64');
    await service.ask(uploadDocumentPart, { merchant_id, upload_id, part, parts, sha256, bytes });
  }
  const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', upload_id }];
  const body = commandOf({ merchant_id, key_mode: 'test', ...individual({ documents }) });
  const { result } = await service.ask(createIndividualCustomer, body);
  const [document] = await service.sql<{ id: string }>('SELECT id FROM documents WHERE upload_id = $1', [upload_id]);
  return { merchant_id, customer_id: result.id, document_id: document?.id ?? '' };
}
