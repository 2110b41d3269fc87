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
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { decide, DecisionContext } from '@stablecoin/ledger-domain/decide';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { EventGroup, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerRejection } from '@stablecoin/ledger-domain/ledger-rejection';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { projectionChanges } from '@stablecoin/ledger-store/projections/project';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { currentRequest, freshRequestContext, withoutRequest } from '@stablecoin/messaging/request-context';
import { beginAtZero, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { RememberedTraces } from '@stablecoin/telemetry/traces/remembered-traces';
import { currentSpan, OpenSpan, outsideOfTraces, within } from '@stablecoin/telemetry/traces/tracing';
import { append, Batch, LeaseLost, prepareAppend, PreparedAppend, StoredResult } from './append';
import { BatchSize } from './batch-size';
import { beginBatchSpan } from './batch-span';
import { Head, headPosition, Lease, settledHead } from './lease';
import { ShardCache } from './shard-cache';

const MAX_BATCH = 1_000;
/** Some seconds' work; most of what waits longer is told so when its turn comes, by its deadline. */
const MAX_QUEUE = 5_000;
/** So many waiting are worth a batch of their own while another is being committed; fewer share the next one. */
const MIN_AHEAD = 256;
const DECIDED_AT_ONCE = 50;
const LOOK_UP_PAUSE_MS = 200;

/** A command on its way, with how its result is read off the ledger right after its first group of events. */
export interface Submission<Result> {
  request: MerchantCommand;
  command: LedgerCommand;
  result: (ledger: LedgerView) => Result;
}

/** A batch as it stands in memory, not yet in the log. */
interface Decided {
  batch: Batch;
  prepared: PreparedAppend;
  /** What everybody in the batch is told once it is committed. */
  answers: (() => void)[];
}

interface Failure {
  error: unknown;
}

/** A batch while it is being decided. */
interface Run {
  cache: ShardCache;
  recorded_at: string;
  events: RecordedEvent[];
  results: StoredResult[];
}

type Settled<Value> = { value: Value } | Failure;

interface UnderWay {
  batch: Waiting[];
  decided: Promise<Settled<Decided>>;
  failure: Promise<Failure | undefined>;
}

interface Waiting {
  submission: Submission<unknown>;
  /** Epoch milliseconds. */
  deadline: number;
  /** On the monotonic clock. */
  since: number;
  /** The request's, if it is traced. */
  span: OpenSpan | undefined;
  answer: (reply: CommandReply<unknown>) => void;
  refuse: (refusal: Error) => void;
}

export interface ShardWriterOptions {
  database: LedgerDatabase;
  lease: Lease;
  head: Head;
  /** Of the last event, so that recorded times never run backwards. */
  lastRecordedAt: string;
  deriveAddress: DecisionContext['deriveAddress'];
  now: () => Date;
  onCommit: () => void;
  onLeaseLost: () => void;
  /** Whose trace each fact is part of, by its position: for whoever publishes it. */
  traces?: RememberedTraces<number>;
}

export class ShardWriter {
  private readonly log: Logger;
  private readonly labels: { shard: string };
  private readonly queue: Waiting[] = [];
  private readonly inFlight = new Set<string>();
  /** The end of the log. */
  private head: Head;
  /** The end of the log once all that has been decided is committed. */
  private tip: Head;
  private lastRecordedAt: string;
  private cache: ShardCache | undefined;
  private closed = false;
  private busy = false;
  private readonly batchSize = new BatchSize(MAX_BATCH);
  /** From when it was taken from the queue until it was answered. */
  private lastBatchMs = 0;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly options: ShardWriterOptions) {
    this.log = new Logger(`ShardWriter ${options.lease.shard}`);
    this.labels = { shard: String(options.lease.shard) };
    beginAtZero('ledger_batches_failed_total', {
      shard: [this.labels.shard],
      reason: ['lease_lost', 'outage', 'bug'],
    });
    this.head = options.head;
    this.tip = options.head;
    this.lastRecordedAt = options.lastRecordedAt;
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
    return { queued: this.queue.length, oldestWaitMs, position: this.head.position };
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
      if (before && (this.queue.length < MIN_AHEAD || this.cache?.isFull())) {
        await this.settle(before);
        before = undefined;
      }
      if (this.queue.length === 0) break;
      // Not while a batch is under way: what it changed is not yet in the tables that it would be loaded from again.
      if (!before) this.cache?.trim();
      this.cache?.trimTransactions(before ? transactionsOf(ahead) : []);
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
    const decide = () => settled(within(span, () => this.decideOn(batch)));
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

  /** Loads what the batch needs and decides it in memory, ahead of the log. */
  private async decideOn(batch: Waiting[]): Promise<Decided> {
    const startedAt = performance.now();
    const { database, lease } = this.options;
    const stored = await this.findResults(batch);
    const fresh = batch.filter(({ submission }) => !stored.has(submission.request.command_id));
    const cache = (this.cache ??= await ShardCache.load(database, lease.shard));
    await cache.prepare(
      database,
      fresh.map(({ submission }) => submission.command),
    );
    const decided = await this.decideAll(cache, fresh);
    const prepared = await prepareAppend(this.tip, decided.batch);
    this.tip = prepared.after;
    instruments.ledger_decide_duration_seconds.observe(this.labels, secondsSince(startedAt));
    return {
      batch: decided.batch,
      prepared,
      answers: [...batch.flatMap((waiting) => replayed(waiting, stored)), ...decided.answers],
    };
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
    this.forget();
    this.answer(batch, await this.failed(batch, failed.error));
    return false;
  }

  private answer(batch: Waiting[], answers: readonly (() => void)[]): void {
    batch.forEach(({ submission }) => this.inFlight.delete(submission.request.command_id));
    answers.forEach((answer) => answer());
  }

  private async findResults(batch: Waiting[]): Promise<Map<string, StoredResult>> {
    const ids = batch.map(({ submission }) => submission.request.command_id);
    const rows = await this.options.database.$queryRaw<StoredResult[]>`
      SELECT command_id::text, merchant_id::text, input_hash, result
      FROM command_results WHERE command_id = ANY (${arrayColumn(ids)}::uuid[])`;
    return new Map(rows.map((row) => [row.command_id, row]));
  }

  /**
   * Every command in its turn, each seeing what those before it did. A few at a time: in between, the commit under way
   * gets its next statement sent, for which the database would otherwise wait until all are decided.
   */
  private async decideAll(cache: ShardCache, waiting: Waiting[]): Promise<{ batch: Batch; answers: (() => void)[] }> {
    const run: Run = { cache, recorded_at: this.recordedAt(), events: [], results: [] };
    const answers: (() => void)[] = [];
    for (const [index, one] of waiting.entries()) {
      if (index % DECIDED_AT_ONCE === DECIDED_AT_ONCE - 1) await new Promise(setImmediate);
      answers.push(this.decideOne(one, run));
    }
    const { events, results } = run;
    return { batch: { events, results, changes: projectionChanges(events, cache.state) }, answers };
  }

  /** @returns what the caller is told once the batch is committed */
  private decideOne(waiting: Waiting, run: Run): () => void {
    const { answer, refuse } = waiting;
    const { request } = waiting.submission;
    const { objection } = request;
    if (objection) return () => refuse(new Refusal(objection));
    const groups = this.decide(waiting.submission.command, run);
    if (groups instanceof Error) return () => refuse(groups);
    const result = this.apply(groups, waiting, run);
    const { command_id, merchant_id, input_hash } = request;
    run.results.push({ command_id, merchant_id, input_hash, result: JSON.stringify(result) });
    return () => answer({ result, replayed: false });
  }

  /** Deciding changes nothing: whatever it throws is the answer to this command alone, and the batch goes on. */
  private decide(command: LedgerCommand, { cache, recorded_at: recordedAt, events }: Run): EventGroup[] | Error {
    const { lease, deriveAddress } = this.options;
    const nextPosition = this.tip.position + events.length + 1;
    try {
      return decide(command, cache.state, { shard: lease.shard, nextPosition, recordedAt, deriveAddress });
    } catch (error) {
      if (error instanceof LedgerRejection) return refusalOf(error);
      this.log.error({ msg: `${command.kind} could not be decided`, err: error });
      return error as Error;
    }
  }

  /** Gives the groups their place in the log and folds them in; the result shows the ledger after the first of them. */
  private apply(groups: EventGroup[], { submission, span }: Waiting, run: Run): unknown {
    const { request, result: resultOf } = submission;
    const { cache, events, recorded_at } = run;
    let result: unknown;
    if (groups.length === 0) result = resultOf(cache.state);
    groups.forEach(({ movement, merchant_id, customer_id, events: members }, index) => {
      const group = this.tip.position + events.length + 1;
      members.forEach((event, offset) => {
        // In the order of the canonical text, which is then not to be sorted.
        const recorded: RecordedEvent = {
          command_id: request.command_id,
          customer_id,
          event,
          group,
          merchant_id,
          movement,
          position: group + offset,
          recorded_at,
          shard: this.options.lease.shard,
        };
        events.push(recorded);
        cache.state.apply(recorded);
      });
      // A fact bears the position of its group's last event.
      this.options.traces?.remember(group + members.length - 1, span?.traceparent);
      if (index === 0) result = resultOf(cache.state);
    });
    return result;
  }

  /**
   * Refusals alone write nothing that would check the lease: a writer that was overtaken must not refuse on what it
   * remembers.
   */
  private async assertHeadUnmoved(): Promise<void> {
    const { database, lease } = this.options;
    const position = await headPosition(database, lease);
    if (position !== this.head.position) throw new LeaseLost(`shard ${lease.shard} has another holder`);
  }

  private async write({ batch, prepared }: Omit<Decided, 'answers'>): Promise<void> {
    const { database, lease } = this.options;
    if (batch.results.length === 0) return this.assertHeadUnmoved();
    try {
      await append(database, lease, prepared, batch);
    } catch (error) {
      if (error instanceof LeaseLost || databaseFailure(error).kind !== 'unknown') throw error;
      // Without events the head tells nothing; nothing has changed either, so it can be asked for again.
      if (batch.events.length === 0 || !(await this.wasCommitted(prepared.after))) throw error;
    }
    this.head = prepared.after;
    this.options.onCommit();
  }

  /** Asks until the database answers: nothing else may be written before this is known. */
  private async wasCommitted(head: Head): Promise<boolean> {
    const { database, lease } = this.options;
    this.log.warn({ msg: 'the outcome of an append is unknown: looking it up', position: head.position });
    for (;;) {
      try {
        const found = await settledHead(database, lease);
        if (!found) throw new LeaseLost(`shard ${lease.shard} has another holder`);
        return found.position === head.position && found.hash.equals(head.hash);
      } catch (error) {
        if (error instanceof LeaseLost || databaseFailure(error).kind === 'bug') throw error;
        await delay(LOOK_UP_PAUSE_MS);
      }
    }
  }

  /** What was decided is not in the log: memory is thrown away. */
  private forget(): void {
    this.cache = undefined;
    this.tip = this.head;
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
      return batch.length > 1
        ? this.commitOneByOne(batch)
        : batch.map(
            ({ refuse }) =>
              () =>
                refuse(error as Error),
          );
    }
    return batch.map(
      ({ refuse }) =>
        () =>
          refuse(new Refusal('unavailable')),
    );
  }

  private async commitOneByOne(batch: Waiting[]): Promise<(() => void)[]> {
    const answers: (() => void)[] = [];
    for (const waiting of batch) {
      try {
        const decided = await this.decideOn([waiting]);
        await this.write(decided);
        answers.push(...decided.answers);
      } catch (error) {
        this.forget();
        answers.push(...(await this.failed([waiting], error)));
      }
    }
    return answers;
  }

  private recordedAt(): string {
    const now = this.options.now().toISOString();
    if (now > this.lastRecordedAt) this.lastRecordedAt = now;
    return this.lastRecordedAt;
  }
}

