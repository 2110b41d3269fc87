/**
 * Signs the log of one shard at intervals and on request, if the log has grown.
 *
 * | phase   | reads                                       | writes                              | bounded by        |
 * |---------|---------------------------------------------|-------------------------------------|-------------------|
 * | judge   | the head, its signature, what was signed    | nothing; LogBroken if the ledger's  | one row each      |
 * |         | last as remembered outside Postgres         | key vouches for another end or none |                   |
 * | check   | the last checkpoint, its keys and its event | nothing; LogBroken if they disagree | one row each, a   |
 * |         |                                             |                                     | consistency proof |
 * | grow    | the new events, each chained to the last,   | memory: the tree's right edge       | PAGE, EVENTS_MAX  |
 * |         | the last one to the signed head             |                                     |                   |
 * | sign    | the tree's root                             | memory: a signed note               | one signature     |
 * | store   | the lease's epoch                           | one transaction: complete nodes and | the new events    |
 * |         |                                             | the checkpoint                      |                   |
 * | keep    | nothing                                     | what was signed, outside Postgres   | a small file      |
 * | publish | nothing                                     | `ledger.checkpoints.<shard>`, and   | not waited for    |
 * |         |                                             | each witness (`witness-publisher`)  |                   |
 *
 * So a checkpoint costs its new events, and every signature continues what was signed before. It runs beside the writer and
 * shares only the log with it. The table keeps the checkpoints in one line: by the lease's epoch, one row per size, one
 * successor per row.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { checkpointSubject } from '@stablecoin/contracts/wallet/checkpoints';
import { eventHash, GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { signCheckpoint, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange, CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { NoteSigner, parseTrustedKey } from '@stablecoin/event-proofs/signed-note';
import { consistencyPath, TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import {
  CheckpointEdge,
  insertCheckpoint,
  insertTreeNodes,
  latestCheckpoint,
  NewCheckpoint,
  verifierKeys,
} from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { logTiles } from '@stablecoin/ledger-store/checkpoints/log-tiles';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { NatsConnection } from 'nats';
import { isConsistent } from '@stablecoin/event-proofs/merkle-tree';
import { Head, Lease } from '../event-log/lease';
import { HeadJudge, judgeHead, Judgement, LogBroken } from './judge-head';
import { SignedState } from './signed-memory';

export { LogBroken };

/** Small, so that hashing a page delays no command. */
const PAGE = 200;
/** Per checkpoint: a log that was never signed is covered by several. */
const EVENTS_MAX = 50_000;
/** A process that ends waits no longer for its last checkpoint. */
const LAST_MS = 1_000;

export interface CheckpointerOptions {
  database: LedgerReads;
  connection: Pick<NatsConnection, 'publish'>;
  lease: Lease;
  /** Named after the origin of the shard's log. */
  signer: NoteSigner;
  intervalMs: number;
  now: () => Date;
  /** What was signed last, kept outside Postgres; left out where no directory is configured. */
  memory?: HeadJudge['memory'];
  /** See `judge-head`. */
  acceptsUnsigned?: boolean;
  /** Told of the newest checkpoint by every look that found the log sound. */
  onSound?: (checkpoint: SoundCheckpoint) => void;
  /** Per checkpoint. */
  maxEvents?: number;
}

/** A checkpoint that this instance has made, or has found to be what its log and its memory say. */
export interface SoundCheckpoint {
  size: number;
  note: string;
}

class LeaseLost extends Error {}

/** Where the next checkpoint begins. */
interface Edge {
  range: CompactRange;
  head: Buffer;
}

export class Checkpointer {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly loop: BackgroundLoop;
  private working: Promise<unknown> = Promise.resolve();
  private broken = false;

  constructor(private readonly options: CheckpointerOptions) {
    this.log = new Logger(`Checkpointer ${options.lease.shard}`);
    this.loop = new BackgroundLoop({
      pass: async () => {
        await this.make();
        return options.intervalMs;
      },
      failed: (error) => {
        if (error instanceof LogBroken) this.log.error(`nothing is signed any more: ${error.message}`);
        else this.log.warn(`no checkpoint: ${(error as Error).message}`);
        return options.intervalMs;
      },
    });
  }

  get shard(): number {
    return this.options.lease.shard;
  }

  /** The finding of the last look. */
  get isLogBroken(): boolean {
    return this.broken;
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await this.working.catch(() => undefined);
  }

