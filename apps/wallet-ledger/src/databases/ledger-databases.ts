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

/**
 * For so long after its place was last certain a shard may be moving, and reads of it wait. After that it is not a move: what waited
 * any longer would take the places of requests for other shards.
 */
const MOVES_MS = 2_000;

export class LedgerDatabases {
  private readonly places = new ShardPlaces();
  private readonly lost = new Set<string>();
  /** Reads of shards whose place is not known at the time. */
  private readonly waiting = new Set<() => void>();
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
   * The database with a shard, for what its holder reads for a command: by default, the one that the current request is about.
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

  /**
   * The database that answers reads of a shard: by default, of the one that the current request is about. While the shard moves the
   * read waits, so that none is answered from a copy that the shard has left.
   *
   * @throws Refusal as `of`, and where the place of the shard is not known again soon
   */
  async forReads(shard = currentRequest()?.shard): Promise<OneDatabase> {
    if (!this.areSeveral) return this.home;
    if (shard === undefined) throw Refusal.notExecuted();
    for (;;) {
      const now = performance.now();
      if (this.places.answering(shard, now) !== undefined) return this.of(shard);
      const named = this.places.databaseOf(shard);
      const leftMs = this.places.settled(shard) + MOVES_MS - now;
      if (leftMs <= 0 || (named !== undefined && this.lost.has(named))) throw Refusal.notExecuted();
      await this.nextLook(leftMs);
    }
  }

  /** What the merchant of the current request may see. @throws Refusal as `forReads` */
  async forMerchant(merchantId: string): Promise<Reads> {
    return (this.merchants.get((await this.forReads()).name) as MerchantReads).of(merchantId);
  }

  private nextLook(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, mostMs);
      this.waiting.add(done);
    });
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

  /** The database says that it has these shards, and no others. @param began when it began to be asked, on the monotonic clock */
  notePlaced(name: string, placed: readonly PlacedShard[], began = performance.now()): void {
    this.places.note(name, placed, began);
    this.waiting.forEach((goOn) => goOn());
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
