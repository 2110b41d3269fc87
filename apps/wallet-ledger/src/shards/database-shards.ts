/**
 * Which of one database's shards this instance holds. Every LOOK_MS it reads which instances are alive and which shards are free,
 * takes shards over up to its fair share, and hands over what is beyond it. Every RENEW_MS it renews its leases and records that it is
 * alive. A lease that it could not renew for as long as a lease lasts is given up. While its clock is off (`clock-offset`)
 * it holds no shard of this database. Where there are several databases each has its own of all this, so that one that hangs
 * delays no other's renewals (`ledger-shards`).
 *
 * Before a shard is served its log is judged (`checkpoints/judge-head`): one that contradicts what the ledger has signed is
 * given back and looked at again REFUSED_MS later.
 *
 * A shard taken over gets a writer, a relay, a checkpointer with a publisher to each witness, followers of the log, and its
 * subscriptions on the bus; the first one also what signs the liabilities of all. A shard handed over loses them in order:
 * no new command, the queue worked off, the lease released. The next instance takes it at its next look, and the bus client
 * sends again what arrives in between. Taking over and handing over run beside the loop, because nothing may delay a renewal.
 */
import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { EPOCH } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { originOf } from '@stablecoin/event-proofs/checkpoint';
import { signHead } from '@stablecoin/event-proofs/signed-head';
import { liabilitiesOriginOf } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { NatsConnection } from 'nats';
import { Checkpointer } from '../checkpoints/checkpointer';
import { judgeHead, Judgement, LogContradicted } from '../checkpoints/judge-head';
import { SignedMemoryFiles } from '../checkpoints/signed-memory';
import { WitnessPublisher } from '../checkpoints/witness-publisher';
import { LedgerDatabases, OneDatabase } from '../databases/ledger-databases';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { DAILY_FIGURES } from '../figures/daily-figures-table';
import { LogFollower } from '../followers/log-follower';
import { LiabilityMaker } from '../liabilities/liability-maker';
import { StatementMemoryFile } from '../liabilities/statement-memory';
import { FactRelay } from '../relay/fact-relay';
import { SEARCH_INDEX } from '../transactions/search-index';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { clockFaultOf, clockOffsetMs } from './clock-offset';
import { fairShare } from './fair-share';
import { announce, Membership, readMembership, deregister } from './membership';
import {
  acquireLease,
  ensureShards,
  Head,
  knownShards,
  Lease,
  LEASE_MS,
  LeaseLost,
  releaseLease,
  renewLease,
  settledHead,
  storeHeadSignature,
} from '../event-log/lease';
import { UnresponsiveInstances } from './unresponsive-instances';
import { HeadChanged } from '../event-log/shard-log';
import { DecisionSettings } from '../event-log/batch-decider';
import { ShardWriter } from '../event-log/shard-writer';

export interface HeldShard {
  lease: Lease;
  writer: ShardWriter;
  relay: FactRelay;
  checkpointer: Checkpointer;
  /** One for each witness. */
  publishers: WitnessPublisher[];
  /** Of the tables that no commit waits for. */
  logFollowers: LogFollower[];
  /** Of the first shard alone, which stands for the whole ledger. */
  liabilityMaker?: LiabilityMaker;
  /** When the database last confirmed that this instance holds the lease, on the monotonic clock. */
  confirmedAt: number;
  renewing: boolean;
  /** Being handed over: it answers what has arrived and takes no new command. */
  leaving: boolean;
}

/** Its holder does what is done once for the whole ledger. */
const FIRST_SHARD = 0;
const LOOK_MS = 250;
const RENEW_MS = 1_000;
/** Per look: bounds the load on the database, and the part of the ledger that stands still for a moment. */
const TAKEN_AT_ONCE = 16;
const HANDED_OVER_AT_ONCE = 2;
/** Long enough to be no load and to be read in the log, short enough that a mended log is served soon. */
const REFUSED_MS = 10_000;

export interface DatabaseShardsOptions {
  configuration: WalletLedgerConfiguration;
  databases: LedgerDatabases;
  /** The one among them whose shards these are. */
  of: OneDatabase;
  addresses: DepositAddressBook;
  bus: BusServer;
  connection: NatsConnection;
  codec: SealedCodec;
  memory: SignedMemoryFiles | undefined;
  /** The name of this instance. */
  holder: string;
}

