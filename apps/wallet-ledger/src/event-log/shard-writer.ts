/**
 * The one writer of a shard. Commands queue up while a batch is being committed; then the next batch goes through
 *
 * | phase   | reads                                      | writes                           | bounded by              |
 * |---------|--------------------------------------------|----------------------------------|-------------------------|
 * | take    | the queue, oldest first                    | refuses what would end too late  | QUEUE_MAX, BatchSize    |
 * | load    | `command_results`; wallets, transactions,  | memory (ShardCache)              | a query per table; the  |
 * |         | customers, policies and what they count,   |                                  | cache's limits          |
 * |         | as far as memory lacks them                |                                  |                         |
 * | decide  | memory                                     | memory: each decision is folded  | the batch               |
 * |         |                                            | in before the next command       |                         |
 * | commit  | the shard's head, under the lease's epoch  | one transaction: head, events,   | TRANSACTION_LIMITS      |
 * |         |                                            | command results, projections;    |                         |
 * |         |                                            | what payouts count for follows   |                         |
 * | answer  | nothing                                    | the replies; wakes the relay     | the batch               |
 *
 * A hot account costs no more than a cold one: no command waits for a row lock, and hundreds of commands share one commit.
 * A refusal changes nothing and is answered with its batch, because it may rest on other commands of the batch. So is a dry
 * run, which takes its turn in the queue like any command: its verdict is the one that the command would have had there.
 *
 * When AHEAD_MIN commands wait, the next batch is loaded and decided while the one before it is being committed. Memory is
 * then one batch ahead of the log; nothing of the second batch is written or answered before the first is known to be
 * committed. If the first fails, memory is thrown away and the second batch is decided again.
 *
 * A command whose deadline falls before the batch's expected end is refused: its caller would not see the answer, and its
 * place goes to a command whose caller will. The expected end is now plus the duration of the last batch. After a batch
 * that ran out of time the next ones are smaller, until they fit.
 *
 * When a commit's outcome is unknown, the writer reads the head's position and hash before it does anything else. When the
 * lease is lost, or the head is not as this writer left it, it answers `unavailable` to everything that waits and takes no
 * further command.
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
import { BatchDecider, BatchDeciderOptions, Decided, Submission, Waiting } from './batch-decider';
import { BatchSize } from './batch-size';
import { beginBatchSpan } from './batch-span';
import { askedBy } from '../callers/asked-by';
import { Head, LeaseLost } from './lease';
import { HeadChanged, ShardLog } from './shard-log';
import { UsageCounts } from './usage-counts';

const BATCH_MAX = 1_000;
/** Some seconds' work; a command that waits longer is mostly refused by its deadline. */
const QUEUE_MAX = 5_000;
/** So many commands are worth a batch of their own while another is being committed; fewer wait and share the next one. */
const AHEAD_MIN = 256;

interface Failure {
  error: unknown;
}

interface UnderWay {
  batch: Waiting[];
  decided: Promise<Settled<Decided>>;
  failure: Promise<Failure | undefined>;
}

export interface ShardWriterOptions extends Omit<BatchDeciderOptions, 'counts'> {
  onCommit: () => void;
  /** With the reason: `HeadChanged` when it was not another instance. */
  onLeaseLost: (reason: LeaseLost) => void;
  /** Left out on a log that the ledger's key doesn't vouch for. */
  signHead?: (head: Head) => Buffer;
}

