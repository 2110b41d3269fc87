/**
 * Nest's transport on the bus: subscribes the operations that handlers answer (`@Handles`). Each message goes through
 *
 * | phase    | reads                               | writes                                   | bounded by            |
 * |----------|-------------------------------------|------------------------------------------|-----------------------|
 * | unseal   | the message; drops one that asks    | `validation_failed` if it is not a       | one message           |
 * |          | for no reply                        | sealed request                           |                       |
 * | caller   | the caller's MAC, the gateway's     | `unavailable`, counted and logged, if it | one message, no I/O   |
 * |          | proof; where an operation names its | is not who may ask                       |                       |
 * |          | callers and this process knows keys |                                          |                       |
 * | join     | the call's id; reads are not joined | nothing; a repeat gets the answer of the | RepeatedCalls         |
 * |          |                                     | call that is, or just was, handled       |                       |
 * | admit    | the deadline, the number of         | `unavailable` if it is late or there are | maxInFlight (default  |
 * |          | requests in flight                  | too many                                 | IN_FLIGHT_MAX)        |
 * | slot     | the deadline, once a slot is free   | `unavailable` if too little time is left | atOnce (default none; |
 * |          |                                     |                                          | not for shards)       |
 * | validate | the body                            | `validation_failed`, naming the fields   | the operation's class |
 * | handle   | as its handler                      | as its handler                           | the deadline, by the  |
 * |          |                                     |                                          | handler's own calls   |
 * | reply    | the result or the error             | one sealed reply, metrics; logs refusals | one message           |
 *
 * Answers that the broker refused, because it was reloaded, or that were under way when the connection was made anew, are
 * reported to their callers, which ask again (lost-answers.ts).
 *
 * Nothing that arrives can end the process. `close` and `leaveShard` take no further message (UNSUBSCRIBE_MS) and wait
 * for the answers under way (DRAIN_MS).
 *
 * An instance subscribes the operations of a shard's owner only while it holds the shard (`takeShard`, `leaveShard`),
 * and without a queue group: in one, the broker would go on sending requests to an owner that hangs while its successor
 * could answer them. All other operations share a queue group with the service's other instances, which an instance
 * leaves while it can't do its work (`pause`, `resume`).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { CustomTransportStrategy, Server } from '@nestjs/microservices';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Events, Msg, NatsConnection, Subscription } from 'nats';
import { subjectOf } from './bus-client';
import { CallerCheck } from './caller-check';
import { callIdOf, contextOf, isRequestEnvelope, ReplyEnvelope, RequestEnvelope } from './envelope';
import { inboxOfReply, LostAnswers, lostAnswersSubject } from './lost-answers';
import { answerInSpan, countAnswer } from './observed-bus';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { CallOfReply, RepeatedCalls } from './repeated-calls';
import { RepeatedCommands } from './repeated-commands';
import { ProvenCaller, RequestContext, withRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

type AnyOperation = Operation<object, unknown>;
/** Dispatches a validated request to its handler. */
type Execute = (request: object) => Promise<unknown>;

interface ServedOperation {
  operation: AnyOperation;
  execute: Execute;
}

/**
 * Several times what one gateway admits: a gateway refuses what exceeds its own bound, and this bounds what many
 * gateways send together. More requests than that would wait longer for database connections than their callers wait.
 */
const IN_FLIGHT_MAX = 1_024;
const DRAIN_MS = 8_000;
/** A broker that is away never confirms the end of a subscription; it sends no messages either. */
const UNSUBSCRIBE_MS = 2_000;
const REPORT_AFTER_MS = 5;

export interface BusLimits {
  /** Requests that run at the same time, not counting those of shards; the others queue for a slot. */
  atOnce?: number;
  /** All requests that run or queue; further ones are refused. */
  maxInFlight?: number;
  /** Who may ask for the operations that name their callers; anyone on the bus where it is left out. */
  callers?: CallerCheck;
}

