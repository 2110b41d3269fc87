import { Logger } from '@nestjs/common';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { TOO_MANY_DECIMALS } from '@stablecoin/contracts/wire/fields/amount';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerCommand, PostSwap } from '@stablecoin/ledger-domain/commands';
import { decide, DecisionContext } from '@stablecoin/ledger-domain/decide';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { AskedBy, EventGroup, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerPreview } from '@stablecoin/ledger-domain/ledger-preview';
import { LedgerRejection } from '@stablecoin/ledger-domain/ledger-rejection';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { SwapPrices, SwapPriceSettings } from '@stablecoin/ledger-domain/swap-prices';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { projectionChanges } from '@stablecoin/ledger-store/projections/project';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { secondsSince } from '@stablecoin/telemetry/metrics/seconds-since';
import { RememberedTraces } from '@stablecoin/telemetry/traces/remembered-traces';
import { OpenSpan } from '@stablecoin/telemetry/traces/tracing';
import { Head, Lease } from './lease';
import { readSwapPrices } from './read-swap-prices';
import { ShardCache } from './shard-cache';
import { Batch, prepareAppend, PreparedAppend, StoredResult } from './shard-log';
import { UsageCounts } from './usage-counts';

const DECIDED_AT_ONCE = 50;

/** What the writer needs of a request. */
export type SubmittedRequest = Pick<MerchantCommand, 'command_id' | 'merchant_id' | 'input_hash' | 'objection'>;

/** A command, and how its result is read from the ledger right after its first group of events. */
export interface Submission<Result> {
  request: SubmittedRequest;
  command: LedgerCommand;
  result: (ledger: LedgerView) => Result;
  /** It is decided in its turn like any other, and then nothing of it is kept: no event, no stored result, no memory of it. */
  isDryRun?: boolean;
}

/** What the decisions of one shard's owner depend on beside its log. */
export type DecisionSettings = Pick<DecisionContext, 'sandboxForLive'> & { prices?: SwapPriceSettings };

/** A command in the queue or in a batch, not answered yet. */
export interface Waiting {
  submission: Submission<unknown>;
  /** Epoch milliseconds. */
  deadline: number;
  /** When it joined the queue, on the monotonic clock. */
  since: number;
  /** The request's span, if it is traced. */
  span: OpenSpan | undefined;
  /** Who asks, if it is known. */
  askedBy: AskedBy | undefined;
  answer: (reply: CommandReply<unknown>) => void;
  refuse: (refusal: Error) => void;
}

/** A batch that is decided in memory and not yet in the log. */
export interface Decided {
  batch: Batch;
  prepared: PreparedAppend;
  /** To be called once the batch is committed: each answers one command. */
  answers: (() => void)[];
}

/** The events are let go once they are texts: whatever is kept until the commit, the garbage collector moves twice. */
interface DecidedInMemory extends Pick<Decided, 'batch' | 'answers'> {
  events: readonly RecordedEvent[];
}

/** A batch while it is being decided. */
interface Run {
  cache: ShardCache;
  /** What time it is. */
  now: string;
  recorded_at: string;
  events: RecordedEvent[];
  results: StoredResult[];
}

export interface BatchDeciderOptions {
  database: LedgerDatabase;
  lease: Lease;
  head: Head;
  counts: UsageCounts;
  /** The time of the log's last event: recorded times never run backwards. */
  lastRecordedAt: string;
  deriveAddress: DecisionContext['deriveAddress'];
  decisions?: DecisionSettings;
  now: () => Date;
  /** The trace that each fact belongs to, by the fact's position, for the relay that publishes it. */
  traces?: RememberedTraces<number>;
}

/**
 * Decides batches of commands in memory, each command on the outcome of those before it, committed or not. It writes
 * nothing and answers nothing.
 */
export class BatchDecider {
  /** Where the log will end once everything decided is committed. */
  private tip: Head;
  private lastRecordedAt: string;
  private cache: ShardCache | undefined;
  private prices: SwapPrices | undefined;
  private readonly labels: { shard: string };

  constructor(
    private readonly options: BatchDeciderOptions,
    private readonly log: Logger,
  ) {
    this.labels = { shard: String(options.lease.shard) };
    this.tip = options.head;
    this.lastRecordedAt = options.lastRecordedAt;
  }