export class ShardWriter {
  private readonly log: Logger;
  private readonly labels: { shard: string };
  private readonly queue: Waiting[] = [];
  private readonly inFlight = new Set<string>();
  private readonly shardLog: ShardLog;
  private readonly decider: BatchDecider;
  private readonly counts: UsageCounts;
  private closed = false;
  private busy = false;
  private readonly batchSize = new BatchSize(BATCH_MAX);
  /** How long the last committed batch took, from its start or the end of the batch before it, to its answers. */
  private lastBatchMs = 0;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly options: ShardWriterOptions) {
    const { database, lease, head, signHead } = options;
    this.log = new Logger(`ShardWriter ${lease.shard}`);
    this.counts = new UsageCounts(database, lease, head.position);
    this.shardLog = new ShardLog(database, lease, head, this.log, this.counts, signHead);
    this.decider = new BatchDecider({ ...options, counts: this.counts }, this.log);
    this.labels = { shard: String(lease.shard) };
    initializeSeries('ledger_batches_failed_total', {
      shard: [this.labels.shard],
      reason: ['lease_lost', 'head_changed', 'outage', 'bug'],
    });
  }

  /**
   * Resolves when the command has been committed, or had been before.
   *
   * @throws Refusal by the ledger's rules; `idempotency_in_flight`, `idempotency_key_reused`; `unavailable` when the
   *   outcome is unknown, or when nothing was done because the queue is full or its deadline is too near
   */
  submit<Result>(submission: Submission<Result>): Promise<CommandReply<Result>> {
    const { command_id } = submission.request;
    if (this.closed || this.queue.length >= QUEUE_MAX) return Promise.reject(new Refusal('unavailable'));
    if (this.inFlight.has(command_id)) return Promise.reject(new Refusal('idempotency_in_flight'));
    this.inFlight.add(command_id);
    return this.enqueue(submission);
  }

  /**
   * The answer that `submit` would give at this moment, and nothing is written. `replayed` when the command took effect
   * before: then it is the stored result.
   *
   * @throws Refusal as `submit`; never `idempotency_in_flight`, since nothing can happen twice
   */
  dryRun<Result>(submission: Submission<Result>): Promise<CommandReply<Result>> {
    if (this.closed || this.queue.length >= QUEUE_MAX) return Promise.reject(new Refusal('unavailable'));
    return this.enqueue({ ...submission, isDryRun: true });
  }

  private enqueue<Result>(submission: Submission<Result>): Promise<CommandReply<Result>> {
    const { deadline, caller } = currentRequest() ?? freshRequestContext();
    return new Promise((answer, refuse) => {
      this.queue.push({
        submission,
        deadline,
        since: performance.now(),
        span: currentSpan(),
        askedBy: caller && askedBy(caller),
        answer: (reply) => answer(reply as CommandReply<Result>),
        refuse,
      });
      // This work serves every request that arrives while it lasts, so it runs in no request's context.
      if (!this.busy) this.working = withoutRequest(() => outsideOfTraces(() => this.workOff()));
    });
  }

  /** For the metrics: what waits, and where the log ends. */
  get figures(): { queued: number; oldestWaitMs: number; position: number } {
    const [oldest] = this.queue;
    const oldestWaitMs = oldest ? performance.now() - oldest.since : 0;
    return { queued: this.queue.length, oldestWaitMs, position: this.shardLog.head.position };
  }

  /** Takes no further command and waits until all that were taken are answered, and what they count for is written. */
  async close(): Promise<void> {
    this.closed = true;
    await this.working;
    await this.counts.close();
  }

  private async workOff(): Promise<void> {
    this.busy = true;
    // Commands that arrive in this turn of the event loop go into the first batch.
    await new Promise(setImmediate);
    let before: UnderWay | undefined;
    for (;;) {
      // Batches are decided one after the other; only the commit runs beside a decision.
      const ahead = await before?.decided;
      if (before && (this.queue.length < AHEAD_MIN || this.decider.isFull())) {
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

  /** Decides a batch while the one before it is being committed, and begins its commit once that one has succeeded. */
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

  /** The oldest commands of the queue, without those whose deadline falls before the batch's expected end. */
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
    // Else one batch that took longer than any deadline would have every later command refused.
    if (batch.length === 0) this.lastBatchMs = 0;
    return batch;
  }

  private async measured(commit: Promise<Failure | undefined>): Promise<Failure | undefined> {
    const startedAt = Date.now();
    const failure = await commit;
    // The duration of a failed batch is that of an outage, and predicts nothing.
    if (!failure) this.lastBatchMs = Date.now() - startedAt;
    return failure;
  }

  /** Commits a batch and answers it. @returns the failure if it was not committed; its commands are not answered then */
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
   * Waits for the batch under way. If it failed, throws memory away, after the decision that rests on it has ended, and
   * answers the batch.
   *
   * @param ahead the decision on the next batch, which rests on the one under way
   * @returns whether it was committed, so that the decision ahead holds
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
    for (const { submission } of batch) if (!submission.isDryRun) this.inFlight.delete(submission.request.command_id);
    answers.forEach((answer) => answer());
  }

  /** A bug, or a constraint of the database, may concern one command alone: then each is tried in a batch of its own. */
  private async failed(batch: Waiting[], error: unknown): Promise<(() => void)[]> {
    const reason = reasonOf(error);
    instruments.ledger_batches_failed_total.inc({ ...this.labels, reason });
    if (error instanceof LeaseLost) {
      this.closed = true;
      this.options.onLeaseLost(error);
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
  batch.map((waiting) => () => waiting.refuse(refusal));

function transactionsOf(outcome: Settled<Decided> | undefined): Transaction[] {
  if (!outcome || 'error' in outcome) return [];
  const { openedTransactions, movedTransactions } = outcome.value.batch.changes;
  return [...openedTransactions, ...movedTransactions];
}

function reasonOf(error: unknown): 'head_changed' | 'lease_lost' | 'outage' | 'bug' {
  if (error instanceof HeadChanged) return 'head_changed';
  if (error instanceof LeaseLost) return 'lease_lost';
  return isOutage(error) ? 'outage' : 'bug';
}

function isOutage(error: unknown): boolean {
  const { kind } = databaseFailure(error);
  return kind === 'unknown' || kind === 'retry';
}
