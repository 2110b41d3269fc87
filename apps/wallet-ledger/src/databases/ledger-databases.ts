/**
 * The ledger's databases (ADR 0066). Mostly there is one, and it has every shard; otherwise each says which shards it has
 * (`ShardPlaces`), and what a request is about is asked of the database with its shard.
 */
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerDatabase, LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { Reads } from '@stablecoin/persistence/sql';
import { HOME_DATABASE } from '@stablecoin/service-host/repeated-settings';
import { PlacedShard, ShardPlaces } from './shard-places';

/** One of them. */
export interface OneDatabase {
  name: string;
  /** Connections of writers, relays and leases. */
  database: LedgerDatabase;
  /** Connections of everything that only reads, and of what follows the log. */
  reads: LedgerReads;
}

export class LedgerDatabases {
  private readonly places = new ShardPlaces();
  private readonly lost = new Set<string>();
  private readonly merchants: ReadonlyMap<string, MerchantReads>;

  /** @param all the first one is home: it is where new shards begin */
  constructor(readonly all: readonly [OneDatabase, ...OneDatabase[]]) {
    this.merchants = new Map(all.map(({ name, reads }) => [name, new MerchantReads(reads)]));
  }

  static only(database: LedgerDatabase, reads: LedgerReads = database): LedgerDatabases {
    return new LedgerDatabases([{ name: HOME_DATABASE, database, reads }]);
  }

  get home(): OneDatabase {
    return this.all[0];
  }

  get areSeveral(): boolean {
    return this.all.length > 1;
  }

  /**
   * The database with a shard: by default, the one that the current request is about.
   *
   * @throws Refusal `unavailable`, not executed: it is lost, no database is known to have the shard, or the request names none,
   *   as one of a version before does; any answer could be wrong then
   */
  of(shard = currentRequest()?.shard): OneDatabase {
    if (!this.areSeveral) return this.home;
    const name = shard === undefined ? undefined : this.places.databaseOf(shard);
    const found = this.all.find((one) => one.name === name);
    if (!found || this.lost.has(found.name)) throw Refusal.notExecuted();
    return found;
  }

  /** What the merchant of the current request may see. @throws Refusal as `of` */
  forMerchant(merchantId: string): Reads {
    return (this.merchants.get(this.of().name) as MerchantReads).of(merchantId);
  }

  /** Those that answer; with one database, it. */
  get answering(): readonly OneDatabase[] {
    return this.areSeveral ? this.all.filter(({ name }) => !this.lost.has(name)) : this.all;
  }

  /** For what is of all shards. @throws Refusal `unavailable`, not executed: one of them is lost */
  requireAll(): void {
    if (this.answering.length < this.all.length) throw Refusal.notExecuted();
  }

  isLost(name: string): boolean {
    return this.lost.has(name);
  }

  /** It gives no answer: from now on nothing waits for it. */
  noteLost(name: string): void {
    this.lost.add(name);
  }

  noteFound(name: string): void {
    this.lost.delete(name);
  }

  /** The database says that it has these shards, and no others. */
  notePlaced(name: string, placed: readonly PlacedShard[]): void {
    this.places.note(name, placed);
  }

  /** Before each database has said what it has, or counts as lost, it can't be known that no other one has a shard. */
  get areHeard(): boolean {
    return !this.areSeveral || this.all.every(({ name }) => this.places.isKnown(name) || this.lost.has(name));
  }

  isDisputed(shard: number): boolean {
    return this.places.isDisputed(shard);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.flatMap(({ database, reads }) => [database.$disconnect(), reads.$disconnect()]));
  }
}
