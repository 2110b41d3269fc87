/**
 * Publishes the log of one shard to the stream LEDGER. Each commit wakes it; it also looks once a second (IDLE_MS).
 *
 * | phase      | reads                                       | writes                           | bounded by            |
 * |------------|---------------------------------------------|----------------------------------|-----------------------|
 * | settle     | the stream's creation time, its last fact   | `relay_checkpoints`: back to 0,  | once per start and    |
 * |            | of the shard                                | or to the last fact              | per failure; RETRY_MS |
 * | read       | events after the checkpoint, and the        | memory: whole groups as facts    | EVENTS_MAX events     |
 * |            | transactions that they name                 |                                  |                       |
 * | publish    | nothing                                     | the stream; waits until the      | the batch             |
 * |            |                                             | broker has stored every fact;    |                       |
 * |            |                                             | then says whose they are         |                       |
 * | checkpoint | nothing                                     | `relay_checkpoints`, forward     | one row               |
 *
 * The checkpoint moves last, so a crash publishes again, and consumers recognise a fact they have had. A stream with another
 * creation time than the one of the checkpoint was made anew and is empty: it is filled from the beginning of the log. A
 * stream whose last fact lies before the checkpoint has lost its tail, as after a power failure of the broker: it is filled
 * from there. Both are checked when a relay starts, after each failure or loss of the broker, and every STREAM_CHECK_MS.
 */
import { Logger } from '@nestjs/common';
import { TRANSACTIONS_CHANGED } from '@stablecoin/contracts/wallet/transactions-changed';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Announcements } from '@stablecoin/messaging/announcements';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { WakeablePause } from '@stablecoin/background-work/wakeable-pause';
import { RememberedTraces } from '@stablecoin/telemetry/traces/remembered-traces';
import { NatsConnection } from 'nats';
import { changesOf } from './changes-of';
import { factsAfter, FactsOfLog } from './facts-after';
import { publishTraced } from './publish-traced';

const EVENTS_MAX = 500;
/** How long a stream that was made anew can go unnoticed while the connection stays. */
const STREAM_CHECK_MS = 2_000;
const IDLE_MS = 1_000;
const RETRY_MS = 1_000;

export class FactRelay {
  /** The traces of facts that this instance's writer appended: the log itself holds no traces. */
  readonly traces = new RememberedTraces<number>();
  private readonly log: Logger;
  /** For pages that are open. */
  private readonly announcements: Announcements;
  private stopped = false;
  private readonly pause = new WakeablePause();
  private running: Promise<void> = Promise.resolve();
  /** The last event that is on the stream, as far as this relay knows. */
  private position: number | undefined;
  /** Since when an event may be missing on the stream, in epoch milliseconds. */
  private behindSince: number | undefined = Date.now();

  constructor(
    private readonly database: LedgerDatabase,
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
    private readonly shard: number,
    /** For a stream that doesn't exist yet. */
    private readonly streamReplicas = 1,
  ) {
    this.log = new Logger(`FactRelay ${shard}`);
    this.announcements = new Announcements(connection, codec);
  }

  /** How far the stream is behind a log that ends at `head`; `positions` is unknown until the stream was first read. */
  lag(head: number): { positions: number | undefined; seconds: number } {
    const positions = this.position === undefined ? undefined : Math.max(0, head - this.position);
    const isBehind = positions !== 0 && this.behindSince !== undefined;
    return { positions, seconds: isBehind ? (Date.now() - (this.behindSince as number)) / 1_000 : 0 };
  }

  start(): void {
    this.running = this.run();
  }

  /** The log has grown. */
  wake(): void {
    this.behindSince ??= Date.now();
    this.pause.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const stream = await LedgerStream.open(this.connection, this.codec);
        await this.publishFrom(stream);
      } catch (error) {
        await this.pauseAfter(error);
      }
    }
  }

  private async pauseAfter(error: unknown): Promise<void> {
    if (this.stopped) return;
    this.log.warn(`facts wait: ${(error as Error).message}`);
    await this.pause.atMost(RETRY_MS);
  }

  private async publishFrom(stream: LedgerStream): Promise<void> {
    const session = this.session();
    const { createdAt } = await stream.ensure(this.streamReplicas);
    await this.settleOn(createdAt);
    let position = await this.returnTo(await stream.lastPosition(this.shard));
    this.position = position;
    let checkedAt = Date.now();
    while (!this.stopped) {
      if (Date.now() - checkedAt >= STREAM_CHECK_MS) {
        const current = await stream.ensure(this.streamReplicas);
        if (current.createdAt.getTime() !== createdAt.getTime()) throw new Error('the stream was rebuilt');
        if (((await stream.lastPosition(this.shard)) ?? position) < position)
          throw new Error('the stream lost its tail');
        checkedAt = Date.now();
      }
      const lookedAt = Date.now();
      const { facts, last, isAll } = await this.factsAfter(position);
      // Checked right before publishing: once later facts are on the stream, a gap before them could not be seen any more.
      if (this.session() !== session) throw new Error('the broker was away: it may have lost something');
      if (facts.length === 0) {
        this.behindSince = undefined;
        await this.pause.atMost(IDLE_MS);
        continue;
      }
      // Events that the stream has lost come without a wake.
      this.behindSince ??= lookedAt;
      await publishTraced(stream, facts, this.traces);
      this.announcements.announce(TRANSACTIONS_CHANGED, changesOf(facts));
      await this.moveCheckpoint(last, createdAt);
      position = last;
      this.position = position;
      // Unless the read was a full one, every event that is still missing came after it.
      if (isAll) this.behindSince = lookedAt;
    }
  }

  /** Changes each time the connection to the broker was lost. */
  private session(): string {
    const { server_id = '', client_id = '' } = this.connection.info ?? {};
    return `${server_id}:${client_id}`;
  }

  /** Keeps a checkpoint of this stream, and sets one of another stream back to the beginning of the log. */
  private async settleOn(createdAt: Date): Promise<void> {
    await this.database.$executeRaw`
      INSERT INTO relay_checkpoints AS checkpoint (shard, position, stream_created_at)
      VALUES (${this.shard}, 0, ${createdAt})
      ON CONFLICT (shard) DO UPDATE SET
        position = CASE
          WHEN checkpoint.stream_created_at IS NOT DISTINCT FROM excluded.stream_created_at THEN checkpoint.position
          ELSE 0
        END,
        stream_created_at = excluded.stream_created_at`;
  }

  /** Moves the checkpoint back to the stream's last fact, if it lies behind it. @returns the checkpoint */
  private async returnTo(last: number | undefined): Promise<number> {
    const [row] = await this.database.$queryRaw<{ position: bigint }[]>`
      UPDATE relay_checkpoints SET position = least(position, ${last ?? null}::bigint)
      WHERE shard = ${this.shard} RETURNING position`;
    return Number(row?.position ?? 0);
  }

  private factsAfter(position: number): Promise<FactsOfLog> {
    return factsAfter(this.database, this.shard, position, EVENTS_MAX);
  }

  /** Only forward, and only for the stream that was published to: a relay that was overtaken may get here late. */
  private async moveCheckpoint(position: number, createdAt: Date): Promise<void> {
    await this.database.$executeRaw`
      UPDATE relay_checkpoints SET position = ${position}
      WHERE shard = ${this.shard} AND stream_created_at = ${createdAt} AND position < ${position}`;
  }
}