export class BusServer extends Server implements CustomTransportStrategy {
  private readonly log = new Logger(BusServer.name);
  private readonly served: ServedOperation[] = [];
  private readonly shared = new Map<ServedOperation, Subscription>();
  private readonly perShard = new Map<number, Subscription[]>();
  /** The requests that are being answered, each with its shard, if it has one. */
  private readonly inFlight = new Map<Promise<void>, number | undefined>();
  private readonly repeatedCalls = new RepeatedCalls();
  /** To be reported to their callers. */
  private readonly lostAnswers: CallOfReply[] = [];
  private readonly repeatedCommands = new RepeatedCommands();
  private readonly limiter: ConcurrencyLimiter;
  private readonly maxInFlight: number;
  private readonly callers: CallerCheck | undefined;
  private stopMeasuring = (): void => undefined;
  private state: 'new' | 'listening' | 'closed' = 'new';
  /** While it is paused: the operations that it goes on answering. */
  private pausedBut: readonly AnyOperation[] | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
    private readonly service: string,
    { atOnce = Infinity, maxInFlight = IN_FLIGHT_MAX, callers }: BusLimits = {},
  ) {
    super();
    this.limiter = new ConcurrencyLimiter(atOnce);
    this.maxInFlight = maxInFlight;
    this.callers = callers;
    void this.watchConnection();
  }

  /** Adds an operation that this process answers; before `listen`. */
  serve<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    execute: (request: Request) => Promise<Reply>,
  ): void {
    this.served.push({ operation, execute: execute as Execute });
  }

  listen(done: (error?: unknown) => void): void {
    this.state = 'listening';
    this.subscribeShared();
    const subject = this.served.map(({ operation }) => operation.subject);
    initializeSeries('bus_refusals_total', { subject, code: ['internal_error', 'unavailable'] });
    this.stopMeasuring = readAtScrape('bus_messages_in_flight', () => [{ labels: {}, value: this.inFlight.size }]);
    this.connection.flush().then(() => done(), done);
  }

  /** Answers the shard's operations from now on; resolves when the broker knows. */
  async takeShard(shard: number): Promise<void> {
    if (this.perShard.has(shard)) return;
    const subscriptions = this.answeredBy('shard').map((served) => this.subscribe(served, shard));
    this.perShard.set(shard, subscriptions);
    await this.connection.flush();
  }

  /** Takes no further message of the shard and waits, bounded, until every one that has arrived is answered. */
  async leaveShard(shard: number): Promise<void> {
    const subscriptions = this.perShard.get(shard) ?? [];
    this.perShard.delete(shard);
    await Promise.all(subscriptions.map(unsubscribed));
    await answered([...this.inFlight].filter(([, of]) => of === shard).map(([work]) => work));
  }

  /**
   * Leaves the queue group of every shared operation except `but`, until `resume`: the broker gives the requests to the
   * service's other instances. Those that have arrived are answered.
   */
  async pause(but: readonly AnyOperation[] = []): Promise<void> {
    this.pausedBut = but;
    const leaving = [...this.shared].filter(([{ operation }]) => !but.includes(operation));
    leaving.forEach(([served]) => this.shared.delete(served));
    await Promise.all(leaving.map(([, subscription]) => unsubscribed(subscription)));
  }

  resume(): void {
    this.pausedBut = undefined;
    this.subscribeShared();
  }

  /** Takes no further message and waits, bounded, until every one that has arrived is answered. */
  async close(): Promise<void> {
    this.state = 'closed';
    const subscriptions = [...this.shared.values(), ...[...this.perShard.values()].flat()];
    this.shared.clear();
    this.perShard.clear();
    await Promise.all(subscriptions.map(unsubscribed));
    await answered([...this.inFlight.keys()]);
    this.stopMeasuring();
  }

  on(): never {
    throw new Error('the bus server has no events to listen to');
  }

  unwrap<Connection>(): Connection {
    return this.connection as Connection;
  }

  private answeredBy(who: AnyOperation['answeredBy']): ServedOperation[] {
    return this.served.filter(({ operation }) => operation.answeredBy === who);
  }

  private subscribeShared(): void {
    if (this.state !== 'listening') return;
    for (const served of this.answeredBy('any')) {
      const isPaused = this.pausedBut && !this.pausedBut.includes(served.operation);
      if (!isPaused && !this.shared.has(served)) this.shared.set(served, this.subscribe(served));
    }
  }

  private subscribe(served: ServedOperation, shard?: number): Subscription {
    const subject = subjectOf(served.operation, shard);
    return this.connection.subscribe(subject, {
      queue: served.operation.answeredBy === 'any' ? this.service : undefined,
      callback: (error, message) => {
        if (error) {
          this.log.error(`subscription ${subject}: ${error.message}`);
          return;
        }
        const work = this.answer(served, message, shard).finally(() => this.inFlight.delete(work));
        this.inFlight.set(work, shard);
      },
    });
  }

  private async answer(served: ServedOperation, message: Msg, shard: number | undefined): Promise<void> {
    if (!message.reply) {
      this.log.warn(`${message.subject}: dropped a message that asks for no reply`);
      return;
    }
    const { operation } = served;
    const startedAt = performance.now();
    const reply = await this.run(served, message, shard).catch((error: unknown) => this.refusal(operation, error));
    countAnswer(operation.subject, reply, startedAt);
    try {
      message.respond(this.codec.encode(message.subject, reply));
    } catch (error) {
      this.log.error(`${message.subject}: could not reply`, error);
    }
  }

  private async run(served: ServedOperation, message: Msg, shard: number | undefined): Promise<ReplyEnvelope> {
    const { operation } = served;
    const envelope = this.open(message);
    const caller = operation.callers && this.callers?.callerOf(operation, message.subject, envelope);
    const handle = () =>
      withRequestContext(contextAt(shard, envelope, caller), () =>
        answerInSpan(operation.subject, envelope.traceparent, {
          work: () => this.reply(served, envelope),
          refuse: (error) => this.refusal(operation, error),
        }),
      );
    return operation.readOnly ? handle() : this.repeatedCalls.answer(message, callIdOf(envelope), handle);
  }

  /** Ends with the connection. */
  private async watchConnection(): Promise<void> {
    for await (const { type, permissionContext } of this.connection.status()) {
      if (type === Events.Reconnect) {
        this.reportSoon(...this.repeatedCalls.recent());
      } else if (permissionContext?.operation === 'publish') {
        const call = this.repeatedCalls.callOf(permissionContext.subject);
        if (call) this.reportSoon(call);
      }
    }
  }

  /** The broker refuses each answer by itself: those of one moment are reported together. */
  private reportSoon(...lost: CallOfReply[]): void {
    if (this.lostAnswers.length === 0) setTimeout(() => this.reportLost(this.lostAnswers.splice(0)), REPORT_AFTER_MS);
    this.lostAnswers.push(...lost);
  }

  private reportLost(lost: readonly CallOfReply[]): void {
    if (this.connection.isClosed()) return;
    const idsOf = new Map<string, string[]>();
    for (const { callId, replySubject } of lost) {
      const subject = lostAnswersSubject(inboxOfReply(replySubject));
      const ids = idsOf.get(subject);
      if (ids) ids.push(callId);
      else idsOf.set(subject, [callId]);
    }
    for (const [subject, call_ids] of idsOf) {
      this.log.warn({ msg: 'answers may be lost: their callers ask again', subject, count: call_ids.length });
      this.connection.publish(subject, this.codec.encode(subject, { call_ids } satisfies LostAnswers));
    }
  }

  private async reply(served: ServedOperation, envelope: RequestEnvelope): Promise<ReplyEnvelope> {
    const { operation } = served;
    if (Date.now() >= envelope.deadline || this.inFlight.size >= this.maxInFlight) throw notBegun(operation);
    const handle = () => handled(served, envelope);
    const work = () => this.repeatedCommands.answer(operation.subject, envelope.body, handle);
    if (operation.answeredBy === 'shard') return work();
    return this.limiter.run(envelope.deadline, work, () => notBegun(operation));
  }

  private open(message: Msg): RequestEnvelope {
    try {
      const envelope = this.codec.decode(message.subject, message.data);
      if (isRequestEnvelope(envelope)) return envelope;
    } catch {
      // A message that can't be unsealed is refused below, like one of the wrong shape.
    }
    this.log.warn(`${message.subject}: refused a message that is not a sealed request`);
    throw new Refusal('validation_failed');
  }

  private refusal(operation: AnyOperation, error: unknown): ReplyEnvelope {
    if (error instanceof Refusal) {
      const { code, fields, notExecuted, retryAfterSeconds: retry_after_seconds } = error;
      this.log.log({ msg: 'refused', operation: operation.subject, code });
      const more = { ...(notExecuted && { nothing_done: true }), ...(retry_after_seconds && { retry_after_seconds }) };
      return { ok: false, code, fields, ...more };
    }
    this.log.error({ msg: `${operation.subject} failed`, err: error });
    return { ok: false, code: 'internal_error' };
  }
}

