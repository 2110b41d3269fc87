/**
 * Compares the log with its signed checkpoints: checks every signature, and every root against the events that are
 * stored now. A log whose tail was cut off without another trace, or whose hashes were all computed anew, still differs
 * from its checkpoints. Checkpoints that were kept elsewhere are compared as well, so that deleting the ledger's own
 * hides nothing, and so are those that witnesses have seen. The stored nodes of the tree, from which proofs are made, are
 * compared on the way.
 * Reads the log once, page by page with the other checks. Names the first fault of each shard.
 */
import { Checkpoint, readCheckpoint, shardOf, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import {
  CheckpointEdge,
  checkpointWithoutItsPrevious,
  latestCheckpoint,
  readCheckpoints,
  verifierKeys,
} from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { CheckpointOutcome } from './checkpoint-outcome';
import { StoredNodesCheck } from './stored-nodes';
import { Witnessed } from './witnesses';

export interface CheckpointOptions {
  /** Public keys from elsewhere; without them, those that the database names are trusted. */
  keys?: readonly TrustedKey[];
  /** Signed checkpoints that were kept elsewhere. */
  kept?: readonly string[];
  /** What witnesses have. They have checked the signatures of the log, under keys of their own. */
  witnessed?: readonly Witnessed[];
  /** Shards that are on other databases: their checkpoints here are judged there. */
  leftOut?: readonly number[];
}

const CHECKPOINTS_AT_ONCE = 500;

export class CheckpointCheck {
  private readonly shards = new Map<number, ShardCheck>();

  constructor(
    private readonly sql: Sql,
    private readonly options: CheckpointOptions,
  ) {}

  /** @param rows of one shard, directly after those of the call before */
  async follow(shard: number, rows: readonly EventRow[]): Promise<void> {
    await (await this.checkOf(shard)).follow(rows);
  }

  /** After the last page of every shard: which checkpoints agree, and which cover events that are missing. */
  async finish(
    shards: readonly { shard: number; fault: LogFault | null }[],
    asked?: readonly number[],
  ): Promise<CheckpointOutcome[]> {
    const followed = new Map(shards.map(({ shard, fault }) => [shard, fault]));
    const outcomes: CheckpointOutcome[] = [];
    for (const shard of new Set([...followed.keys(), ...(asked ?? (await this.signedShards()))])) {
      outcomes.push(await (await this.checkOf(shard)).finish((followed.get(shard) ?? null) === null));
    }
    return outcomes;
  }

  /** The shards that have checkpoints; also one whose log is gone altogether. */
  private async signedShards(): Promise<number[]> {
    const rows = await this.sql.$queryRaw<{ shard: number }[]>`
      SELECT DISTINCT shard FROM ledger_checkpoint_keys ORDER BY shard`;
    const kept = (this.options.kept ?? []).flatMap((note) => shardOf(readCheckpoint(note)?.origin ?? '') ?? []);
    const witnessed = (this.options.witnessed ?? []).flatMap(({ shard, note }) => (note === null ? [] : shard));
    const { leftOut = [] } = this.options;
    return [...rows.map(({ shard }) => shard).filter((shard) => !leftOut.includes(shard)), ...kept, ...witnessed];
  }

  private async checkOf(shard: number): Promise<ShardCheck> {
    const known = this.shards.get(shard);
    if (known) return known;
    const stored = (await verifierKeys(this.sql, shard)).flatMap((key) => parseTrustedKey(key) ?? []);
    const kept = (this.options.kept ?? [])
      .filter((note) => shardOf(readCheckpoint(note)?.origin ?? '') === shard)
      .map((note) => ({ size: readCheckpoint(note)?.size ?? 0, note }));
    const witnessed = (this.options.witnessed ?? [])
      .filter((one) => one.shard === shard)
      .flatMap(({ witness, note }) => (note === null ? [] : { size: readCheckpoint(note)?.size ?? 0, note, witness }));
    const given = this.options.keys;
    const check = new ShardCheck(this.sql, shard, { given, stored }, [...kept, ...witnessed]);
    await check.start();
    this.shards.set(shard, check);
    return check;
  }
}

interface Signed {
  size: number;
  note: string;
  /** Of a checkpoint that a witness has. */
  witness?: string;
  /** Of one in the table: what its row says of it. */
  created_at?: string;
}

class ShardCheck {
  private readonly range = new CompactRange();
  private readonly outcome: CheckpointOutcome;
  private readonly kept: Signed[];
  private stored: Signed[] = [];
  private readUpTo = 0;
  private isReadOut = false;
  /** The next one to be compared. */
  private ahead: Signed | undefined;
  private origin: string | undefined;
  /** The largest that is kept outside of the database. */
  private readonly elsewhere: Signed | undefined;
  /** Nodes over more events than the ledger has signed itself are not stored yet. */
  private storedSize = 0;
  private latest: CheckpointEdge | undefined;
  private readonly nodes: StoredNodesCheck;

  constructor(
    private readonly sql: Sql,
    private readonly shard: number,
    private readonly keys: { given: readonly TrustedKey[] | undefined; stored: readonly TrustedKey[] },
    kept: readonly Signed[],
  ) {
    this.outcome = { shard, verified: 0, size: 0, time: null, fault: null, nodes_differing: 0 };
    this.nodes = new StoredNodesCheck(sql, shard);
    this.kept = kept.toSorted((one, other) => one.size - other.size);
    this.elsewhere = this.kept.at(-1);
  }

  async start(): Promise<void> {
    this.latest = await latestCheckpoint(this.sql, this.shard);
    this.storedSize = this.latest?.size ?? 0;
    this.ahead = await this.take();
  }

  async follow(rows: readonly EventRow[]): Promise<void> {
    for (const { body, hash } of rows) {
      // Beyond the last checkpoint there is nothing to compare with.
      if (this.outcome.fault || !this.ahead) break;
      const completed = this.range.append(leafOfEvent(body, hash));
      if (this.range.size <= this.storedSize) this.nodes.expect(completed);
      this.compareEdge(hash);
      await this.compareReached();
    }
    await this.nodes.compare();
  }

  /** What the ledger makes its next checkpoint from stands beside the newest one, and is signed by nothing. */
  private compareEdge(hash: Uint8Array): void {
    const { latest, range, shard } = this;
    if (this.outcome.fault || latest?.size !== range.size) return;
    const isOfTheseEvents =
      latest.head_hash.equals(hash) && Buffer.concat(latest.range).equals(Buffer.concat(range.hashes));
    if (!isOfTheseEvents)
      this.fail(
        range.size,
        `the checkpoint of ${range.size} events stands beside hashes of other ones in shard ${shard}`,
      );
  }

  /** Several checkpoints may be of the same size: the ledger's own and those that were kept. */
  private async compareReached(): Promise<void> {
    while (!this.outcome.fault && this.ahead?.size === this.range.size) {
      this.compare(this.ahead);
      this.ahead = await this.take();
    }
  }

  async finish(isWhole: boolean): Promise<CheckpointOutcome> {
    const { ahead, range } = this;
    if (ahead && isWhole && !this.outcome.fault) {
      const signed = this.signedIn(ahead);
      if (signed === undefined) return this.outcome;
      const { time } = signed;
      const were = ahead.witness
        ? `witness ${ahead.witness} has seen ${ahead.size} events, as`
        : `${ahead.size} events were`;
      this.fail(range.size + 1, `missing: the log ends at ${range.size}, but ${were} signed at ${time}`);
    }
    if (!this.outcome.fault) await this.findMissing();
    if (isWhole && !this.outcome.fault) this.outcome.nodes_differing = await this.nodes.finish();
    return this.outcome;
  }

  /** Checkpoints that the table must have had: the newest that was kept elsewhere, and the one that each row continues. */
  private async findMissing(): Promise<void> {
    const { elsewhere, shard, storedSize } = this;
    if (elsewhere && elsewhere.size > storedSize) {
      const has = elsewhere.witness ? `which witness ${elsewhere.witness} has` : 'which was kept elsewhere';
      this.fail(elsewhere.size, `the checkpoint of ${elsewhere.size} events, ${has}, is missing from the database`);
      return;
    }
    const gap = await checkpointWithoutItsPrevious(this.sql, shard);
    if (gap)
      this.fail(
        gap.size,
        `the checkpoint of ${gap.previous ?? 0} events, which the one of ${gap.size} continues, is missing`,
      );
  }

  /** What a checkpoint says. Undefined after the fault of one that is not signed, or is another one than its row says. */
  private signedIn({ size, note, witness }: Signed): Checkpoint | undefined {
    const signed = this.read(note, witness);
    if (typeof signed === 'string') {
      this.fail(size, `the checkpoint of ${size} events${witness ? ` that witness ${witness} has` : ''}: ${signed}`);
      return undefined;
    }
    const { origin } = signed;
    this.origin ??= origin;
    if (signed.size === size && origin === this.origin && shardOf(origin) === this.shard) return signed;
    this.fail(size, `the checkpoint of ${size} events is one of ${signed.size} events of ${origin}`);
    return undefined;
  }

  private compare(checkpoint: Signed): void {
    const signed = this.signedIn(checkpoint);
    if (signed === undefined) return;
    const { size, witness, created_at = signed.time } = checkpoint;
    const { root, time } = signed;
    if (!root.equals(this.range.root)) {
      const from = this.outcome.size + 1;
      const which = witness ? `that witness ${witness} has seen, as` : 'that were';
      this.fail(from, `positions ${from} to ${size} are not the events ${which} signed at ${time}`);
    } else if (created_at !== time) {
      this.fail(size, `the checkpoint of ${size} events is dated ${created_at}, and was signed at ${time}`);
    } else {
      this.outcome.verified += 1;
      this.outcome.size = size;
      this.outcome.time = time;
    }
  }

  /** Without keys from elsewhere, a witness's word is worth more than the keys that the database names. */
  private read(note: string, witness: string | undefined): Checkpoint | string {
    const { given, stored } = this.keys;
    if (witness && !given) return readCheckpoint(note) ?? 'it is no checkpoint';
    return verifyCheckpoint(note, given ?? stored);
  }

  private async take(): Promise<Signed | undefined> {
    if (this.stored.length === 0 && !this.isReadOut) {
      this.stored = await readCheckpoints(this.sql, this.shard, { after: this.readUpTo, limit: CHECKPOINTS_AT_ONCE });
      this.readUpTo = this.stored.at(-1)?.size ?? this.readUpTo;
      this.isReadOut = this.stored.length < CHECKPOINTS_AT_ONCE;
    }
    const [kept, stored] = [this.kept[0], this.stored[0]];
    return kept && kept.size <= (stored?.size ?? Infinity) ? this.kept.shift() : this.stored.shift();
  }

  private fail(position: number, problem: string): void {
    this.outcome.fault = { shard: this.shard, position, problem };
  }
}
