import { Transform, TransformCallback } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BodyShare } from './body-shares';
import { ChunkSizes } from '../http/chunk-sizes';

/** Over this long at least `PACE_BYTES_MIN` must arrive. */
export const PACE_WINDOW_MS = 5_000;
/** 16 KiB a second. */
export const PACE_BYTES_MIN = 80 * 1024;

/**
 * A body with documents on its way in: each chunk is counted against the merchant's share before it is kept, and a sender
 * that keeps its connection without sending is dropped: it is closed unanswered, as one that exceeds the server's own time for
 * a request. What the gateway itself has not read yet is not the sender's fault.
 */
export class ArrivingBody extends Transform {
  private readonly sizes = new ChunkSizes();
  private bytes = 0;
  /** In this window. */
  private arrived = 0;
  private readonly pace: NodeJS.Timeout;

  constructor(
    private readonly source: IncomingMessage,
    private readonly share: BodyShare,
    private readonly bytesMax: number,
  ) {
    super();
    this.pace = setInterval(() => this.requirePace(), PACE_WINDOW_MS);
    this.pace.unref();
    // A request that is refused by its head reads no body, and has no listener.
    this.on('error', () => undefined);
    const incomplete = (): void => {
      if (!source.complete) this.destroy(new Refusal('malformed_json'));
    };
    if (source.destroyed) process.nextTick(incomplete);
    else source.once('close', incomplete);
    source.pipe(this);
    share.onClose(() => this.discard());
  }

  /** The request is answered: what it has not read is not kept, so that its connection can go on. */
  private discard(): void {
    clearInterval(this.pace);
    if (this.readableEnded) return;
    this.source.unpipe(this);
    this.source.resume();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.sizes.add(chunk.length)) {
      this.source.socket.destroy();
      return;
    }
    this.arrived += chunk.length;
    this.bytes += chunk.length;
    try {
      if (this.bytes > this.bytesMax) throw new Refusal('payload_too_large');
      this.share.take(chunk.length);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    clearInterval(this.pace);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.pace);
    done(error);
  }

  private requirePace(): void {
    const isSlow = this.arrived < PACE_BYTES_MIN && this.readableLength === 0;
    this.arrived = 0;
    if (!isSlow) return;
    clearInterval(this.pace);
    this.source.socket.destroy();
  }
}
