import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../event-log/time-ordered-id';

export const SHARD = 0;

/** The only shard of a ledger, with its writer, on a database and a broker of a spec's own. */
export class WrittenShard {
  private constructor(
    private readonly files: TestDatabase,
    readonly database: LedgerDatabase,
    readonly broker: OwnNats,
    readonly connection: NatsConnection,
    private readonly writer: ShardWriter,
  ) {}

  static async start(onCommit: () => void = () => undefined): Promise<WrittenShard> {
    const [files, broker] = await Promise.all([createTestDatabase('ledger'), startOwnNats()]);
    const database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
    const connection = await connectToBus(broker.url, 'test');
    await ensureShards(database, 1);
    const lease = await acquireLease(database, SHARD, randomUUID());
    if (!lease) throw new Error('the shard is held');
    const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date() };
    const callbacks = { onCommit, onLeaseLost: () => undefined };
    const writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
    return new WrittenShard(files, database, broker, connection, writer);
  }

  submit(command: LedgerCommand): Promise<unknown> {
    const request = { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' };
    return this.writer.submit({ request, command, result: () => ({}) });
  }

  /** One event. @returns the wallet's id */
  async openWallet(merchant_id: string = randomUUID()): Promise<string> {
    const wallet_id = timeOrderedId();
    const address = { address_id: timeOrderedId(), address_index: 1, network: null };
    const owner = { merchant_id, customer_id: null, description: null };
    await this.submit({ kind: 'OpenWallet', currency: 'USD', wallet_id, ...owner, ...address });
    return wallet_id;
  }

  async stop(): Promise<void> {
    await this.connection.close();
    await this.broker.stop();
    await this.database.$disconnect();
    await this.files.drop();
  }
}