  /** Whether memory is so full that room must be made with no batch under way. */
  isFull(): boolean {
    return this.cache?.isFull() ?? false;
  }

  /**
   * Forgets the oldest entries of memory. While a batch is under way, only transactions that it does not move: what it
   * changed is not yet in the tables from which it would be loaded again.
   */
  makeRoom(underWay: readonly Transaction[] | undefined): void {
    if (!underWay) this.cache?.trim();
    this.cache?.trimTransactions(underWay ?? []);
  }

  /** Throws memory away: what was decided beyond `head` is not in the log. */
  forget(head: Head): void {
    this.cache = undefined;
    this.prices = undefined;
    this.tip = head;
  }

  /** Loads what the batch needs and decides it. Only one call at a time. */
  async decide(batch: Waiting[]): Promise<Decided> {
    const startedAt = performance.now();
    const { database, lease, counts } = this.options;
    const stored = await this.findResults(batch);
    const fresh = batch.filter(({ submission }) => !stored.has(submission.request.command_id));
    await counts.prepare();
    const cache = (this.cache ??= await ShardCache.load(database, lease.shard, counts));
    this.prices ??= await readSwapPrices(database, lease.shard, this.tip.position, this.options.decisions?.prices);
    await cache.prepare(
      database,
      fresh.map(({ submission }) => submission.command),
    );
    const decided = await this.decideAll(cache, fresh);
    const prepared = await prepareAppend(this.tip, decided.events);
    this.tip = prepared.after;
    instruments.ledger_decide_duration_seconds.observe(this.labels, secondsSince(startedAt));
    return {
      batch: decided.batch,
      prepared,
      answers: [...batch.flatMap((waiting) => replayed(waiting, stored)), ...decided.answers],
    };
  }

  private async findResults(batch: Waiting[]): Promise<Map<string, StoredResult>> {
    const ids = batch.map(({ submission }) => submission.request.command_id);
    const rows = await this.options.database.$queryRaw<StoredResult[]>`
      SELECT command_id::text, merchant_id::text, input_hash, result
      FROM command_results WHERE command_id = ANY (${arrayColumn(ids)}::uuid[])`;
    return new Map(rows.map((row) => [row.command_id, row]));
  }

  /**
   * Every command in its turn, each seeing what those before it did. Pauses after every DECIDED_AT_ONCE commands: else the
   * commit under way would have to wait with its next statement until all are decided.
   */
  private async decideAll(cache: ShardCache, waiting: Waiting[]): Promise<DecidedInMemory> {
    const now = this.options.now().toISOString();
    const run: Run = { cache, now, recorded_at: this.recordedAt(now), events: [], results: [] };
    const answers: (() => void)[] = [];
    for (const [index, one] of waiting.entries()) {
      if (index % DECIDED_AT_ONCE === DECIDED_AT_ONCE - 1) await new Promise(setImmediate);
      answers.push(this.decideOne(one, run));
    }
    const { events, results } = run;
    return { events, batch: { results, changes: projectionChanges(events, cache.state) }, answers };
  }

  /** @returns answers the command; to be called once the batch is committed */
  private decideOne(waiting: Waiting, run: Run): () => void {
    const { request, command, isDryRun } = waiting.submission;
    if (request.objection) return refusing(waiting, new Refusal(request.objection));
    const groups = this.groupsOf(command, run);
    if (groups instanceof Error) return refusing(waiting, groups);
    if (isDryRun) return answering(waiting, this.previewed(groups, waiting, run));
    const result = this.apply(groups, waiting, run);
    this.prices?.keep(command, run.now);
    const { command_id, merchant_id, input_hash } = request;
    run.results.push({ command_id, merchant_id, input_hash, result: JSON.stringify(result) });
    return answering(waiting, result);
  }

  /** Deciding changes nothing: an error is the answer to this command alone, and the batch goes on. */
  private groupsOf(command: LedgerCommand, { cache, now, events }: Run): EventGroup[] | Error {
    const { lease, deriveAddress, decisions } = this.options;
    const nextPosition = this.tip.position + events.length + 1;
    try {
      return decide(command, cache.state, {
        ...{ shard: lease.shard, nextPosition, now, deriveAddress, sandboxForLive: decisions?.sandboxForLive },
        isWithinBounds: (swap) => this.isWithinBounds(swap, now),
      });
    } catch (error) {
      if (error instanceof LedgerRejection) return refusalOf(error);
      this.log.error({ msg: `${command.kind} could not be decided`, err: error });
      return error as Error;
    }
  }

