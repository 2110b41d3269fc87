import { Writable } from 'node:stream';

/**
 * Shows the output of several concurrent programs one after the other: the output of the first that has not ended is
 * shown at once, that of the others is kept until all before them have ended.
 */
export class OutputInOrder {
  private readonly shares: Share[] = [];

  constructor(private readonly target: Pick<Writable, 'write'>) {}

  /** The stream of the next program. It must be ended, or no later output is ever shown. */
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
