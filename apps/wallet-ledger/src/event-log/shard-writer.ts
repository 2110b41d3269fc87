/**
 * The one writer of a shard. Commands queue up while a batch is being committed; then
 *
 *   take what has arrived (bounded) → load results and accounts not cached → decide each in order, in memory
 *   → one transaction: events, results, projections → answer
 *
 * So a hot account costs no more than a cold one: nobody waits for a row lock, and hundreds of commands share one
 * commit. A refusal changes nothing and is answered with the batch, because it may rest on the batch's other commands.
 *
 * When many wait, the next batch is decided while the one before is being committed: memory is then one batch ahead
 * of the log, and nothing of the second batch is written or answered before the first is known to be committed. Where
 * it wasn't, memory is thrown away and the second batch is decided anew.
 *
 * Whose deadline passes before the batch can be answered, by how long the last one took, is refused when its turn comes:
 * nobody waits for it any more, and room is for those who do. A batch that ran out of time is followed by smaller ones,
 * until they fit.
 *
 * When a commit's outcome is unknown, the head's position and hash tell, before anything else happens. When the lease
 * is lost, everything waiting is answered `unavailable` and the writer is done.
 */
import { Logger } from '@nestjs/common';
import { settled, Settled } from '@stablecoin/background-work/settled';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { currentRequest, freshRequestContext, withoutRequest } from '@stablecoin/messaging/request-context';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { secondsSince } from '@stablecoin/telemetry/metrics/seconds-since';
import { currentSpan, outsideOfTraces, within } from '@stablecoin/telemetry/traces/tracing';
import { LeaseLost } from './append';
import { BatchDecider, BatchDeciderOptions, Decided, Submission, Waiting } from './batch-decider';
import { BatchSize } from './batch-size';
import { beginBatchSpan } from './batch-span';
import { ShardLog } from './shard-log';

const MAX_BATCH = 1_000;
/** Some seconds' work; most of what waits longer is told so when its turn comes, by its deadline. */
const MAX_QUEUE = 5_000;
/** So many waiting are worth a batch of their own while another is being committed; fewer share the next one. */
const MIN_AHEAD = 256;

interface Failure {
  error: unknown;
}

interface UnderWay {
  batch: Waiting[];
  decided: Promise<Settled<Decided>>;
  failure: Promise<Failure | undefined>;
}

export interface ShardWriterOptions extends BatchDeciderOptions {
  onCommit: () => void;
  onLeaseLost: () => void;
}

