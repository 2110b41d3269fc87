/**
 * Which shards this instance holds. Every second: renew the leases held, take over shards that nobody holds. A shard
 * taken over gets a writer, a relay, and its subjects on the bus; one that is lost or given back loses them, its
 * subjects first, so that the gateway's next request already finds the new owner.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { BUS_CONNECTION } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { NatsConnection } from 'nats';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { FactRelay } from '../relay/fact-relay';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { acquireLease, ensureShards, Head, Lease, releaseLease, renewLease, RENEW_MS, settledHead } from './lease';
import { ShardWriter } from './shard-writer';

interface HeldShard {
  lease: Lease;
  writer: ShardWriter;
  relay: FactRelay;
}

const EPOCH = '1970-01-01T00:00:00.000Z';

@Injectable()
export class LedgerShards implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(LedgerShards.name);
  private readonly holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  private readonly held = new Map<number, HeldShard>();
  private stopped = false;
  private keeping: Promise<void> = Promise.resolve();
  private ensured = false;

  constructor(
    private readonly configuration: WalletLedgerConfiguration,
    private readonly database: LedgerDatabase,
    private readonly addresses: DepositAddressBook,
    private readonly bus: BusServer,
    @Inject(BUS_CONNECTION) private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {}

  /** The writer of a shard that this instance holds. */
  writer(shard: number | undefined): ShardWriter {
    const held = this.held.get(shard ?? -1);
    if (!held) throw new Refusal('unavailable');
    return held.writer;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.keepLeases().catch((error: Error) => this.log.warn(`no lease yet: ${error.message}`));
    this.keeping = this.keepOn();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.keeping;
    await Promise.all([...this.held.keys()].map((shard) => this.giveBack(shard)));
  }

  private async keepOn(): Promise<void> {
    while (!this.stopped) {
      await delay(RENEW_MS);
      if (!this.stopped) await this.keepLeases().catch((error: Error) => this.log.warn(`leases: ${error.message}`));
    }
  }

  private async keepLeases(): Promise<void> {
    if (!this.ensured) await ensureShards(this.database, this.configuration.shards);
    this.ensured = true;
    for (let shard = 0; shard < this.configuration.shards; shard += 1) {
      const held = this.held.get(shard);
      if (!held) await this.takeOver(shard);
      // Not waited for: a broker that does not answer would cost the other shards their leases as well.
      else if (!(await renewLease(this.database, held.lease))) void this.lose(shard, held.lease);
    }
  }

  private async takeOver(shard: number): Promise<void> {
    const lease = await acquireLease(this.database, shard, this.holder);
    const head = lease && (await settledHead(this.database, lease));
    if (!lease || !head) return;
    const relay = new FactRelay(this.database, this.connection, this.codec, shard);
    const writer = new ShardWriter({
      database: this.database,
      lease,
      head,
      lastRecordedAt: await this.lastRecordedAt(shard, head),
      deriveAddress: (network, index) => this.addresses.derive(network, index),
      now: () => new Date(),
      onCommit: () => relay.wake(),
      onLeaseLost: () => void this.lose(shard, lease),
    });
    this.held.set(shard, { lease, writer, relay });
    relay.start();
    await this.bus.takeShard(shard);
    this.log.log(`holds shard ${shard} from position ${head.position} on, epoch ${lease.epoch}`);
  }

  private async lastRecordedAt(shard: number, head: Head): Promise<string> {
    const [last] = await readEventRows(this.database, shard, head.position - 1, 1);
    return last?.recorded_at ?? EPOCH;
  }

  /** Another holder has it, or will: whatever is still queued is answered `unavailable` by the writer. */
  private async lose(shard: number, lease: Lease): Promise<void> {
    const held = this.held.get(shard);
    if (held?.lease.epoch !== lease.epoch) return;
    this.held.delete(shard);
    this.log.warn(`lost shard ${shard}, epoch ${lease.epoch}`);
    await Promise.all([this.bus.leaveShard(shard), held.writer.close(), held.relay.stop()]);
  }

  /** In order: no new command, the queue worked off, the lease free for the next instance. */
  private async giveBack(shard: number): Promise<void> {
    const held = this.held.get(shard) as HeldShard;
    await this.bus.leaveShard(shard);
    await held.writer.close();
    await held.relay.stop();
    await releaseLease(this.database, held.lease);
    this.held.delete(shard);
  }
}