export class DatabaseShards {
  private readonly log: Logger;
  private readonly configuration: WalletLedgerConfiguration;
  private readonly database: LedgerDatabase;
  private readonly holder: string;
  private readonly memory: SignedMemoryFiles | undefined;
  private readonly isHome: boolean;
  readonly held = new Map<number, HeldShard>();
  private readonly taking = new Map<number, Promise<void>>();
  private readonly handingOver = new Set<Promise<void>>();
  /** Shards whose log is not this ledger's: until when each is left alone, on the monotonic clock. */
  private readonly refused = new Map<number, number>();
  /** When it was last said of a shard that two databases have it, on the monotonic clock. */
  private readonly saidDisputed = new Map<number, number>();
  /** Where the log of a shard ended when another login moved its head under this instance. */
  private readonly knownHeads = new Map<number, Head>();
  private readonly unresponsive = new UnresponsiveInstances();
  private readonly loop = new BackgroundLoop({
    firstPauseMs: LOOK_MS,
    pass: async () => {
      await this.look();
      return LOOK_MS;
    },
    failed: (error) => {
      this.log.warn(`leases: ${(error as Error).message}`);
      return LOOK_MS;
    },
  });
  private ensured = false;
  private ensuring: Promise<void> | undefined;
  /** How many shards this database has. */
  private placed = 0;
  /** On the monotonic clock. */
  private renewedAt = -Infinity;
  private leaving = false;
  private clockFault: string | undefined;
  /** How far this instance's clock is ahead of the database's; undefined until it was asked. */
  clockOffsetMs: number | undefined;
  /** When a look succeeded, on the monotonic clock. */
  private lookedAt = performance.now();

  constructor(private readonly options: DatabaseShardsOptions) {
    const { configuration, databases, of, memory, holder } = options;
    this.isHome = of === databases.home;
    this.log = new Logger(this.isHome ? 'LedgerShards' : `LedgerShards ${of.name}`);
    this.configuration = configuration;
    this.database = of.database;
    this.memory = memory;
    this.holder = holder;
  }

  get name(): string {
    return this.options.of.name;
  }

  /** For how long no look has succeeded: whether leases are renewed and a shard that came is seen. */
  get unseenMs(): number {
    return performance.now() - this.lookedAt;
  }

  /** With several databases, before any of their shards is taken: what this one has. */
  async hear(): Promise<void> {
    if (!this.options.databases.areSeveral) return;
    if (this.isHome) await this.ensureOnce();
    await this.readMembership().catch((error: unknown) =>
      this.log.warn(`not known yet which shards are here: ${(error as Error).message}`),
    );
  }

  async start(): Promise<void> {
    await this.look().catch((error: unknown) => this.log.warn(`no lease yet: ${(error as Error).message}`));
    await Promise.all(this.taking.values());
    this.loop.start();
  }

  /** Hands every shard over; the leases are renewed until the last queue is worked off. */
  async stop(): Promise<void> {
    this.leaving = true;
    await deregister(this.database, this.holder).catch((error: unknown) =>
      this.log.warn(`not deregistered: ${(error as Error).message}`),
    );
    await Promise.all(this.taking.values());
    for (const [shard, held] of this.held) this.handOver(shard, held);
    await Promise.all(this.handingOver);
    await this.loop.stop();
  }

  private async look(): Promise<void> {
    if (!this.ensured && this.isHome) await this.ensure();
    await this.renew();
    if (!this.leaving) await this.share();
    this.lookedAt = performance.now();
  }

  private async ensure(): Promise<void> {
    if (this.options.databases.areSeveral) {
      // Not awaited: another database that hangs would delay the renewals of this one.
      void this.ensureOnce();
      return;
    }
    await ensureShards(this.database, this.configuration.shards);
    this.ensured = true;
  }

  /** One at a time; what fails is tried again by a later look. */
  private ensureOnce(): Promise<void> {
    this.ensuring ??= this.ensureAmongSeveral()
      .then(() => void (this.ensured = true))
      .catch((error: unknown) => this.log.warn(`no new shards yet: ${(error as Error).message}`))
      .finally(() => (this.ensuring = undefined));
    return this.ensuring;
  }

  /** New shards begin at home: none that another database has, or has had, should home have lost its row. */
  private async ensureAmongSeveral(): Promise<void> {
    const { shards } = this.configuration;
    const known = new Set(await knownShards(this.database, shards));
    if (known.size === shards) return;
    for (const { database, name } of this.options.databases.all.slice(1)) {
      const elsewhere = (await knownShards(database, shards)).find((shard) => !known.has(shard));
      if (elsewhere !== undefined) throw new Error(`${name} knows shard ${elsewhere}, of which home has no row`);
    }
    await ensureShards(this.database, shards);
  }

