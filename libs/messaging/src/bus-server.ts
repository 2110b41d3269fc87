import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { CustomTransportStrategy, MessageHandler, Server } from '@nestjs/microservices';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Msg, NatsConnection, Subscription } from 'nats';
import { lastValueFrom } from 'rxjs';
import { subjectOf } from './bus-client';
import { MessageContext } from './handles';
import { contextOf, isRequestEnvelope, ReplyEnvelope, RequestEnvelope } from './envelope';
import { answerInSpan, countAnswer } from './observed-bus';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { withRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

type AnyOperation = Operation<object, unknown>;
type Answering = (request: object) => ReturnType<MessageHandler>;

/**
 * Several times what one gateway lets through: refusing is the gateway's part, and this the bound of what many of them
 * send. By far more would only wait for the database's connections, longer than its callers do.
 */
const MAX_IN_FLIGHT = 1_024;
const DRAIN_MS = 8_000;
/** A broker that is away answers nothing; its messages don't come either. */
const UNSUBSCRIBE_MS = 2_000;

export interface BusLimits {
  /** Requests that are worked on at the same time, but for those of shards; the others wait for their turn. */
  atOnce?: number;
  /** Of those and all that wait; what comes beyond is refused. */
  maxInFlight?: number;
}

/**
 * Nest's transport on the bus: subscribes what `@Handles` marks, and for each message
 * unseal → deadline → bound → place → validate → handler → reply or refusal. Nothing that arrives can end the process.
 *
 * Operations answered by a shard's owner are subscribed only while this instance holds the shard (`takeShard`,
 * `leaveShard`), and in no queue group: an owner that hangs, which the broker is slow to notice, must not be handed
 * what its successor could answer. All others share a queue group with the service's other instances.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly log = new Logger(BusServer.name);
  private readonly shared: Subscription[] = [];
  private readonly perShard = new Map<number, Subscription[]>();
  /** What is being answered, each with the shard that it is for. */
  private readonly inFlight = new Map<Promise<void>, number | undefined>();
  private readonly limiter: ConcurrencyLimiter;
  private readonly maxInFlight: number;
  private stopMeasuring = (): void => undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
    private readonly service: string,
    { atOnce = Infinity, maxInFlight = MAX_IN_FLIGHT }: BusLimits = {},
  ) {
    super();
    this.limiter = new ConcurrencyLimiter(atOnce);
    this.maxInFlight = maxInFlight;
  }

  listen(done: (error?: unknown) => void): void {
    for (const [handler, operation] of this.operations('any')) {
      this.shared.push(this.subscribe(operation, handler));
    }
    const subject = [...this.operations('any'), ...this.operations('shard')].map(([, operation]) => operation.subject);
    initializeSeries('bus_refusals_total', { subject, code: ['internal_error', 'unavailable'] });
    this.stopMeasuring = readAtScrape('bus_messages_in_flight', () => [{ labels: {}, value: this.inFlight.size }]);
    this.connection.flush().then(() => done(), done);
  }

  /** Answers the shard's operations from now on; resolves when the broker knows. */
  async takeShard(shard: number): Promise<void> {
    if (this.perShard.has(shard)) return;
    const subscriptions = this.operations('shard').map(([handler, operation]) =>
      this.subscribe(operation, handler, shard),
    );
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

  /** Takes no further message and waits, bounded, until every one that has arrived is answered. */
  async close(): Promise<void> {
    const subscriptions = [...this.shared.splice(0), ...[...this.perShard.values()].flat()];
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

  private operations(answeredBy: AnyOperation['answeredBy']): [MessageHandler, AnyOperation][] {
    return [...this.messageHandlers.values()]
      .map((handler): [MessageHandler, AnyOperation] => [handler, handler.extras?.['operation'] as AnyOperation])
      .filter(([, operation]) => operation.answeredBy === answeredBy);
  }

  private subscribe(operation: AnyOperation, handler: MessageHandler, shard?: number): Subscription {
    const subject = subjectOf(operation, shard);
    const answering = (request: object) => handler(request, { shard } satisfies MessageContext);
    return this.connection.subscribe(subject, {
      queue: operation.answeredBy === 'any' ? this.service : undefined,
      callback: (error, message) => {
        if (error) return this.log.error(`subscription ${subject}: ${error.message}`);
        const work = this.answer(operation, answering, message).finally(() => this.inFlight.delete(work));
        this.inFlight.set(work, shard);
      },
    });
  }

  private async answer(operation: AnyOperation, handler: Answering, message: Msg): Promise<void> {
    if (!message.reply) return this.log.warn(`${message.subject}: dropped a message that asks for no reply`);
    const startedAt = performance.now();
    const reply = await this.run(operation, handler, message).catch((error: unknown) => this.refusal(operation, error));
    countAnswer(operation.subject, reply, startedAt);
    try {
      message.respond(this.codec.encode(message.subject, reply));
    } catch (error) {
      this.log.error(`${message.subject}: could not reply`, error);
    }
  }

  private async run(operation: AnyOperation, handler: Answering, message: Msg): Promise<ReplyEnvelope> {
    const envelope = this.open(message);
    return withRequestContext(contextOf(envelope), () =>
      answerInSpan(operation.subject, envelope.traceparent, {
        work: () => this.reply(operation, handler, envelope),
        refuse: (error) => this.refusal(operation, error),
      }),
    );
  }

  private async reply(operation: AnyOperation, handler: Answering, envelope: RequestEnvelope): Promise<ReplyEnvelope> {
    if (Date.now() >= envelope.deadline || this.inFlight.size >= this.maxInFlight) throw notBegun(operation);
    if (operation.answeredBy === 'shard') return this.handled(operation, handler, envelope);
    const work = () => this.handled(operation, handler, envelope);
    return this.limiter.run(envelope.deadline, work, () => notBegun(operation));
  }

  private async handled(
    operation: AnyOperation,
    handler: Answering,
    envelope: RequestEnvelope,
  ): Promise<ReplyEnvelope> {
    const request = validateRequest(operation.request, envelope.body);
    try {
      const body = await lastValueFrom(this.transformToObservable(await handler(request)), { defaultValue: null });
      return { ok: true, body };
    } catch (error) {
      throw begun(error);
    }
  }

  private open(message: Msg): RequestEnvelope {
    try {
      const envelope = this.codec.decode(message.subject, message.data);
      if (isRequestEnvelope(envelope)) return envelope;
    } catch {
      // Told to the sender below: what can't be unsealed is refused like what has the wrong shape.
    }
    this.log.warn(`${message.subject}: refused a message that is not a sealed request`);
    throw new Refusal('validation_failed');
  }

  private refusal(operation: AnyOperation, error: unknown): ReplyEnvelope {
    if (error instanceof Refusal) {
      const { code, fields, notExecuted } = error;
      this.log.log({ msg: 'refused', operation: operation.subject, code });
      return { ok: false, code, fields, ...(notExecuted && { nothing_done: true }) };
    }
    this.log.error({ msg: `${operation.subject} failed`, err: error });
    return { ok: false, code: 'internal_error' };
  }
}

/** Of a shard that changes hands, two instances hear the same command for a moment: what this one did not do the other may. */
const notBegun = ({ answeredBy }: AnyOperation): Refusal =>
  answeredBy === 'shard' ? new Refusal('unavailable') : Refusal.notExecuted();

/** What a service that was asked further on did not begin says nothing of what was done here before. */
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