  /**
   * Signs what was added to the log. Calls run one after the other.
   *
   * @returns the newest checkpoint, if there is any
   * @throws LogBroken
   */
  make(): Promise<string | undefined> {
    const made = this.working.then(
      () => this.look(),
      () => this.look(),
    );
    this.working = made;
    return made;
  }

  /**
   * Signs what is left when the shard is given up, so that a log at rest is signed to its end; if there is time, and nothing
   * if another instance has the shard by now.
   */
  async makeLast(): Promise<void> {
    const pause = new AbortController();
    const made = this.make().catch(() => undefined);
    await Promise.race([made, delay(LAST_MS, undefined, { signal: pause.signal }).catch(() => undefined)]);
    pause.abort();
  }

  private async look(): Promise<string | undefined> {
    try {
      const newest = await this.signAll();
      this.broken = false;
      if (newest) this.options.onSound?.(newest);
      return newest?.note;
    } catch (error) {
      const isBroken = error instanceof LogBroken;
      // A look that failed for another reason has not seen that the log is sound again: the finding stays.
      if (isBroken) this.broken = true;
      instruments.ledger_checkpoints_total.inc({ outcome: isBroken ? 'log_broken' : 'failed' });
      throw error;
    }
  }

  private async signAll(): Promise<SoundCheckpoint | undefined> {
    const { database, lease, signer, memory, acceptsUnsigned } = this.options;
    const judged = await judgeHead(database, { shard: lease.shard, signer, memory, acceptsUnsigned });
    if (judged.refusal) throw new LogBroken(judged.refusal);
    let last = await latestCheckpoint(database, lease.shard);
    await this.assertRemembered(judged.kept, last);
    for (;;) {
      if (this.stopping.signal.aborted) return last;
      const made = await this.sign(last, judged);
      instruments.ledger_checkpoints_total.inc({ outcome: made ? 'signed' : 'unchanged' });
      if (!made) return last;
      last = made;
    }
  }

  /** @returns undefined when the log has not grown */
  private async sign(last: CheckpointEdge | undefined, judged: Judgement): Promise<NewCheckpoint | undefined> {
    const { database, lease, signer, now, connection, memory } = this.options;
    const { range, head } = await this.edgeOf(last);
    const signedHead = judged.signed ? judged.head : undefined;
    if (signedHead && signedHead.position < range.size) {
      throw new LogBroken(`the log ends at ${signedHead.position}, but ${range.size} events were signed`);
    }
    const { nodes, head_hash } = await this.grow(range, head, signedHead);
    if (range.size === (last?.size ?? 0)) return undefined;
    if (signedHead) await this.assertLeadsTo(signedHead, { position: range.size, hash: head_hash });
    if (this.stopping.signal.aborted) return undefined;
    const created_at = now().toISOString();
    const note = signCheckpoint({ size: range.size, root: range.root, time: created_at }, signer);
    const made: NewCheckpoint = {
      shard: lease.shard,
      size: range.size,
      previous_size: last?.size ?? null,
      note,
      key_id: signer.keyId,
      verifier_key: signer.verifierKey,
      range: range.hashes,
      head_hash,
      created_at,
    };
    await database.sql.$transaction(async (transaction) => {
      if (nodes.length > 0) await insertTreeNodes(transaction, lease.shard, nodes);
      const held = await insertCheckpoint(transaction, made, lease.epoch);
      if (!held) throw new LeaseLost(`shard ${lease.shard} has another holder`);
    }, TRANSACTION_LIMITS);
    // After the commit: a memory of what the table has not would make the next look find it missing.
    await memory?.write(lease.shard, rememberedOf(made, signer, range.root));
    // Delivery is not awaited: the table has the checkpoint.
    connection.publish(checkpointSubject(lease.shard), Buffer.from(note));
    return made;
  }

  /** Does the last checkpoint extend what was signed before, as far as this instance remembers? @throws LogBroken */
  private async assertRemembered(kept: SignedState | undefined, last: CheckpointEdge | undefined): Promise<void> {
    const { database, lease, memory } = this.options;
    if (!kept) return;
    const { size, root, time } = kept;
    const place = memory?.place(lease.shard);
    if (!last || last.size < size) {
      const found = last ? `the newest checkpoint is of ${last.size} events` : 'there is no checkpoint';
      throw new LogBroken(`${found}, but ${size} events were signed at ${time}, as ${place} says`);
    }
    const path = await consistencyPath(logTiles(database, lease.shard, last.size), size, last.size);
    const newRoot = CompactRange.of(last.size, last.range).root;
    if (!isConsistent({ oldSize: size, oldRoot: root, newSize: last.size, newRoot, path })) {
      throw new LogBroken(`the checkpoint at ${last.size} does not extend that of ${size} events in ${place}`);
    }
  }

