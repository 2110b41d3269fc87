/**
 * Sends the newest checkpoint of one shard to one witness, with the proof that it extends what the witness has. One publisher
 * for each shard and witness, beside everything else: a witness that hangs or is away holds up neither the writer, nor the
 * checkpointer, nor another witness.
 *
 * | phase  | asks                                                  | bounded by                                    |
 * |--------|-------------------------------------------------------|-----------------------------------------------|
 * | offer  | nothing: the checkpointer says what it stands for     | the newest is kept, older ones are covered    |
 * | prove  | the tree's nodes, from the size that the witness has  | some tiles, by one connection at a time       |
 * | submit | the witness                                           | ANSWER_MS; other_size at most ATTEMPTS        |
 * | wait   | nothing                                               | RETRY_MS, doubled up to RETRY_MS_MAX          |
 *
 * A witness that refuses, or that has seen more than the log now has, says that the log was rewritten or set back: an error in the
 * log of this service, `WitnessRefused`, and tried again, since only an operator can tell a restore from a forgery.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { consistencyPath } from '@stablecoin/event-proofs/tree-proofs';
import { logTiles } from '@stablecoin/ledger-store/checkpoints/log-tiles';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { Witness, WitnessAnswer } from '@stablecoin/witness/witness';
import { SoundCheckpoint } from './checkpointer';

/** It names its size once; a second time another instance was quicker. */
const ATTEMPTS = 4;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
/** Between offers, which wake it. */
const IDLE_MS = 600_000;
/** A directory may hang as a server does. */
const ANSWER_MS = 10_000;
/** A process that ends waits no longer for its last publication. */
const LAST_MS = 1_000;

export interface WitnessPublisherOptions {
  database: LedgerReads;
  shard: number;
  witness: Witness;
  retryMs?: number;
}

class Refused extends Error {}

export class WitnessPublisher {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly loop: BackgroundLoop;
  private newest: SoundCheckpoint | undefined;
  /** Of the checkpoint that the witness has, as far as this instance knows. */
  private known = 0;
  private published: SoundCheckpoint | undefined;
  private retryMs: number;
  /** Since when the witness has lacked a checkpoint, on the monotonic clock. */
  private behindSince: number | undefined;

  constructor(private readonly options: WitnessPublisherOptions) {
    this.log = new Logger(`Witness of shard ${options.shard}`);
    this.retryMs = this.firstRetryMs;
    this.loop = new BackgroundLoop({
      pass: async () => {
        await this.publish();
        return IDLE_MS;
      },
      failed: (error) => this.failed(error),
      firstPauseMs: IDLE_MS,
    });
  }

  get witness(): string {
    return this.options.witness.name;
  }

  get behindMs(): number {
    return this.behindSince === undefined ? 0 : performance.now() - this.behindSince;
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
  }

  /** Takes no time: it is published beside the caller. */
  offer(checkpoint: SoundCheckpoint): void {
    if (checkpoint.note === this.newest?.note) return;
    this.newest = checkpoint;
    this.behindSince ??= performance.now();
    this.loop.wake();
  }

  /** When the shard is given up: what was signed last, if there is time. */
  async publishLast(): Promise<void> {
    const pause = new AbortController();
    const published = this.publish().catch(() => undefined);
    await Promise.race([published, delay(LAST_MS, undefined, { signal: pause.signal }).catch(() => undefined)]);
    pause.abort();
  }

  private async publish(): Promise<void> {
    const { newest } = this;
    if (!newest || newest.note === this.published?.note) return;
    await this.submit(newest);
    this.published = newest;
    this.known = newest.size;
    this.retryMs = this.firstRetryMs;
    if (this.newest?.note === newest.note) this.behindSince = undefined;
    instruments.ledger_witness_publications_total.inc({ witness: this.witness, outcome: 'taken' });
  }

  private async submit({ size, note }: SoundCheckpoint): Promise<void> {
    const { database, shard, witness } = this.options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (this.known > size) {
        // This instance's knowledge may be of before an operator let the log begin anew.
        const seen = this.known;
        this.known = 0;
        throw new Refused(`it has seen ${seen} events, but the log was signed at ${size}`);
      }
      const path = await consistencyPath(logTiles(database, shard, size), this.known, size);
      const answered = await this.inTime(witness.submit({ oldSize: this.known, path, note }));
      switch (answered.answer) {
        case 'taken':
          return;
        case 'other_size':
          this.known = answered.size;
          break;
        case 'refused':
          this.known = 0;
          throw new Refused(answered.problem);
        default:
          answered satisfies never;
      }
    }
    throw new Error('it names another size each time');
  }

  private async inTime(answer: Promise<WitnessAnswer>): Promise<WitnessAnswer> {
    const pause = new AbortController();
    const signal = AbortSignal.any([pause.signal, this.stopping.signal]);
    const late = delay(ANSWER_MS, undefined, { signal }).then(
      () => Promise.reject(new Error(`it has not answered within ${ANSWER_MS} ms`)),
      () => Promise.reject(new Error('the shard is given up')),
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      pause.abort();
    }
  }

  /** @returns the pause before the next attempt */
  private failed(error: unknown): number {
    const { message } = error as Error;
    const [witness, shard] = [this.witness, this.options.shard];
    const outcome = error instanceof Refused ? 'refused' : 'failed';
    instruments.ledger_witness_publications_total.inc({ witness, outcome });
    if (outcome === 'refused') this.log.error({ msg: 'a witness refuses the log', shard, witness, problem: message });
    else this.log.warn({ msg: 'a witness was not reached', shard, witness, problem: message });
    const pause = this.retryMs;
    this.retryMs = Math.min(this.retryMs * 2, RETRY_MS_MAX);
    return pause;
  }

  private get firstRetryMs(): number {
    return this.options.retryMs ?? RETRY_MS;
  }
}
