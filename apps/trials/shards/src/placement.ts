/** Where the shards are, read behind the mover's back: in the rows that each database has of them (docs/adr/0066). */
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import type { LedgerServer } from './site';

const LOOK_TIMEOUT_MS = 2_000;
const WATCH_EVERY_MS = 100;
const STEP_POLL_MS = 3;

/** What one database says of a shard. */
export interface ShardThere {
  shard: number;
  /** Null where it is on this database. */
  moved_to: string | null;
  mover: string | null;
  reserved: boolean;
  /** Up to where this database has its log. */
  last_position: number;
  /** The process of the instance that holds it; null where none does. */
  pid: number | null;
}

const QUERY = `
  SELECT shard, moved_to, mover, COALESCE(reserved_until > now(), false) AS reserved,
    (SELECT COALESCE(max(position), 0)::int FROM ledger_events AS event WHERE event.shard = ledger_shards.shard) AS last_position,
    CASE WHEN lease_expires_at > now() THEN split_part(holder, '/', 2)::int END AS pid
  FROM ledger_shards WHERE $1::int IS NULL OR shard = $1 ORDER BY shard`;

/** A connection to one database that is made again after it broke; for one look at a time. */
export class Looking {
  private client: Postgres | undefined;

  constructor(private readonly server: LedgerServer) {}

  get name(): string {
    return this.server.name;
  }

  /** Rejects while the database does not answer. @param shard all when left out */
  async shards(shard?: number): Promise<ShardThere[]> {
    try {
      this.client ??= await connected(this.server.urls.owner);
      return (await this.client.query<ShardThere>(QUERY, [shard ?? null])).rows;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(): void {
    void this.client?.end().catch(() => undefined);
    this.client = undefined;
  }
}

async function connected(connectionString: string): Promise<Postgres> {
  const times = { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS };
  const client = new Postgres({ connectionString, ...times });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The names of the databases that say that they have each shard. */
export async function whereShardsAre(databases: readonly LedgerServer[]): Promise<Map<number, string[]>> {
  const looking = databases.map((server) => new Looking(server));
  try {
    return placesIn(await Promise.all(looking.map(async (one) => ({ name: one.name, shards: await one.shards() }))));
  } finally {
    looking.forEach((one) => one.end());
  }
}

export interface Said {
  name: string;
  shards: readonly ShardThere[];
}

export function placesIn(said: readonly Said[]): Map<number, string[]> {
  const places = new Map<number, string[]>();
  for (const { name, shards } of said)
    for (const { shard, moved_to } of shards)
      places.set(shard, [...(places.get(shard) ?? []), ...(moved_to === null ? [name] : [])]);
  return places;
}

/**
 * All the while: no shard is ever on two databases. One that both of two looks find there twice was so between them, since
 * a move takes longer than a look.
 */
export class PlacementWatch {
  looks = 0;
  private readonly found = new Set<string>();
  private readonly looking: readonly Looking[];
  private stopped = false;
  private watching: Promise<void> = Promise.resolve();

  constructor(databases: readonly LedgerServer[]) {
    this.looking = databases.map((server) => new Looking(server));
  }

  get findings(): string[] {
    return [...this.found];
  }

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.watching;
    this.looking.forEach((one) => one.end());
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      const [first, second] = [await this.look(), await this.look()];
      if (first && second) this.looks += 1;
      for (const finding of onTwo(first ?? [], second ?? [])) this.found.add(finding);
      await delay(WATCH_EVERY_MS);
    }
  }

  private async look(): Promise<Said[] | undefined> {
    const said: Said[] = [];
    for (const one of this.looking) {
      const shards = await one.shards().catch(() => undefined);
      if (shards === undefined) return undefined;
      said.push({ name: one.name, shards });
    }
    return said;
  }
}

export function onTwo(first: readonly Said[], second: readonly Said[]): string[] {
  const [before, after] = [placesIn(first), placesIn(second)];
  return [...before].flatMap(([shard, places]) => {
    const both = places.filter((name) => after.get(shard)?.includes(name));
    return both.length > 1 ? [`shard ${shard} is on ${both.join(' and ')} at once`] : [];
  });
}

/** The steps of a move that can be seen from outside, in their order. */
export const STEPS = ['taken', 'copying', 'reserved', 'departed'] as const;
export type Step = (typeof STEPS)[number];

interface Sides {
  source: ShardThere;
  target: ShardThere | undefined;
}

/** Whether a move that began at `before` has come to a step. */
export function hasReached(step: Step, before: Sides, now: Sides): boolean {
  switch (step) {
    case 'taken':
      return now.source.mover !== null && now.source.mover !== before.source.mover;
    case 'copying':
      return (now.target?.last_position ?? 0) > (before.target?.last_position ?? 0);
    case 'reserved':
      return now.source.reserved || now.source.moved_to !== null;
    case 'departed':
      return now.source.moved_to !== null;
  }
}

/** One move as it goes on, from the rows of both sides. */
export class MoveWatch {
  private readonly source: Looking;
  private readonly target: Looking;
  private before: Sides;

  private constructor(
    private readonly shard: number,
    source: LedgerServer,
    target: LedgerServer,
  ) {
    this.source = new Looking(source);
    this.target = new Looking(target);
  }

  /** Before the mover starts. */
  static async start(shard: number, source: LedgerServer, target: LedgerServer): Promise<MoveWatch> {
    const watch = new MoveWatch(shard, source, target);
    watch.before = await watch.look();
    return watch;
  }

  /** The process that held the shard when it began; null where none did. */
  get owner(): number | null {
    return this.before.source.pid;
  }

  /** Resolves to whether it was reached while `goesOn` said so. */
  async reaches(step: Step, goesOn: () => boolean): Promise<boolean> {
    while (goesOn()) {
      if (hasReached(step, this.before, await this.look())) return true;
      await delay(STEP_POLL_MS);
    }
    return false;
  }

  end(): void {
    this.source.end();
    this.target.end();
  }

  private async look(): Promise<Sides> {
    const [[source], [target]] = (await Promise.all(
      [this.source, this.target].map((side) => side.shards(this.shard)),
    )) as [ShardThere[], ShardThere[]];
    if (!source) throw new Error(`there is no shard ${this.shard} on ${this.source.name}`);
    return { source, target };
  }
}
