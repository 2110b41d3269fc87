import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';

/** A ledger's database and a broker for one spec. */
export class OwnServers {
  private readonly connections: NatsConnection[] = [];

  private constructor(
    readonly files: TestDatabase,
    readonly database: LedgerDatabase,
    readonly broker: OwnNats,
  ) {}

  static async start(): Promise<OwnServers> {
    const [files, broker] = await Promise.all([createTestDatabase('ledger'), startOwnNats()]);
    const database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 10 });
    return new OwnServers(files, database, broker);
  }

  async connect(): Promise<NatsConnection> {
    const connection = await connectToBus(this.broker.url, 'test');
    this.connections.push(connection);
    return connection;
  }

  async stop(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
    await this.broker.stop();
    await this.database.$disconnect();
    await this.files.drop();
  }
}
