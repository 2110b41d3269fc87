import { factSubject, LEDGER_STREAM, LedgerFact, MOVEMENTS } from '@stablecoin/contracts/wallet/facts';
import {
  AckPolicy,
  ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  headers,
  JetStreamClient,
  JetStreamManager,
  nanos,
  NatsConnection,
  NatsError,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { SealedCodec } from './sealed-codec';

/** A message that the broker has not confirmed within this time was lost with a connection, and is sent again. */
const ANSWER_MS = 2_000;
/**
 * After this the broker delivers facts again that a consumer has not acknowledged. One that is only slow gets them
 * twice; its inbox notices.
 */
const ACK_WAIT_MS = 5_000;
const UNACKED_MAX = 1_000;
const KEPT_MS = 7 * 24 * 3_600_000;
const NOT_FOUND = '404';
export const TRACEPARENT_HEADER = 'traceparent';

/**
 * The stream on which facts leave the ledger. Nothing depends on the broker's disk: the relay refills a stream that was
 * lost from the log, and consumers recognise by (shard, position) what they have seen.
 */
export class LedgerStream {
  private readonly jetstream: JetStreamClient;

  private constructor(
    private readonly manager: JetStreamManager,
    connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {
    this.jetstream = connection.jetstream({ timeout: ANSWER_MS });
  }

  static async open(connection: NatsConnection, codec: SealedCodec): Promise<LedgerStream> {
    return new LedgerStream(
      await connection.jetstreamManager({ checkAPI: false, timeout: ANSWER_MS }),
      connection,
      codec,
    );
  }

  /**
   * Makes the stream if it isn't there and returns when it was made, by which the relay recognises a rebuilt one. An
   * existing stream stays as it is: an operator may have changed its number of replicas.
   *
   * @param replicas how many servers of a cluster keep it; a server by itself keeps one
   */
  async ensure(replicas = 1): Promise<{ createdAt: Date }> {
    const info = await this.manager.streams.info(LEDGER_STREAM).catch(orUndefinedIfMissing);
    const stream =
      info ??
      (await this.manager.streams.add({
        name: LEDGER_STREAM,
        subjects: ['ledger.>'],
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        storage: StorageType.File,
        num_replicas: replicas,
        max_age: nanos(KEPT_MS),
        duplicate_window: nanos(120_000),
      }));
    return { createdAt: new Date(stream.created) };
  }

  /** The position of the shard's last fact, if the stream has one. Brokers before 2.10 look up only whole subjects. */
  async lastPosition(shard: number): Promise<number | undefined> {
    const lasts = await Promise.all(MOVEMENTS.map((movement) => this.positionOfLast(factSubject(shard, movement))));
    const found = lasts.filter((position) => position !== undefined);
    return found.length > 0 ? Math.max(...found) : undefined;
  }

  private async positionOfLast(subject: string): Promise<number | undefined> {
    const query = { last_by_subj: subject };
    const last = await this.manager.streams.getMessage(LEDGER_STREAM, query).catch(orUndefinedIfMissing);
    try {
      return last && this.read(subject, last.data).position;
    } catch {
      return undefined; // It can't be unsealed, so its position is unknown.
    }
  }

  /**
   * Resolves when the broker has stored all of them. Publishing again within two minutes leaves one copy.
   *
   * @param traceparentOf the trace that a fact is part of; sent in a header, because the fact itself is the log's
   */
  async publish(
    facts: readonly LedgerFact[],
    traceparentOf: (fact: LedgerFact) => string | undefined = () => undefined,
  ): Promise<void> {
    await Promise.all(
      facts.map((fact) => {
        const subject = factSubject(fact.shard, fact.movement);
        return this.jetstream.publish(subject, this.codec.encode(subject, fact), {
          msgID: `${fact.shard}:${fact.position}`,
          ...headersOf(traceparentOf(fact)),
        });
      }),
    );
  }

  /**
   * Makes the durable consumer if it isn't there and gives it. Fails while the stream isn't there: only the relay
   * makes it, because only the relay can fill it.
   */
  async consumer(durable: string, subjects: string[]) {
    const wanted: Partial<ConsumerConfig> = {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: UNACKED_MAX,
      // Brokers before 2.10 take one filter only: consumers of several movements read the stream and skip the rest.
      ...(subjects.length === 1 && { filter_subject: subjects[0] }),
    };
    const info = await this.manager.consumers.info(LEDGER_STREAM, durable).catch(orUndefinedIfMissing);
    if (!info) await this.manager.consumers.add(LEDGER_STREAM, wanted);
    else if (info.config.ack_wait !== wanted.ack_wait || info.config.max_ack_pending !== wanted.max_ack_pending) {
      const { ack_wait, max_ack_pending } = wanted;
      await this.manager.consumers.update(LEDGER_STREAM, durable, { ...info.config, ack_wait, max_ack_pending });
    }
    return this.jetstream.consumers.get(LEDGER_STREAM, durable);
  }

  /** Facts that the consumer has not acknowledged yet, on the stream or on their way. */
  async pending(durable: string): Promise<number> {
    const { num_pending, num_ack_pending } = await this.manager.consumers.info(LEDGER_STREAM, durable);
    return num_pending + num_ack_pending;
  }

  /** Which messages the stream keeps, by its own sequence: from `first` to `last`. */
  async extent(): Promise<{ createdAt: Date; first: number; last: number }> {
    const { created, state } = await this.manager.streams.info(LEDGER_STREAM);
    return { createdAt: new Date(created), first: state.first_seq, last: state.last_seq };
  }

  /** Whether the consumer has acknowledged all its facts up to this message of the stream. */
  async hasAcknowledged(durable: string, sequence: number): Promise<boolean> {
    const { num_pending, num_ack_pending, ack_floor } = await this.manager.consumers.info(LEDGER_STREAM, durable);
    return num_pending + num_ack_pending === 0 || ack_floor.stream_seq >= sequence;
  }

  /** The fact as it is on the stream. */
  seal(fact: LedgerFact): Uint8Array {
    return this.codec.encode(factSubject(fact.shard, fact.movement), fact);
  }

  /** @throws when it was not sealed with our key for this subject, or has no place in the log */
  read(subject: string, data: Uint8Array): LedgerFact {
    const fact = this.codec.decode(subject, data) as Partial<LedgerFact> | null;
    if (Number.isInteger(fact?.shard) && Number.isInteger(fact?.position)) return fact as LedgerFact;
    throw new Error('a fact without a place in the log');
  }
}

function headersOf(traceparent: string | undefined) {
  if (traceparent === undefined) return {};
  const traced = headers();
  traced.set(TRACEPARENT_HEADER, traceparent);
  return { headers: traced };
}

function orUndefinedIfMissing(error: unknown): undefined {
  if (error instanceof NatsError && (error.code === NOT_FOUND || error.api_error?.code === 404)) return undefined;
  throw error;
}