export class ShardWriter {
  private readonly log: Logger;
  private readonly labels: { shard: string };
  private readonly queue: Waiting[] = [];
  private readonly inFlight = new Set<string>();
  private readonly shardLog: ShardLog;
  private readonly decider: BatchDecider;
  private closed = false;
  private busy = false;
  private readonly batchSize = new BatchSize(MAX_BATCH);
  /** From when it was taken from the queue until it was answered. */
  private lastBatchMs = 0;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly options: ShardWriterOptions) {
    const { database, lease, head } = options;
    this.log = new Logger(`ShardWriter ${lease.shard}`);
    this.shardLog = new ShardLog(database, lease, head, this.log);
    this.decider = new BatchDecider(options, this.log);
    this.labels = { shard: String(lease.shard) };
    initializeSeries('ledger_batches_failed_total', {
      shard: [this.labels.shard],
      reason: ['lease_lost', 'outage', 'bug'],
    });
  }

  /**
   * Resolves when the command has been committed, or had been before.
   *
   * @throws Refusal by the ledger's rules; `idempotency_in_flight`, `idempotency_key_reused`; `unavailable` when the
   *   outcome is unknown or nothing was done, as too much waits or its turn comes too late
   */
  submit<Result>(submission: Submission<Result>): Promise<CommandReply<Result>> {
    const { command_id } = submission.request;
    if (this.closed || this.queue.length >= MAX_QUEUE) return Promise.reject(new Refusal('unavailable'));
    if (this.inFlight.has(command_id)) return Promise.reject(new Refusal('idempotency_in_flight'));
    this.inFlight.add(command_id);
    const { deadline } = currentRequest() ?? freshRequestContext();
    return new Promise((answer, refuse) => {
      this.queue.push({
        submission,
        deadline,
        since: performance.now(),
        span: currentSpan(),
        answer: (reply) => answer(reply as CommandReply<Result>),
        refuse,
      });
      // Of all requests that come while it lasts, and so of none.
      if (!this.busy) this.working = withoutRequest(() => outsideOfTraces(() => this.workOff()));
    });
  }

  /** How it stands with the writer: what waits for it, and where the log ends. */
  get figures(): { queued: number; oldestWaitMs: number; position: number } {
    const [oldest] = this.queue;
    const oldestWaitMs = oldest ? performance.now() - oldest.since : 0;
    return { queued: this.queue.length, oldestWaitMs, position: this.shardLog.head.position };
  }

  /** Takes no further command and waits until those that were taken are answered. */
  async close(): Promise<void> {
    this.closed = true;
    await this.working;
  }

  private async workOff(): Promise<void> {
    this.busy = true;
    // Whatever arrives in this turn of the event loop goes into the first batch.
    await new Promise(setImmediate);
    let before: UnderWay | undefined;
    for (;;) {
      // Decisions are taken one after the other; what goes on beside them is the commit.
      const ahead = await before?.decided;
      if (before && (this.queue.length < MIN_AHEAD || this.decider.isFull())) {
        await this.settle(before);
        before = undefined;
      }
      if (this.queue.length === 0) break;
      this.decider.makeRoom(before && transactionsOf(ahead));
      const batch = this.takeBatch();
      if (batch.length === 0) continue;
      before = await this.begin(batch, before);
    }
    this.busy = false;
  }

  /** Decides a batch while the one before is being committed, and begins to commit it once that is known to be. */
  private async begin(batch: Waiting[], before: UnderWay | undefined): Promise<UnderWay> {
    const span = beginBatchSpan(
      this.options.lease.shard,
      batch.map((waiting) => waiting.span),
    );
    const decide = () => settled(within(span, () => this.decider.decide(batch)));
    let decided = decide();
    if (before && !(await this.settle(before, decided))) decided = decide();
    const failure = within(span, () => this.measured(this.commit(batch, decided))).finally(() => span?.end());
    return { batch, decided, failure };
  }

  /** The next in the queue, oldest first, less those who would not hear of it in time. */
  private takeBatch(): Waiting[] {
    const answeredAt = Date.now() + this.lastBatchMs;
    const batch: Waiting[] = [];
    let taken = 0;
    while (batch.length < this.batchSize.current && taken < this.queue.length) {
      const waiting = this.queue[taken++] as Waiting;
      if (waiting.deadline > answeredAt) batch.push(waiting);
      else this.answer([waiting], [() => waiting.refuse(new Refusal('unavailable'))]);
    }
    this.queue.splice(0, taken);
    // One that took longer than anybody waits must not be the measure for ever.
    if (batch.length === 0) this.lastBatchMs = 0;
    return batch;
  }

  private async measured(commit: Promise<Failure | undefined>): Promise<Failure | undefined> {
    const startedAt = Date.now();
    const failure = await commit;
    // How long an outage lasted says nothing of the next batch.
    if (!failure) this.lastBatchMs = Date.now() - startedAt;
    return failure;
  }

  /** Commits a batch and answers it. @returns why nothing is known to be committed, if so; nobody is answered then */
  private async commit(batch: Waiting[], decided: Promise<Settled<Decided>>): Promise<Failure | undefined> {
    const outcome = await decided;
    if ('error' in outcome) return outcome;
    const startedAt = performance.now();
    try {
      await this.write(outcome.value);
    } catch (error) {
      return { error };
    }
    this.batchSize.grow();
    instruments.ledger_commit_duration_seconds.observe(this.labels, secondsSince(startedAt));
    instruments.ledger_batch_commands.observe(this.labels, batch.length);
    this.answer(batch, outcome.value.answers);
    return undefined;
  }

  /**
   * Waits for the batch under way. Where it failed, memory is thrown away, once nobody decides on it any more, and
   * the batch is answered what is known.
   *
   * @param ahead the decision on the next batch, which rests on the one under way
   * @returns whether it was committed, so that what was decided ahead holds
   */
  private async settle({ batch, failure }: UnderWay, ahead?: Promise<unknown>): Promise<boolean> {
    const failed = await failure;
    if (!failed) return true;
    await ahead;
    this.decider.forget(this.shardLog.head);
    this.answer(batch, await this.failed(batch, failed.error));
    return false;
  }

  private async write({ batch, prepared }: Decided): Promise<void> {
    if (await this.shardLog.write(batch, prepared)) this.options.onCommit();
  }

  private answer(batch: Waiting[], answers: readonly (() => void)[]): void {
    batch.forEach(({ submission }) => this.inFlight.delete(submission.request.command_id));
    answers.forEach((answer) => answer());
  }

  /** Where a bug, or a constraint of the database, may be one command's alone, the others are tried without it. */
  private async failed(batch: Waiting[], error: unknown): Promise<(() => void)[]> {
    const reason = error instanceof LeaseLost ? 'lease_lost' : isOutage(error) ? 'outage' : 'bug';
    instruments.ledger_batches_failed_total.inc({ ...this.labels, reason });
    if (error instanceof LeaseLost) {
      this.closed = true;
      this.options.onLeaseLost();
    } else if (isOutage(error)) {
      this.batchSize.shrink(batch.length);
      this.log.warn(`a batch of ${batch.length} commands was not committed: ${(error as Error).message}`);
    } else {
      this.log.error({ msg: `a batch of ${batch.length} commands failed`, err: error });
      return batch.length > 1 ? this.commitOneByOne(batch) : refusals(batch, error as Error);
    }
    return refusals(batch, new Refusal('unavailable'));
  }

  private async commitOneByOne(batch: Waiting[]): Promise<(() => void)[]> {
    const answers: (() => void)[] = [];
    for (const waiting of batch) {
      try {
        const decided = await this.decider.decide([waiting]);
        await this.write(decided);
        answers.push(...decided.answers);
      } catch (error) {
        this.decider.forget(this.shardLog.head);
        answers.push(...(await this.failed([waiting], error)));
      }
    }
    return answers;
  }
}

const refusals = (batch: Waiting[], refusal: Error): (() => void)[] =>
  batch.map(
    ({ refuse }) =>
      () =>
        refuse(refusal),
  );

function transactionsOf(outcome: Settled<Decided> | undefined): Transaction[] {
  if (!outcome || 'error' in outcome) return [];
  const { openedTransactions, movedTransactions } = outcome.value.batch.changes;
  return [...openedTransactions, ...movedTransactions];
}

function isOutage(error: unknown): boolean {
  const { kind } = databaseFailure(error);
  return kind === 'unknown' || kind === 'retry';
}
