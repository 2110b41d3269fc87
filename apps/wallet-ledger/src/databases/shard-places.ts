import { PLACE_VALID_MS } from '@stablecoin/ledger-store/placement/shard-rows';

/** A shard that a database has, with the epoch of its lease, which rises on every side that the shard is moved to. */
export interface PlacedShard {
  shard: number;
  epoch: bigint;
  /** It is reserved for a mover: in a moment it may be elsewhere. */
  departs?: boolean;
}

/** What a database said. */
interface Said {
  /** When it began to be asked. */
  began: number;
  placed: ReadonlyMap<number, PlacedShard>;
}

/** Which database has which shard, as far as each said when it was looked at last. Times are on the monotonic clock. */
export class ShardPlaces {
  private readonly said = new Map<string, Said>();
  /** When the place of a shard was said last, and that it stays there. */
  private readonly settledAt = new Map<number, number>();

  /** All that the database has. */
  note(database: string, placed: readonly PlacedShard[], began: number): void {
    this.said.set(database, { began, placed: new Map(placed.map((one) => [one.shard, one])) });
    for (const { shard, departs } of placed) if (!departs) this.settledAt.set(shard, began);
  }

  /** Whether the database has said what it has since this process began. */
  isKnown(database: string): boolean {
    return this.said.has(database);
  }

  /** While a move is noticed, both sides may name the shard for a moment: the higher epoch is the later word. */
  databaseOf(shard: number): string | undefined {
    return this.naming(shard)[0];
  }

  /**
   * The database that answers reads of a shard at this moment. None from when the shard was seen to be reserved for a mover until it was
   * seen where it is then; and none where the last look is too old to know of a move, which waits as long before the shard arrives.
   */
  answering(shard: number, now: number): string | undefined {
    const database = this.databaseOf(shard);
    const said = database === undefined ? undefined : this.said.get(database);
    const isCertain = said && now - said.began < PLACE_VALID_MS && !said.placed.get(shard)?.departs;
    return isCertain ? database : undefined;
  }

  settled(shard: number): number {
    return this.settledAt.get(shard) ?? -Infinity;
  }

  /** Whether another database has this shard as well, as one does that was restored to before a move. */
  isDisputed(shard: number): boolean {
    return this.naming(shard).length > 1;
  }

  private naming(shard: number): string[] {
    const named: [string, bigint][] = [];
    for (const [database, { placed }] of this.said) {
      const epoch = placed.get(shard)?.epoch;
      if (epoch !== undefined) named.push([database, epoch]);
    }
    return named.sort(([, one], [, other]) => Number(other - one)).map(([database]) => database);
  }
}
