import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { factSubjects, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { Failure } from '@stablecoin/persistence/parked-facts';
import { Consumer, ConsumerMessages, JsMsg } from 'nats';
import { DeliveredFact } from './fact-processor';
import { isOutage, reasonOf } from './fact-handler';
import { FailingFacts } from './failing-facts';
import { observedBatch } from './observed-facts';

const MAX_BATCH = 200;
/** Facts that wait here at the most; what comes beyond, which is what comes again, is given back. */
const MAX_ARRIVED = 1_000;
const RETRY_MS = 1_000;
/** How often a fact is tried that fails by itself, a pause of RETRY_MS apart. */
const ATTEMPTS_MAX = 5;
/** A broker that says nothing for two of these has lost what was asked of it, and is asked again. */
const HEARTBEAT_MS = 1_500;
/** Failures, one a second, before the first is told, and between one telling and the next. */
const QUIET_FAILURES = 5;
const LOUD_EVERY = 60;
/** How long a failed batch is tried fact by fact: when nothing works, each try may last until a timeout. */
const ONE_BY_ONE_MS = 3_000;

/** Where facts go: FactProcessor, unless a test wants to see how they come. */
export interface FactReceiver {
  /** The consumer's name on the stream. */
  readonly durable: string;
  readonly movements: readonly Movement[];
  /** What a fact is about: facts of the same are handed over in their order. */
  concerns(fact: LedgerFact): string;
  /** Everything is done in one transaction before it returns; a throw means that nothing was. */
  handle(facts: DeliveredFact[]): Promise<void>;
  /** Sets aside what was tried in vain. */
  park(fact: DeliveredFact, failure: Failure): Promise<void>;
}

interface Delivery extends DeliveredFact {
  message: JsMsg;
}

/**
 * Brings facts from the ledger's stream to their receiver, at least once: pull → collect what has arrived (bounded) →
 * handle in one transaction → acknowledge. A batch that fails is tried again fact by fact. One that fails by itself is
 * delivered again ATTEMPTS_MAX times, while later ones that concern the same wait, and then parked; while the database
 * or the bus is away nothing counts as an attempt, and nothing is parked. A broker that is away, a stream or consumer
 * that was deleted: opened anew, for ever, until `stop`.
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
  ) {
    this.log = new Logger(`FactConsumer ${receiver.durable}`);
  }

  start(): void {
    this.consuming = this.keepConsuming();
  }

  /** Takes no further fact, waits for the batch under way and gives the others back, so that nobody waits for them. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await Promise.all([this.consuming, this.working]);
  }

  private async keepConsuming(): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      try {
        const subjects = this.receiver.movements.map(factSubjects);
        const consumer = await this.stream.consumer(this.receiver.durable, subjects);
        failures = 0;
        await this.consumeUntilBroken(consumer);
      } catch (error) {
        failures += 1;
        // At a first start the relay, which makes the stream, may come up after its readers: that is no news.
        const loud = failures === QUIET_FAILURES || failures % LOUD_EVERY === 0;
        if (loud && !this.stopped) this.log.warn(`stream is away, trying again: ${(error as Error).message}`);
      }
      if (!this.stopped) await delay(RETRY_MS);
    }
  }

  private async consumeUntilBroken(consumer: Consumer): Promise<void> {
    const messages = await consumer.consume({ max_messages: MAX_BATCH * 2, idle_heartbeat: HEARTBEAT_MS });
    this.messages = messages;
    if (this.stopped) messages.stop();
    void this.endWhenLost(messages);
    for await (const message of messages) {
      this.receive(message);
    }
  }

  /** A consumer that was deleted on the broker only shows as an event on the side. */
  private async endWhenLost(messages: ConsumerMessages): Promise<void> {
    for await (const status of await messages.status()) {
      const lost =
        status.type === 'consumer_deleted' ||
        status.type === 'consumer_not_found' ||
        status.type === 'stream_not_found';
      if (lost) messages.stop();
    }
  }

  private receive(message: JsMsg): void {
    if (this.stopped) return message.nak();
    const movement = message.subject.split('.')[2] as Movement;
    if (!this.receiver.movements.includes(movement)) return message.ack();
    if (this.arrived.length >= MAX_ARRIVED) return message.nak(RETRY_MS);
    try {
      this.arrived.push({ message, fact: this.stream.read(message.subject, message.data), sealed: message.data });
    } catch (error) {
      // Not sealed with our key: not from our ledger, and no later delivery would change that.
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
      const batch = this.arrived.splice(0, MAX_BATCH).filter((delivery) => this.mayBeTried(delivery));
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

  /** Not before an earlier one of the same that has just failed: it is given back. */
  private mayBeTried({ message, fact }: Delivery): boolean {
    const waits = this.failing.isBehindOne(fact, this.receiver.concerns(fact));
    if (waits) message.nak(RETRY_MS);
    return !waits;
  }

  private async handled(batch: Delivery[]): Promise<boolean> {
    try {
      await observedBatch(this.receiver.durable, batch, () => this.handleOrTell(batch));
      batch.forEach((delivery) => this.settle(delivery));
      return true;
    } catch (error) {
      if (batch.length === 1) await this.tryAgainOrPark(batch[0] as Delivery, error);
      return false;
    }
  }

  /** Told where the batch is measured and traced, so that the line names its trace. */
  private async handleOrTell(batch: Delivery[]): Promise<void> {
    try {
      await this.receiver.handle(batch);
    } catch (error) {
      this.log.error({ msg: `could not handle ${batch.length} facts`, err: error });
      throw error;
    }
  }

  private async tryAgainOrPark(delivery: Delivery, error: unknown): Promise<void> {
    const { message, fact } = delivery;
    if (isOutage(error)) return message.nak(RETRY_MS);
    const attempts = this.failing.failed(fact, this.receiver.concerns(fact));
    if (attempts < ATTEMPTS_MAX) return message.nak(RETRY_MS);
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