async function handled({ operation, execute }: ServedOperation, envelope: RequestEnvelope): Promise<ReplyEnvelope> {
  const request = validateRequest(operation.request, envelope.body);
  try {
    return { ok: true, body: (await execute(request)) ?? null };
  } catch (error) {
    throw begun(error);
  }
}

/** What a shard's owner is asked, its subject says, and nothing else. */
function contextAt(
  shard: number | undefined,
  envelope: RequestEnvelope,
  caller: ProvenCaller | undefined,
): RequestContext {
  const context = contextOf(envelope);
  return { ...context, shard: shard ?? context.shard, caller };
}

/** While a shard changes hands, two instances receive its commands: this one can't say that the other did nothing. */
const notBegun = ({ answeredBy }: AnyOperation): Refusal =>
  answeredBy === 'shard' ? new Refusal('unavailable') : Refusal.notExecuted();

/** Another service that the handler called executed nothing; this one may have done something before it called. */
function begun(error: unknown): unknown {
  return error instanceof Refusal && error.notExecuted ? new Refusal(error.code, error.fields) : error;
}

async function answered(work: Promise<void>[]): Promise<void> {
  await Promise.race([Promise.allSettled(work), delay(DRAIN_MS, undefined, { ref: false })]);
}

/** `drain` also waits for messages on their way; a connection that is already closed has none. */
async function unsubscribed(subscription: Subscription): Promise<void> {
  if (subscription.isClosed()) return;
  await Promise.race([subscription.drain().catch(() => undefined), delay(UNSUBSCRIBE_MS, undefined, { ref: false })]);
}
