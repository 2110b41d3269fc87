import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { OwnNats } from '@stablecoin/testing/nats-server';
import { NatsConnection } from 'nats';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { OwnServers } from './own-servers';

export const SHARD = 0;

/** The only shard of a ledger, with its writer, on a spec's own servers. */
export class WrittenShard {
  private constructor(
    private readonly servers: OwnServers,
    readonly connection: NatsConnection,
    private readonly writer: ShardWriter,
  ) {}

  get database(): LedgerDatabase {
    return this.servers.database;
  }

  get broker(): OwnNats {
    return this.servers.broker;
  }

  static async start(onCommit: () => void = () => undefined): Promise<WrittenShard> {
    const servers = await OwnServers.start();
    const { database } = servers;
    await ensureShards(database, 1);
    const lease = await acquireLease(database, SHARD, randomUUID());
    if (!lease) throw new Error('the shard is held');
    const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date() };
    const callbacks = { onCommit, onLeaseLost: () => undefined };
    const writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
    return new WrittenShard(servers, await servers.connect(), writer);
  }

  submit(command: LedgerCommand): Promise<unknown> {
    return submitted(this.writer, command);
  }

  openWallet(merchant_id?: string): Promise<string> {
    return openedWallet(this.writer, merchant_id);
  }

  stop(): Promise<void> {
    return this.servers.stop();
  }
}

function submitted(writer: ShardWriter, command: LedgerCommand): Promise<unknown> {
  const request = { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' };
  return writer.submit({ request, command, result: () => ({}) });
}

/** Appends one event. @returns the wallet's id */
export async function openedWallet(writer: ShardWriter, merchant_id: string = randomUUID()): Promise<string> {
  const wallet_id = timeOrderedId();
  const address = { address_id: timeOrderedId(), address_index: 1, network: null };
  const owner = { merchant_id, customer_id: null, description: null };
  await submitted(writer, { kind: 'OpenWallet', currency: 'USD', wallet_id, ...owner, ...address });
  return wallet_id;
}
