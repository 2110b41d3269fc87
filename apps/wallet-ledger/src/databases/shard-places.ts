/** A shard that a database has, with the epoch of its lease, which rises on every side that the shard is moved to. */
export interface PlacedShard {
  shard: number;
  epoch: bigint;
}

/** Which database has which shard, as far as each said when it was looked at last. */
export class ShardPlaces {
  private readonly said = new Map<string, ReadonlyMap<number, bigint>>();

  /** All that the database has. */
  note(database: string, placed: readonly PlacedShard[]): void {
    this.said.set(database, new Map(placed.map(({ shard, epoch }) => [shard, epoch])));
  }

  /** Whether the database has said what it has since this process began. */
  isKnown(database: string): boolean {
    return this.said.has(database);
  }

  /** While a move is noticed, both sides may name the shard for a moment: the higher epoch is the later word. */
  databaseOf(shard: number): string | undefined {
    return this.naming(shard)[0];
  }

  /** Whether another database has this shard as well, as one does that was restored to before a move. */
  isDisputed(shard: number): boolean {
    return this.naming(shard).length > 1;
  }

  private naming(shard: number): string[] {
    const named: [string, bigint][] = [];
    for (const [database, placed] of this.said) {
      const epoch = placed.get(shard);
      if (epoch !== undefined) named.push([database, epoch]);
    }
    return named.sort(([, one], [, other]) => Number(other - one)).map(([database]) => database);
  }
}