  /** The tree at the last checkpoint, after checking that checkpoint, row and log still agree. @throws LogBroken */
  private async edgeOf(last: CheckpointEdge | undefined): Promise<Edge> {
    if (!last) return { range: new CompactRange(), head: GENESIS_HASH };
    const { database, lease, signer } = this.options;
    const stored = (await verifierKeys(database, lease.shard)).flatMap((key) => parseTrustedKey(key) ?? []);
    const signed = verifyCheckpoint(last.note, [{ publicKey: signer.publicKey }, ...stored]);
    if (typeof signed === 'string') throw new LogBroken(`the checkpoint at ${last.size}: ${signed}`);
    if (signed.origin !== signer.name) {
      throw new LogBroken(`the checkpoint at ${last.size} is of ${signed.origin}, not of ${signer.name}`);
    }
    const range = CompactRange.of(last.size, last.range);
    if (signed.size !== last.size || !signed.root.equals(range.root)) {
      throw new LogBroken(`the checkpoint at ${last.size} does not say what its row says`);
    }
    const [event] = await this.eventsAfter(last.size - 1, 1);
    if (event?.position !== last.size || !last.head_hash.equals(event.hash)) {
      throw new LogBroken(`position ${last.size} is not the event that was signed`);
    }
    return { range, head: last.head_hash };
  }

  /** Appends the new events' leaves to the range, up to the signed head if there is one. */
  private async grow(
    range: CompactRange,
    head: Buffer,
    signedHead: Head | undefined,
  ): Promise<{ nodes: CompleteNode[]; head_hash: Buffer }> {
    const nodes: CompleteNode[] = [];
    const end = Math.min(range.size + (this.options.maxEvents ?? EVENTS_MAX), signedHead?.position ?? Infinity);
    const { hash } = await this.follow({ position: range.size, hash: head }, end, (body, hashOfEvent) => {
      const completed = range.append(leafOfEvent(body, hashOfEvent));
      nodes.push(...completed.filter(({ level }) => level % TILE_LEVELS === 0));
    });
    return { nodes, head_hash: hash };
  }

  /**
   * What is signed must be what the signed head covers, also where the log is so long that this checkpoint ends before it.
   *
   * @throws LogBroken
   */
  private async assertLeadsTo(signedHead: Head, from: Head): Promise<void> {
    const reached = await this.follow(from, signedHead.position, () => undefined);
    if (this.stopping.signal.aborted) return;
    if (reached.position !== signedHead.position) throw new LogBroken(`position ${reached.position + 1} is missing`);
    if (!reached.hash.equals(signedHead.hash)) {
      throw new LogBroken(`the events up to ${signedHead.position} do not lead to the head that the ledger signed`);
    }
  }

  /** Follows the chain as far as `end`, as far as there are events, or until it is stopped. @throws LogBroken */
  private async follow(from: Head, end: number, each: (body: string, hash: Uint8Array) => void): Promise<Head> {
    let { position: at, hash: previous }: { position: number; hash: Uint8Array } = from;
    while (at < end && !this.stopping.signal.aborted) {
      const asked = Math.min(PAGE, end - at);
      const events = await this.eventsAfter(at, asked);
      for (const { position, body, hash } of events) {
        if (position !== at + 1) throw new LogBroken(`position ${at + 1} is missing`);
        if (!eventHash(previous, body).equals(hash)) throw new LogBroken(`position ${position}: the chain is broken`);
        each(body, hash);
        [at, previous] = [position, hash];
      }
      if (events.length < asked) break;
    }
    return { position: at, hash: Buffer.from(previous) };
  }

  private async eventsAfter(position: number, limit: number) {
    const rows = await this.options.database.$queryRaw<{ position: bigint; body: string; hash: Uint8Array }[]>`
      SELECT position, body, hash FROM ledger_events
      WHERE shard = ${this.options.lease.shard} AND position > ${position} ORDER BY position LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, position: Number(row.position) }));
  }
}

const rememberedOf = (made: NewCheckpoint, signer: NoteSigner, root: Buffer): SignedState => ({
  origin: signer.name,
  size: made.size,
  root,
  head_hash: made.head_hash,
  verifier_key: made.verifier_key,
  time: made.created_at,
});
