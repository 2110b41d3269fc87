import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { factSubjects, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { Failure } from '@stablecoin/persistence/parked-facts';
import { Consumer, ConsumerEvents, ConsumerMessages, JsMsg } from 'nats';
import { DeliveredFact } from './fact-processor';
import { isOutage, reasonOf } from './fact-handler';
import { FailingFacts } from './failing-facts';
import { observedBatch } from './observed-facts';

const BATCH_MAX = 200;
/** Facts that wait here, at most; further deliveries, which are repeated ones, are given back. */
const ARRIVED_MAX = 1_000;
export const RETRY_MS = 1_000;
/** How often a fact that fails by itself is tried, with a pause of RETRY_MS between attempts. */
export const ATTEMPTS_MAX = 5;
/** A broker that sends nothing for two of these has lost the consumer's request, which is then sent again. */
const HEARTBEAT_MS = 1_500;
/** Failures, one a second, before the first one is logged. */
const QUIET_FAILURES = 5;
const LOUD_EVERY = 60;
/** How long a failed batch is tried fact by fact: when nothing works, each attempt may last until a timeout. */
const ONE_BY_ONE_MS = 3_000;

/** Receives facts: FactProcessor, unless a test watches the deliveries. */
export interface FactReceiver {
  /** The consumer's name on the stream. */
  readonly durable: string;
  readonly movements: readonly Movement[];
  /** What a fact is about: facts of the same are handed over in their order. */
  concerns(fact: LedgerFact): string;
  /** Handles all of them in one transaction before it returns; a throw means that nothing was done. */
  handle(facts: DeliveredFact[]): Promise<void>;
  /** Sets a fact aside that failed ATTEMPTS_MAX times. */
  park(fact: DeliveredFact, failure: Failure): Promise<void>;
}

interface Delivery extends DeliveredFact {
  message: JsMsg;
}

/**
 * Brings facts from the ledger's stream to their receiver, at least once: pull → collect what has arrived (ARRIVED_MAX)
 * → handle in one transaction → acknowledge. A batch that fails is tried again fact by fact. A fact that fails by
 * itself is tried ATTEMPTS_MAX times, while later ones that concern the same wait, and is then parked; while the
 * database or the bus is away, failures do not count as attempts and nothing is parked. When the broker is away, or the
 * stream or the consumer was deleted, it is opened anew, without end, until `stop`.
 */
export class FactConsumer {
  private readonly log: Logger;
  private readonly arrived: Delivery[] = [];
  private readonly failing = new FailingFacts();
  private messages: ConsumerMessages | undefined;
  private stopped = false;
  private consuming: Promise<void> = Promise.resolve();
  private working: Promise<void> = Promise.resolve();
  private idle = true;

  constructor(
    private readonly stream: LedgerStream,
    private readonly receiver: FactReceiver,
    /** Handles what the stream no longer keeps, before it is read. */
    private readonly catchUp: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.log = new Logger(`FactConsumer ${receiver.durable}`);
  }

  start(): void {
    this.consuming = this.keepConsuming();
  }

  /** Takes no further fact, waits for the batch under way, and gives the others back for other instances to handle. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await Promise.all([this.consuming, this.working]);
  }

  /** `stop` may have been called during an await, which the compiler does not see of a field. */
  private isStopped(): boolean {
    return this.stopped;
  }

  private async keepConsuming(): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      try {
        const subjects = this.receiver.movements.map(factSubjects);
        const consumer = await this.stream.consumer(this.receiver.durable, subjects);
        await this.catchUp();
        failures = 0;
        await this.consumeUntilBroken(consumer);
      } catch (error) {
        failures += 1;
        // At a first start the relay, which makes the stream, may come up after its readers: not worth a line.
        const loud = failures === QUIET_FAILURES || failures % LOUD_EVERY === 0;
        if (loud && !this.isStopped()) this.log.warn(`takes no facts, trying again: ${(error as Error).message}`);
      }
      if (!this.isStopped()) await delay(RETRY_MS);
    }
  }

  private async consumeUntilBroken(consumer: Consumer): Promise<void> {
    const messages = await consumer.consume({ max_messages: BATCH_MAX * 2, idle_heartbeat: HEARTBEAT_MS });
    this.messages = messages;
    if (this.stopped) messages.stop();
    void this.endWhenLost(messages);
    for await (const message of messages) {
      this.receive(message);
    }
  }

  /** Only a status event shows that a consumer was deleted on the broker. */
  private async endWhenLost(messages: ConsumerMessages): Promise<void> {
    for await (const status of await messages.status()) {
      const lost =
        status.type === ConsumerEvents.ConsumerDeleted ||
        status.type === ConsumerEvents.ConsumerNotFound ||
        status.type === ConsumerEvents.StreamNotFound;
      if (lost) messages.stop();
    }
  }

  private receive(message: JsMsg): void {
    if (this.stopped) return message.nak();
    const movement = message.subject.split('.')[2] as Movement;
    if (!this.receiver.movements.includes(movement)) return message.ack();
    if (this.arrived.length >= ARRIVED_MAX) return message.nak(RETRY_MS);
    try {
      this.arrived.push({ message, fact: this.stream.read(message.subject, message.data), sealed: message.data });
    } catch (error) {
      // Not sealed with our key, so not from our ledger; another delivery would not change that.
      const reason = reasonOf(error);
      this.log.error({ alert: 'fact_unreadable', msg: 'refused a message', subject: message.subject, reason });
      return message.term();
    }
    if (this.idle) {
      this.idle = false;
      this.working = this.workOff();
    }
  }

  private async workOff(): Promise<void> {
    while (this.arrived.length > 0 && !this.stopped) {
      const batch = this.arrived.splice(0, BATCH_MAX).filter((delivery) => this.mayBeTried(delivery));
      if (batch.length === 0) continue;
      if (!(await this.handled(batch)) && batch.length > 1) await this.handleOneByOne(batch);
    }
    this.arrived.splice(0).forEach(({ message }) => message.nak());
    this.idle = true;
  }

  private async handleOneByOne(batch: Delivery[]): Promise<void> {
    const until = Date.now() + ONE_BY_ONE_MS;
    for (const delivery of batch) {
      if (this.stopped || Date.now() >= until) delivery.message.nak(RETRY_MS);
      else if (this.mayBeTried(delivery)) await this.handled([delivery]);
    }
  }

  /** Gives a fact back while an earlier one that concerns the same has just failed. */
  private mayBeTried({ message, fact }: Delivery): boolean {
    const waits = this.failing.isBehindOne(fact, this.receiver.concerns(fact));
    if (waits) message.nak(RETRY_MS);
    return !waits;
  }

  private async handled(batch: Delivery[]): Promise<boolean> {
    try {
      await observedBatch(this.receiver.durable, batch, () => this.handleOrLog(batch));
      batch.forEach((delivery) => this.settle(delivery));
      return true;
    } catch (error) {
      if (batch.length === 1) await this.tryAgainOrPark(batch[0] as Delivery, error);
      return false;
    }
  }

  /** Logs a failure within the batch's span, so that the line names its trace. */
  private async handleOrLog(batch: Delivery[]): Promise<void> {
    try {
      await this.receiver.handle(batch);
    } catch (error) {
      this.log.error({ msg: `could not handle ${batch.length} facts`, err: error });
      throw error;
    }
  }

  private async tryAgainOrPark(delivery: Delivery, error: unknown): Promise<void> {
    const { message, fact } = delivery;
    if (isOutage(error)) {
      message.nak(RETRY_MS);
      return;
    }
    const attempts = this.failing.failed(fact, this.receiver.concerns(fact));
    if (attempts < ATTEMPTS_MAX) {
      message.nak(RETRY_MS);
      return;
    }
    try {
      await this.receiver.park(delivery, { reason: reasonOf(error), attempts });
      this.settle(delivery);
    } catch (parking) {
      this.log.error({ msg: 'could not park a fact', err: parking });
      message.nak(RETRY_MS);
    }
  }

  private settle({ message, fact }: Delivery): void {
    this.failing.settled(fact);
    message.ack();
  }
}
