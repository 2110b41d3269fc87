/**
 * Which shards this instance holds: of each of the ledger's databases its part (`database-shards`), each with a loop of its own.
 * Where there are several, a connection to each watches whether it answers at all, so that nothing waits for one that does not.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { BUS_CONNECTION } from '@stablecoin/messaging/bus-connection';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { initializeSeries } from '@stablecoin/telemetry/metrics/instruments';
import { NatsConnection } from 'nats';
import { Checkpointer } from '../checkpoints/checkpointer';
import { SignedMemoryFiles } from '../checkpoints/signed-memory';
import { LedgerDatabases } from '../databases/ledger-databases';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { ShardWriter } from '../event-log/shard-writer';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { DatabaseShards, HeldShard } from './database-shards';
import { measureShards } from './shard-figures';

@Injectable()
export class LedgerShards implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(LedgerShards.name);
  private readonly memory: SignedMemoryFiles | undefined;
  private readonly parts: readonly DatabaseShards[];
  private stopMeasuring = (): void => undefined;

  constructor(
    private readonly configuration: WalletLedgerConfiguration,
    databases: LedgerDatabases,
    addresses: DepositAddressBook,
    bus: BusServer,
    @Inject(BUS_CONNECTION) connection: NatsConnection,
    codec: SealedCodec,
  ) {
    const { checkpointMemoryDirectory: directory } = configuration;
    this.memory = directory ? new SignedMemoryFiles(directory) : undefined;
    const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
    const common = { configuration, databases, addresses, bus, connection, codec, memory: this.memory, holder };
    this.parts = databases.all.map((of) => new DatabaseShards({ ...common, of }));
  }

  /** The writer of a shard that this instance holds: by default, the shard that the current request is addressed to. */
  writer(shard = currentRequest()?.shard): ShardWriter {
    return this.heldShard(shard).writer;
  }

  checkpointer(shard = currentRequest()?.shard): Checkpointer {
    return this.heldShard(shard).checkpointer;
  }

  private heldShard(shard: number | undefined): HeldShard {
    for (const { held } of this.parts) {
      const found = shard === undefined ? undefined : held.get(shard);
      if (found) return found;
    }
    throw new Refusal('unavailable');
  }

  async onApplicationBootstrap(): Promise<void> {
    initializeSeries('ledger_lease_changes_total', { change: ['taken', 'handed_over', 'lost'] });
    initializeSeries('ledger_liability_statements_total', {
      outcome: ['signed', 'unchanged', 'failed', 'contradicted'],
    });
    const witness = this.configuration.checkpointWitnesses.map(({ name }) => name);
    initializeSeries('ledger_witness_publications_total', { witness, outcome: ['taken', 'failed', 'refused'] });
    initializeSeries('ledger_checkpoints_total', { outcome: ['signed', 'unchanged', 'failed', 'log_broken'] });
    if (!this.memory) {
      this.log.log('CHECKPOINT_MEMORY_DIRECTORY is not set: what was signed last is remembered in the database alone');
    }
    await Promise.all(this.parts.map((part) => part.hear()));
    await Promise.all(this.parts.map((part) => part.start()));
    this.stopMeasuring = measureShards(this.configuration.shards, this.parts);
  }

  /** Hands every shard over; the leases are renewed until the last queue is worked off. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.stop()));
    this.stopMeasuring();
  }
}