  private async share(): Promise<void> {
    const found = await this.readMembership();
    // The shutdown waits only for what started before it: nothing may be taken from here on.
    if (this.leaving) return;
    const members = this.unresponsive.counting(found, this.placed, this.holder, performance.now(), this.nameOf);
    const seen = { ...found, members };
    this.takeFairShare(seen);
    this.handOverSurplus(seen);
  }

  private async readMembership(): Promise<Membership> {
    const began = performance.now();
    const found = await readMembership(this.database, this.configuration.shards, this.holder);
    this.placed = found.placed.length;
    this.options.databases.notePlaced(this.name, found.placed, began);
    return found;
  }

  /** For as long as two databases name a shard, neither is believed. Seen for a moment after a move, and for longer after a restore. */
  private isDisputed(shard: number): boolean {
    if (!this.options.databases.isDisputed(shard)) return false;
    if ((this.saidDisputed.get(shard) ?? -Infinity) < performance.now() - REFUSED_MS) {
      this.saidDisputed.set(shard, performance.now());
      this.log.warn({
        msg: 'two databases say that they have this shard: it is not taken',
        shard,
        database: this.name,
      });
    }
    return true;
  }

  /** With several databases an instance that is the first by its name would get what is left over in each. */
  private readonly nameOf = (instance: string): string =>
    this.isHome ? instance : createHash('sha256').update(`${this.name}/${instance}`).digest('hex');

  private async renew(): Promise<void> {
    if (performance.now() - this.renewedAt < RENEW_MS - LOOK_MS / 2) return;
    this.renewedAt = performance.now();
    // Not awaited: a row that an append has locked for long would cost the other shards their leases as well.
    for (const [shard, held] of this.held) void this.renewOne(shard, held);
    await this.judgeClock();
    // Without a heartbeat the other instances soon share the shards without this one.
    if (!this.leaving && !this.clockFault) await announce(this.database, this.holder);
  }

  private async judgeClock(): Promise<void> {
    this.clockOffsetMs = await clockOffsetMs(this.database);
    const fault = clockFaultOf(this.clockOffsetMs);
    if (fault && !this.clockFault) this.log.error({ msg: 'the clock is off: this instance holds no shard', fault });
    this.clockFault = fault;
  }

  private async renewOne(shard: number, held: HeldShard): Promise<void> {
    if (held.renewing) return;
    held.renewing = true;
    try {
      if (await renewLease(this.database, held.lease)) held.confirmedAt = performance.now();
      else void this.lose(shard, held.lease);
    } catch (error) {
      if (performance.now() - held.confirmedAt > LEASE_MS) this.giveUp(shard, held, error as Error);
    } finally {
      held.renewing = false;
    }
  }

  /**
   * When this instance alone can't reach the database, another one takes its shards. Until this one unsubscribes, every
   * command reaches both, and its `unavailable` would come before the other's result.
   */
  private giveUp(shard: number, { lease }: HeldShard, cause: Error): void {
    this.log.warn(`shard ${shard} not renewed for as long as a lease lasts: ${cause.message}`);
    void this.lose(shard, lease);
  }

  private takeFairShare({ free, own, members }: Membership): void {
    if (!this.options.databases.areHeard) return;
    // `own` holds leases of this instance without a writer: taking them over was interrupted, and is done again.
    const open = [...free, ...own].filter(
      (shard) => !this.held.has(shard) && !this.taking.has(shard) && !this.isRefused(shard) && !this.isDisputed(shard),
    );
    const wanted = this.shareOf(members) - this.working().length - this.taking.size;
    for (const shard of open.slice(0, Math.max(0, Math.min(wanted, TAKEN_AT_ONCE)))) {
      const taken = this.takeOver(shard)
        .catch((error: unknown) => this.log.warn(`shard ${shard} not taken: ${(error as Error).message}`))
        .finally(() => this.taking.delete(shard));
      this.taking.set(shard, taken);
    }
  }

  private handOverSurplus({ members, reserved }: Membership): void {
    for (const [shard, held] of this.working()) if (reserved.includes(shard)) this.handOver(shard, held);
    const counting = members.filter(({ instance, held, settled }) => settled || held > 0 || instance === this.holder);
    const working = this.working();
    const surplus = working.length - this.shareOf(counting);
    const underWay = this.held.size - working.length;
    const handed = working.slice(working.length - Math.max(0, Math.min(surplus, HANDED_OVER_AT_ONCE - underWay)));
    for (const [shard, held] of handed) this.handOver(shard, held);
  }

