/** Breaks connections between services and servers, one after the other, while everything else goes on. */
import { setTimeout as delay } from 'node:timers/promises';
import { Drawing } from '@stablecoin/testing/drawing';
import { Recoveries } from '@stablecoin/testing/trial/recoveries';
import { Link } from '../stack/services';
import { Passage } from '@stablecoin/testing/tcp-proxy';

/** Longer than any process may take to notice that nothing arrives any more. */
const HALF_OPEN_MS = 20_000;
const SLOW_MS = 3_000;
const SLOWED_BY_MS = 250;
/** For every so many that are cut, one is half-opened and one is slowed down. */
const CUTS_PER_OTHER = 10;

export class ConnectionFaults {
  /** Connections cut; half-open and slow ones are not among them. */
  cuts = 0;
  private readonly lasting = new Set<Promise<void>>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly links: readonly Link[],
    private readonly recoveries: Recoveries,
    private readonly draw: Drawing,
  ) {}

  /** Spreads `total` cuts over `milliseconds`. Resolves when all are done, or soon after `stop`. */
  async run(total: number, milliseconds: number): Promise<void> {
    const every = milliseconds / Math.max(1, total);
    const startedAt = performance.now();
    while (this.cuts < total && !this.isStopped()) {
      await this.pause(startedAt + every * (this.cuts + this.draw.next()) - performance.now());
      if (this.isStopped() || !this.cut()) continue;
      if (this.cuts % CUTS_PER_OTHER === 3) this.last(this.halfOpen());
      if (this.cuts % CUTS_PER_OTHER === 7) this.last(this.slowDown());
    }
    await Promise.all(this.lasting);
  }

  stop(): void {
    this.stopped.abort();
  }

  private isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private cut(): boolean {
    const drawn = this.drawPassage();
    if (!drawn) return false;
    this.recoveries.beginMinor(`connection cut: ${drawn.name}`);
    drawn.passage.cut();
    this.cuts += 1;
    return true;
  }

  private async halfOpen(): Promise<void> {
    const drawn = this.drawPassage();
    if (!drawn) return;
    this.recoveries.beginMinor(`connection half-open: ${drawn.name}`);
    if (this.draw.next() < 0.5) drawn.passage.freeze();
    else drawn.passage.halve();
    await this.pause(HALF_OPEN_MS);
    drawn.passage.cut();
  }

  private async slowDown(): Promise<void> {
    const drawn = this.drawPassage();
    if (!drawn) return;
    this.recoveries.beginMinor(`connection slow: ${drawn.name}`);
    drawn.passage.slowDown(this.draw.between(SLOWED_BY_MS / 2, SLOWED_BY_MS * 2));
    await this.pause(SLOW_MS);
    drawn.passage.slowDown(0);
  }

  /** Of a link drawn first, so that the one connection to the broker is met as often as the many to the database. */
  private drawPassage(): { passage: Passage; name: string } | undefined {
    const open = this.links.filter(({ proxy }) => proxy.open().length > 0);
    if (open.length === 0) return undefined;
    const { service, server, proxy } = this.draw.oneOf(open);
    const name = `${service} to ${server === 'nats' ? 'broker' : 'database'}`;
    return { passage: this.draw.oneOf(proxy.open()), name };
  }

  private last(work: Promise<void>): void {
    const lasting = work.finally(() => this.lasting.delete(lasting));
    this.lasting.add(lasting);
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopped;
    // At least a little, so that a loop that finds nothing to cut leaves room for others.
    await delay(Math.max(10, milliseconds), undefined, { signal }).catch(() => undefined);
  }
}