function transactionsOf(outcome: Settled<Decided> | undefined): Transaction[] {
  if (!outcome || 'error' in outcome) return [];
  const { openedTransactions, movedTransactions } = outcome.value.batch.changes;
  return [...openedTransactions, ...movedTransactions];
}

/** The outcome as a value, so that one that is waited for later is never unhandled. */
function settled<Value>(work: Promise<Value>): Promise<Settled<Value>> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function replayed({ submission, answer, refuse }: Waiting, stored: Map<string, StoredResult>): (() => void)[] {
  const found = stored.get(submission.request.command_id);
  if (!found) return [];
  const { merchant_id, input_hash } = submission.request;
  if (found.merchant_id !== merchant_id || found.input_hash !== input_hash) {
    return [() => refuse(new Refusal('idempotency_key_reused'))];
  }
  return [() => answer({ result: JSON.parse(found.result) as unknown, replayed: true })];
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;

function isOutage(error: unknown): boolean {
  const { kind } = databaseFailure(error);
  return kind === 'unknown' || kind === 'retry';
}

/** The ledger's codes are codes of the contract, but for the network, which is a field that was filled wrongly. */
function refusalOf({ code }: LedgerRejection): Refusal {
  if (code !== 'unsupported_network') return new Refusal(code);
  return Refusal.ofField('network', code, 'the wallet has no address on this network');
}
