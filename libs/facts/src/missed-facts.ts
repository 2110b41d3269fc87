/**
 * Facts that the stream no longer keeps, for a consumer that was away for longer (or whose database was): read from the
 * ledger's log, and handled before the consumer goes on with the stream.
 *
 * | phase   | reads                                      | writes                           | bounded by             |
 * |---------|--------------------------------------------|----------------------------------|------------------------|
 * | notice  | the consumer's stored progress, the first  | nothing                          | one row a shard        |
 * |         | message that the stream keeps              |                                  |                        |
 * | read    | the ledger's log, from the progress to     | nothing                          | a page of the ledger's |
 * |         | what was published, shard by shard         |                                  |                        |
 * | handle  | the page's facts of its movements          | what the handler does; a fact    | ATTEMPTS_MAX; without  |
 * |         |                                            | that fails by itself is parked   | end while it is away   |
 * | advance | what was published, the stream's last      | the progress, once the consumer  | every ADVANCE_MS       |
 * |         | message; the consumer's acknowledgements   | has acknowledged all of it       |                        |
 *
 * Facts are missing exactly when the stream begins after the message that follows the progress. Some of those read may have
 * been handled before: handlers recognise them. A consumer without progress is new, and has missed nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { FactProgress } from '@stablecoin/persistence/fact-progress';
import { ATTEMPTS_MAX, FactReceiver, RETRY_MS } from './fact-consumer';
import { isOutage, reasonOf } from './fact-handler';
import { DeliveredFact } from './fact-processor';

const ADVANCE_MS = 60_000;

/** A receiver that stores how far its consumer is. */
export interface ProgressingReceiver extends FactReceiver {
  progress(): Promise<FactProgress | undefined>;
  storeProgress(progress: FactProgress): Promise<void>;
}

export class MissedFacts {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly loop: BackgroundLoop;
  private catchingUp: Promise<boolean> | undefined;
  /** What will be the progress once the consumer has acknowledged all of it. */
  private next: FactProgress | undefined;

  constructor(
    private readonly stream: LedgerStream,
    private readonly receiver: ProgressingReceiver,
    private readonly ledger: Pick<BusClient, 'call'>,
    private readonly advanceMs = ADVANCE_MS,
  ) {
    this.log = new Logger(`MissedFacts ${receiver.durable}`);
    this.loop = new BackgroundLoop({
      firstPauseMs: advanceMs,
      pass: async () => {
        await this.advance();
        return this.advanceMs;
      },
      failed: (error) => {
        const isQuiet = isOutage(error) || this.stopping.signal.aborted;
        if (!isQuiet) this.log.warn(`progress is not stored: ${(error as Error).message}`);
        return this.advanceMs;
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await this.catchingUp?.catch(() => undefined);
  }

  /**
   * Handles what is missing on the stream. To be called before the stream is read.
   *
   * @returns whether anything was
   */
  catchUp(): Promise<boolean> {
    return (this.catchingUp ??= this.readMissing().finally(() => (this.catchingUp = undefined)));
  }

  /** Facts may expire while the consumer fails, so what is missing comes first: the progress must not pass it over. */
  private async advance(): Promise<void> {
    await this.catchUp();
    this.next ??= await this.published();
    if (!(await this.stream.hasAcknowledged(this.receiver.durable, this.next.sequence))) return;
    // What expires while it is asked for counts as acknowledged.
    if (await this.catchUp()) return;
    await this.receiver.storeProgress(this.next);
    this.next = undefined;
  }

  private async published(): Promise<FactProgress> {
    const positions = await this.ledger.call(listPublishedPositions, {});
    const { createdAt, last } = await this.stream.extent();
    return { streamCreatedAt: createdAt, sequence: last, positions };
  }

  private async readMissing(): Promise<boolean> {
    const had = await this.receiver.progress();
    if (!had) return false;
    const { createdAt, first } = await this.stream.extent();
    // A stream that was made anew is filled from the beginning of the log.
    const sequence = had.streamCreatedAt.getTime() === createdAt.getTime() ? had.sequence : 0;
    if (first <= sequence + 1) return false;
    this.log.warn({ msg: 'the stream lacks facts: reading them from the log', sequence, first });
    const positions = await this.ledger.call(listPublishedPositions, {});
    for (const { shard, position } of positions) {
      const after = had.positions.find((place) => place.shard === shard)?.position ?? 0;
      await this.readShard(shard, after, position);
    }
    await this.receiver.storeProgress({ streamCreatedAt: createdAt, sequence: first - 1, positions });
    this.next = undefined;
    this.log.log({ msg: 'the facts that the stream lacks are handled', positions });
    return true;
  }

  private async readShard(shard: number, after: number, end: number): Promise<void> {
    for (let from = after; from < end;) {
      const { facts, last } = await this.ledger.call(readFacts, { shard, after: from });
      if (last <= from) throw new Error(`the log of shard ${shard} ends at ${from}, though ${end} was published`);
      const { movements } = this.receiver;
      await this.handle(facts.filter(({ movement }) => movements.includes(movement)));
      from = last;
    }
  }

  private async handle(facts: readonly LedgerFact[]): Promise<void> {
    this.stopping.signal.throwIfAborted();
    if (facts.length === 0) return;
    const delivered = facts.map((fact): DeliveredFact => ({ fact, sealed: this.stream.seal(fact) }));
    try {
      await this.receiver.handle(delivered);
    } catch (error) {
      this.log.warn(`trying ${facts.length} facts one by one: ${reasonOf(error)}`);
      for (const each of delivered) await this.handleOrPark(each);
    }
  }

  /** Later facts wait meanwhile, since they may concern the same. */
  private async handleOrPark(delivered: DeliveredFact): Promise<void> {
    for (let attempts = 0; ;) {
      this.stopping.signal.throwIfAborted();
      try {
        await this.receiver.handle([delivered]);
        return;
      } catch (error) {
        if (!isOutage(error)) attempts += 1;
        if (attempts >= ATTEMPTS_MAX) {
          await this.receiver.park(delivered, { reason: reasonOf(error), attempts });
          return;
        }
      }
      await delay(RETRY_MS, undefined, { signal: this.stopping.signal });
    }
  }
}
