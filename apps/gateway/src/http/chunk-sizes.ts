import { Transform, TransformCallback } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** So many chunks may be of any size. */
const CHUNKS_MIN = 2_000;
/** Beyond them a chunk must hold so much on average: each costs the parser about the same, whatever is in it. */
const MEAN_BYTES_MIN = 64;

/** Tells a body that comes in chunks of hardly anything, which costs a thousand times what its bytes do. */
export class ChunkSizes {
  private chunks = 0;
  private bytes = 0;

  /** Counts one chunk; false once they are too many for their bytes. */
  add(bytes: number): boolean {
    this.chunks += 1;
    this.bytes += bytes;
    return this.chunks <= CHUNKS_MIN || this.bytes >= this.chunks * MEAN_BYTES_MIN;
  }
}

/** A body with `transfer-encoding: chunked`. Its sender is dropped, unanswered, when its chunks are too small. */
export class ChunkedBody extends Transform {
  private readonly sizes = new ChunkSizes();

  constructor(private readonly source: IncomingMessage) {
    super();
    // A request that is refused by its head reads no body, and has no listener.
    this.on('error', () => undefined);
    const incomplete = (): void => {
      if (!source.complete) this.destroy(new Refusal('malformed_json'));
    };
    if (source.destroyed) process.nextTick(incomplete);
    else source.once('close', incomplete);
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.sizes.add(chunk.length)) done(null, chunk);
    else this.source.socket.destroy();
  }
}
