import { Writable } from 'node:stream';

/**
 * What several programs that run side by side print, one after the other: the first that has not ended is shown as it goes,
 * what the others print meanwhile is kept until it is their turn.
 */
export class OutputInOrder {
  private readonly shares: Share[] = [];

  constructor(private readonly target: Pick<Writable, 'write'>) {}

  /** The next one's. It has to be ended, or nothing after it is ever shown. */
  next(): Writable {
    const share = new Share(() => this.show());
    this.shares.push(share);
    return share;
  }

  private show(): void {
    for (let first = this.shares[0]; first !== undefined; first = this.shares[0]) {
      for (const chunk of first.kept.splice(0)) this.target.write(chunk);
      if (!first.hasEnded) return;
      this.shares.shift();
    }
  }
}

class Share extends Writable {
  readonly kept: Buffer[] = [];
  hasEnded = false;

  constructor(private readonly changed: () => void) {
    super({ decodeStrings: true });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.kept.push(chunk);
    this.changed();
    done();
  }

  override _final(done: () => void): void {
    this.hasEnded = true;
    this.changed();
    done();
  }
}