  private shareOf(members: Membership['members']): number {
    return this.clockFault ? 0 : fairShare(this.placed, members, this.holder, this.nameOf);
  }

  /** The shards that are not being handed over, lowest first. */
  private working(): [number, HeldShard][] {
    return [...this.held].filter(([, { leaving }]) => !leaving).sort(([one], [other]) => one - other);
  }

  private async takeOver(shard: number): Promise<void> {
    const lease = await acquireLease(this.database, shard, this.holder);
    const confirmedAt = performance.now();
    const head = lease && (await settledHead(this.database, lease));
    if (!lease || !head) return;
    const judged = await this.judge(lease);
    if (!judged) return;
    const signer = this.signerOf(shard);
    const { streamReplicas } = this.configuration;
    const { connection, codec, addresses, bus } = this.options;
    const relay = new FactRelay(this.database, connection, codec, shard, streamReplicas);
    const writer = new ShardWriter({
      database: this.database,
      lease,
      head,
      lastRecordedAt: await this.lastRecordedAt(shard, head),
      deriveAddress: (network, index) => addresses.derive(network, index),
      decisions: this.decisions(),
      now: () => new Date(),
      onCommit: () => relay.wake(),
      onLeaseLost: (reason) => void this.writerLost(lease, reason),
      signHead: judged.refusal ? undefined : (end) => signHead(end, signer),
      traces: relay.traces,
    });
    const publishers = this.publishersOf(shard);
    const checkpointer = this.checkpointerOf(lease, publishers);
    const { reads } = this.options.of;
    const logFollowers = [SEARCH_INDEX, DAILY_FIGURES].map((table) => new LogFollower(reads, shard, table));
    const liabilityMaker = this.liabilityMakerOf(shard);
    const followers = { relay, checkpointer, publishers, logFollowers, liabilityMaker };
    this.held.set(shard, { lease, writer, ...followers, confirmedAt, renewing: false, leaving: false });
    relay.start();
    checkpointer.start();
    publishers.forEach((publisher) => publisher.start());
    logFollowers.forEach((follower) => follower.start());
    liabilityMaker?.start();
    await bus.takeShard(shard);
    instruments.ledger_lease_changes_total.inc({ change: 'taken' });
    this.log.log({ msg: 'took a shard', shard, position: head.position, epoch: Number(lease.epoch) });
  }

  /**
   * Whether this log may be served, and whether its heads are signed.
   *
   * @returns undefined when it may not: the lease is given back
   */
  private async judge(lease: Lease): Promise<Judgement | undefined> {
    const { shard } = lease;
    const signer = this.signerOf(shard);
    try {
      const known = this.knownHeads.get(shard);
      const judged = await judgeHead(this.database, { shard, signer, ...this.judging, known });
      this.knownHeads.delete(shard);
      if (judged.refusal) this.log.error({ msg: 'a log is served, but not signed', shard, problem: judged.refusal });
      else if (!judged.signed)
        await storeHeadSignature(this.database, lease, judged.head, signHead(judged.head, signer));
      return judged;
    } catch (error) {
      if (error instanceof LogContradicted) this.refuse(shard, error);
      await releaseLease(this.database, lease);
      if (error instanceof LogContradicted) return undefined;
      throw error;
    }
  }

  private refuse(shard: number, { message }: LogContradicted): void {
    this.refused.set(shard, performance.now() + REFUSED_MS);
    instruments.ledger_checkpoints_total.inc({ outcome: 'log_broken' });
    this.log.error({ msg: "a log is not this ledger's: the shard is not served", shard, problem: message });
  }

  private isRefused(shard: number): boolean {
    return (this.refused.get(shard) ?? 0) > performance.now();
  }

  private get judging() {
    return { memory: this.memory, acceptsUnsigned: this.configuration.checkpointAcceptsUnsigned };
  }

  private decisions(): DecisionSettings {
    const { sandboxRailForLive, staticRatesForLive, ...prices } = this.configuration;
    return {
      sandboxForLive: { rail: sandboxRailForLive, rates: staticRatesForLive },
      prices: {
        ...{ basisPoints: prices.swapPriceBand, ofPair: prices.swapPriceBands },
        ...{ heldMs: prices.swapPriceBandHours * 3_600_000, book: prices.usdPrices },
        ...{ bookBasisPoints: prices.swapBookBand, lossPerHour: prices.swapLossPerHour },
      },
    };
  }

