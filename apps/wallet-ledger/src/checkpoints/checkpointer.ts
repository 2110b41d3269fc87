/**
 * Signs the log of one shard at intervals and on request, if the log has grown.
 *
 * | phase   | reads                                       | writes                              | bounded by        |
 * |---------|---------------------------------------------|-------------------------------------|-------------------|
 * | check   | the last checkpoint, its keys and its event | nothing; LogBroken if they disagree | one row each      |
 * | grow    | the new events, each chained to the last    | memory: the tree's right edge       | PAGE, EVENTS_MAX  |
 * | sign    | the tree's root                             | memory: a signed note               | one signature     |
 * | store   | the lease's epoch                           | one transaction: complete nodes and | the new events    |
 * |         |                                             | the checkpoint                      |                   |
 * | publish | nothing                                     | `ledger.checkpoints.<shard>`        | not waited for    |
 *
 * So a checkpoint costs its new events, and every signature continues what was signed before. It runs beside the writer and
 * shares only the log with it. The table keeps the checkpoints in one line: by the lease's epoch, one row per size, one
 * successor per row.
 */
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { checkpointSubject } from '@stablecoin/contracts/wallet/checkpoints';
import { eventHash, GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { signCheckpoint, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange, CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { NoteSigner, parseTrustedKey } from '@stablecoin/event-proofs/signed-note';
import { TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import {
  CheckpointEdge,
  insertCheckpoint,
  insertTreeNodes,
  latestCheckpoint,
  NewCheckpoint,
  verifierKeys,
} from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { NatsConnection } from 'nats';
import { Lease } from '../event-log/lease';

/** Small, so that hashing a page delays no command. */
const PAGE = 200;
/** Per checkpoint: a log that was never signed is covered by several. */
const EVENTS_MAX = 50_000;

export interface CheckpointerOptions {
  database: LedgerReads;
  connection: Pick<NatsConnection, 'publish'>;
  lease: Lease;
  /** Named after the origin of the shard's log. */
  signer: NoteSigner;
  intervalMs: number;
  now: () => Date;
  /** Per checkpoint. */
  maxEvents?: number;
}

/** The log is not what was signed: nothing more is signed until an operator has looked. */
export class LogBroken extends Error {}

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

  private async look(): Promise<string | undefined> {
    try {
      const note = await this.signAll();
      this.broken = false;
      return note;
    } catch (error) {
      const isBroken = error instanceof LogBroken;
      // A look that failed for another reason has not seen that the log is sound again: the finding stays.
      if (isBroken) this.broken = true;
      instruments.ledger_checkpoints_total.inc({ outcome: isBroken ? 'log_broken' : 'failed' });
      throw error;
    }
  }

  private async signAll(): Promise<string | undefined> {
    let last = await latestCheckpoint(this.options.database, this.options.lease.shard);
    for (;;) {
      if (this.stopping.signal.aborted) return last?.note;
      const made = await this.sign(last);
      instruments.ledger_checkpoints_total.inc({ outcome: made ? 'signed' : 'unchanged' });
      if (!made) return last?.note;
      last = made;
    }
  }

  /** @returns undefined when the log has not grown */
  private async sign(last: CheckpointEdge | undefined): Promise<NewCheckpoint | undefined> {
    const { database, lease, signer, now, connection } = this.options;
    const { range, head } = await this.edgeOf(last);
    const { nodes, head_hash } = await this.grow(range, head);
    if (range.size === (last?.size ?? 0)) return undefined;
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
    await database.$transaction(async (transaction) => {
      if (nodes.length > 0) await insertTreeNodes(transaction, lease.shard, nodes);
      const held = await insertCheckpoint(transaction, made, lease.epoch);
      if (!held) throw new LeaseLost(`shard ${lease.shard} has another holder`);
    }, TRANSACTION_LIMITS);
    // Delivery is not awaited: the table has the checkpoint.
    connection.publish(checkpointSubject(lease.shard), Buffer.from(note));
    return made;
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

  /** Appends the new events' leaves to the range. */
  private async grow(range: CompactRange, head: Buffer): Promise<{ nodes: CompleteNode[]; head_hash: Buffer }> {
    const nodes: CompleteNode[] = [];
    const end = range.size + (this.options.maxEvents ?? EVENTS_MAX);
    let previous: Uint8Array = head;
    while (range.size < end && !this.stopping.signal.aborted) {
      const asked = Math.min(PAGE, end - range.size);
      const events = await this.eventsAfter(range.size, asked);
      for (const { position, body, hash } of events) {
        if (position !== range.size + 1) throw new LogBroken(`position ${range.size + 1} is missing`);
        if (!eventHash(previous, body).equals(hash)) throw new LogBroken(`position ${position}: the chain is broken`);
        const completed = range.append(leafOfEvent(body, hash));
        nodes.push(...completed.filter(({ level }) => level % TILE_LEVELS === 0));
        previous = hash;
      }
      if (events.length < asked) break;
    }
    return { nodes, head_hash: Buffer.from(previous) };
  }

  private async eventsAfter(position: number, limit: number) {
    const rows = await this.options.database.$queryRaw<{ position: bigint; body: string; hash: Uint8Array }[]>`
      SELECT position, body, hash FROM ledger_events
      WHERE shard = ${this.options.lease.shard} AND position > ${position} ORDER BY position LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, position: Number(row.position) }));
  }
}
