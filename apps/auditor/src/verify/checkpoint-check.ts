/**
 * Holds the log against what has been signed of it: every checkpoint's signature, and its root against the events that
 * are there now. A tail that was cut off together with everything that could tell, or a log whose hashes were all made
 * anew, still differs from what was signed. Checkpoints that somebody kept elsewhere are held against it as well, so
 * that it doesn't help to delete the ledger's own.
 *
 * Follows the log once, beside whatever else reads it. Of each shard the first fault is named.
 */
import { readCheckpoint, shardOf, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { readCheckpoints, verifierKeys } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '../log/fault';

export interface CheckpointOutcome {
  shard: number;
  /** How many checkpoints agree with the log. */
  verified: number;
  /** Of the last one that does. */
  size: number;
  time: string | null;
  fault: LogFault | null;
}

export interface CheckpointOptions {
  /** Public keys from elsewhere; without any, those that the database itself names are taken. */
  keys?: readonly TrustedKey[];
  /** Signed checkpoints that were kept elsewhere. */
  kept?: readonly string[];
}

const CHECKPOINTS_AT_ONCE = 500;

export class CheckpointCheck {
  private readonly shards = new Map<number, ShardCheck>();

  constructor(
    private readonly sql: Sql,
    private readonly options: CheckpointOptions,
  ) {}

  /** @param rows of one shard, following those that were given before */
  async follow(shard: number, rows: readonly EventRow[]): Promise<void> {
    await (await this.checkOf(shard)).follow(rows);
  }

  /** When every shard has been followed as far as it can be: which agree, and which say that there was more. */
  async finish(
    shards: readonly { shard: number; fault: LogFault | null }[],
    asked?: readonly number[],
  ): Promise<CheckpointOutcome[]> {
    const followed = new Map(shards.map(({ shard, fault }) => [shard, fault]));
    const outcomes: CheckpointOutcome[] = [];
    for (const shard of new Set([...followed.keys(), ...(asked ?? (await this.signedShards()))])) {
      outcomes.push((await this.checkOf(shard)).finish((followed.get(shard) ?? null) === null));
    }
    return outcomes;
  }

  /** A shard that is gone altogether is still signed for. */
  private async signedShards(): Promise<number[]> {
    const rows = await this.sql.$queryRaw<{ shard: number }[]>`
      SELECT DISTINCT shard FROM ledger_checkpoint_keys ORDER BY shard`;
    const kept = (this.options.kept ?? []).flatMap((note) => shardOf(readCheckpoint(note)?.origin ?? '') ?? []);
    return [...rows.map(({ shard }) => shard), ...kept];
  }

  private async checkOf(shard: number): Promise<ShardCheck> {
    const known = this.shards.get(shard);
    if (known) return known;
    const stored = (await verifierKeys(this.sql, shard)).flatMap((key) => parseTrustedKey(key) ?? []);
    const kept = (this.options.kept ?? []).filter((note) => shardOf(readCheckpoint(note)?.origin ?? '') === shard);
    const check = new ShardCheck(this.sql, shard, this.options.keys ?? stored, kept);
    await check.start();
    this.shards.set(shard, check);
    return check;
  }
}

interface Signed {
  size: number;
  note: string;
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

  constructor(
    private readonly sql: Sql,
    private readonly shard: number,
    private readonly keys: readonly TrustedKey[],
    kept: readonly string[],
  ) {
    this.outcome = { shard, verified: 0, size: 0, time: null, fault: null };
    this.kept = kept
      .map((note) => ({ size: readCheckpoint(note)?.size ?? 0, note }))
      .sort((one, other) => one.size - other.size);
  }

  async start(): Promise<void> {
    this.ahead = await this.take();
  }

  async follow(rows: readonly EventRow[]): Promise<void> {
    for (const { body, hash } of rows) {
      // Beyond the last checkpoint there is nothing to compare with.
      if (this.outcome.fault || !this.ahead) return;
      this.range.append(leafOfEvent(body, hash));
      while (!this.outcome.fault && this.ahead?.size === this.range.size) {
        this.compare(this.ahead);
        this.ahead = await this.take();
      }
    }
  }

  finish(isWhole: boolean): CheckpointOutcome {
    const { ahead, range } = this;
    if (ahead && isWhole && !this.outcome.fault) {
      const time = readCheckpoint(ahead.note)?.time ?? 'some time';
      this.fail(
        range.size + 1,
        `missing: the log ends at ${range.size}, but ${ahead.size} events were signed at ${time}`,
      );
    }
    return this.outcome;
  }

  private compare({ size, note }: Signed): void {
    const signed = verifyCheckpoint(note, this.keys);
    if (typeof signed === 'string') return this.fail(size, `the checkpoint of ${size} events: ${signed}`);
    const { origin, root, time } = signed;
    this.origin ??= origin;
    if (signed.size !== size || origin !== this.origin || shardOf(origin) !== this.shard) {
      return this.fail(size, `the checkpoint of ${size} events is one of ${signed.size} events of ${origin}`);
    }
    if (!root.equals(this.range.root)) {
      const from = this.outcome.size + 1;
      return this.fail(from, `positions ${from} to ${size} are not the events that were signed at ${time}`);
    }
    this.outcome.verified += 1;
    this.outcome.size = size;
    this.outcome.time = time;
  }

  /** The smallest one that is left, of those that were kept and those in the database. */
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