  private signerOf(shard: number): NoteSigner {
    const { checkpointOrigin, checkpointSigningKey } = this.configuration;
    return new NoteSigner(originOf(checkpointOrigin, shard), checkpointSigningKey);
  }

  /** The writer found its lease gone, or the head moved by another login than the ledger's. */
  private async writerLost(lease: Lease, reason: LeaseLost): Promise<void> {
    if (reason instanceof HeadChanged) {
      this.knownHeads.set(lease.shard, reason.known);
      instruments.ledger_checkpoints_total.inc({ outcome: 'log_broken' });
      this.log.error({ msg: 'nothing is appended any more', shard: lease.shard, problem: reason.message });
    }
    await this.lose(lease.shard, lease);
  }

  private publishersOf(shard: number): WitnessPublisher[] {
    return this.configuration.checkpointWitnesses.map(
      (witness) => new WitnessPublisher({ database: this.options.of.reads, shard, witness }),
    );
  }

  private checkpointerOf(lease: Lease, publishers: readonly WitnessPublisher[]): Checkpointer {
    return new Checkpointer({
      database: this.options.of.reads,
      connection: this.options.connection,
      lease,
      signer: this.signerOf(lease.shard),
      ...this.judging,
      intervalMs: this.configuration.checkpointIntervalMs,
      now: () => new Date(),
      onSound: (checkpoint) => publishers.forEach((publisher) => publisher.offer(checkpoint)),
    });
  }

  private liabilityMakerOf(shard: number): LiabilityMaker | undefined {
    const { checkpointOrigin, checkpointSigningKey, liabilitiesIntervalMs: intervalMs } = this.configuration;
    if (shard !== FIRST_SHARD || intervalMs === 0) return undefined;
    const signer = new NoteSigner(liabilitiesOriginOf(checkpointOrigin), checkpointSigningKey);
    const directory = this.configuration.checkpointMemoryDirectory;
    const memory = directory ? new StatementMemoryFile(directory) : undefined;
    const [home, ...others] = this.options.databases.all;
    return new LiabilityMaker({
      ...{ database: home.reads, others: others.map(({ reads }) => reads) },
      ...{ signer, intervalMs, memory, now: () => new Date() },
    });
  }

  private async lastRecordedAt(shard: number, head: Head): Promise<string> {
    const [last] = await readEventRows(this.database, shard, head.position - 1, 1);
    return last?.recorded_at ?? EPOCH;
  }

  /** Another instance has the shard, or will: the writer answers `unavailable` to the commands in its queue. */
  private async lose(shard: number, lease: Lease): Promise<void> {
    const held = this.held.get(shard);
    if (held?.lease.epoch !== lease.epoch) return;
    this.held.delete(shard);
    instruments.ledger_lease_changes_total.inc({ change: 'lost' });
    this.log.warn({ msg: 'lost a shard', shard, epoch: Number(lease.epoch) });
    await Promise.all([this.options.bus.leaveShard(shard), held.writer.close(), stopReading(held)]);
  }

  private handOver(shard: number, held: HeldShard): void {
    if (held.leaving) return;
    held.leaving = true;
    const handedOver = this.leave(shard, held).finally(() => this.handingOver.delete(handedOver));
    this.handingOver.add(handedOver);
  }

  /** In order: no new command, the queue worked off, the lease free for the next instance. */
  private async leave(shard: number, held: HeldShard): Promise<void> {
    await this.options.bus.leaveShard(shard);
    await held.writer.close();
    // From here on the lease is not renewed: if it can't be released it lapses.
    if (this.held.get(shard) === held) this.held.delete(shard);
    await releaseLease(this.database, held.lease).catch((error: unknown) =>
      this.log.warn(`shard ${shard} not released: ${(error as Error).message}`),
    );
    instruments.ledger_lease_changes_total.inc({ change: 'handed_over' });
    this.log.log({ msg: 'handed a shard over', shard, epoch: Number(held.lease.epoch) });
    // Last, because they may wait for the broker or the database; running beside the next holder's they do no harm.
    await held.checkpointer.makeLast();
    await Promise.all(held.publishers.map((publisher) => publisher.publishLast()));
    await stopReading(held);
  }
}

/** Ends what follows the shard's log beside its writer. */
async function stopReading(held: HeldShard): Promise<void> {
  const { relay, checkpointer, publishers, logFollowers, liabilityMaker } = held;
  const followers = [relay, checkpointer, ...publishers, ...logFollowers];
  await Promise.all([...followers.map((follower) => follower.stop()), liabilityMaker?.stop()]);
}