  private isWithinBounds(swap: PostSwap, now: string): boolean {
    const bound = this.prices?.exceeded(swap, now);
    if (bound === undefined) return true;
    instruments.ledger_swap_prices_refused_total.inc({ bound });
    const { from_currency, to_currency, quoted_price, swap_id } = swap;
    this.log.error({
      msg: `the price of a swap is out of bounds: ${bound}`,
      swap_id,
      from_currency,
      to_currency,
      quoted_price,
    });
    return false;
  }

  /** Gives the groups their positions in the log and folds them in; the result shows the ledger after the first group. */
  private apply(groups: EventGroup[], waiting: Waiting, run: Run): unknown {
    const { submission, span } = waiting;
    const { cache, events } = run;
    let result: unknown;
    if (groups.length === 0) result = submission.result(cache.state);
    groups.forEach((group, index) => {
      const recorded = this.recorded(group, waiting, run, index === 0);
      recorded.forEach((event) => cache.state.apply(event));
      events.push(...recorded);
      // A fact bears the position of its group's last event.
      this.options.traces?.remember(this.tip.position + events.length, span?.traceparent);
      if (index === 0) result = submission.result(cache.state);
    });
    return result;
  }

  /** The result that `apply` would give, of a ledger of its own, which is then thrown away. */
  private previewed([first]: EventGroup[], waiting: Waiting, run: Run): unknown {
    const { submission } = waiting;
    const preview = new LedgerPreview(run.cache.state);
    if (first) this.recorded(first, waiting, run, true).forEach((event) => preview.apply(event));
    return submission.result(preview);
  }

  /**
   * The group's events as the log would have them next.
   *
   * @param isFirst of the command's groups
   */
  private recorded(
    { movement, merchant_id, customer_id, events: members }: EventGroup,
    { submission: { request }, askedBy }: Waiting,
    { events, recorded_at }: Run,
    isFirst: boolean,
  ): RecordedEvent[] {
    const { command_id } = request;
    const { shard } = this.options.lease;
    const group = this.tip.position + events.length + 1;
    // In the order of canonical text, which is quicker to write so.
    return members.map((event, offset) => ({
      asked_by: isFirst && offset === 0 ? askedBy : undefined,
      command_id,
      customer_id,
      event,
      group,
      merchant_id,
      movement,
      position: group + offset,
      recorded_at,
      shard,
    }));
  }

  private recordedAt(now: string): string {
    if (now > this.lastRecordedAt) this.lastRecordedAt = now;
    return this.lastRecordedAt;
  }
}

// Functions of their own: one within decideOne would keep the decided events in memory until the commit.
const answering =
  ({ answer }: Waiting, result: unknown) =>
  () =>
    answer({ result, replayed: false });
const refusing =
  ({ refuse }: Waiting, error: Error) =>
  () =>
    refuse(error);

function replayed({ submission, answer, refuse }: Waiting, stored: Map<string, StoredResult>): (() => void)[] {
  const found = stored.get(submission.request.command_id);
  if (!found) return [];
  const { merchant_id, input_hash } = submission.request;
  if (found.merchant_id !== merchant_id || found.input_hash !== input_hash) {
    return [() => refuse(new Refusal('idempotency_key_reused'))];
  }
  return [() => answer({ result: JSON.parse(found.result) as unknown, replayed: true })];
}

/** The ledger's codes are codes of the contract, except for those of a field, which the contract reports as wrong. */
function refusalOf({ code }: LedgerRejection): Refusal {
  if (code === 'unsupported_network')
    return Refusal.ofField('network', code, 'the wallet has no address on this network');
  if (code === TOO_MANY_DECIMALS) {
    return Refusal.ofField('amount', code, "must not be finer than the currency's smallest unit");
  }
  if (code === 'not_for_live') return new Refusal('rail_unavailable');
  return new Refusal(code);
}
