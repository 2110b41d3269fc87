import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { factSubjects, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { Consumer, ConsumerMessages, JsMsg } from 'nats';
import { LedgerStream } from './ledger-stream';
import { freshRequestContext, withRequestContext } from './request-context';

const MAX_BATCH = 200;
/** Facts that wait here at the most; what comes beyond, which is what comes again, is given back. */
const MAX_ARRIVED = 1_000;
const RETRY_MS = 1_000;
/** Failures, one a second, before the first is told, and between one telling and the next. */
const QUIET_FAILURES = 5;
const LOUD_EVERY = 60;
/** How long a failed batch is tried fact by fact: when nothing works, each try may last until a timeout. */
const ONE_BY_ONE_MS = 3_000;

export interface FactHandler {
  /** The consumer's name on the stream and in the inbox. */
  readonly durable: string;
  readonly movements: readonly Movement[];
  /**
   * Takes facts in the order of the stream. Everything is done, inbox rows included, in one transaction before it
   * returns; a throw means that nothing was.
   */
  handle(facts: LedgerFact[]): Promise<void>;
}

interface Delivery {
  message: JsMsg;
  fact: LedgerFact;
}

/**
 * Brings facts from the ledger's stream to a handler, at least once: pull → collect what has arrived (bounded) →
 * handle in one transaction → acknowledge. A batch that fails is tried again fact by fact, so that one that can't be
 * handled holds up only itself; it is delivered again until it can. A broker that is away, a stream or consumer that
 * was deleted: opened anew, for ever, until `stop`.
 */
export class FactConsumer {
  private readonly log: Logger;
  private readonly arrived: Delivery[] = [];
  private messages: ConsumerMessages | undefined;
  private stopped = false;
  private consuming: Promise<void> = Promise.resolve();
  private working: Promise<void> = Promise.resolve();
  private idle = true;

  constructor(
    private readonly stream: LedgerStream,
    private readonly handler: FactHandler,
  ) {
    this.log = new Logger(`FactConsumer ${handler.durable}`);
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
        const subjects = this.handler.movements.map(factSubjects);
        const consumer = await this.stream.consumer(this.handler.durable, subjects);
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
    const messages = await consumer.consume({ max_messages: MAX_BATCH * 2, idle_heartbeat: 5_000 });
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
    if (!this.handler.movements.includes(movement)) return message.ack();
    if (this.arrived.length >= MAX_ARRIVED) return message.nak(RETRY_MS);
    try {
      this.arrived.push({ message, fact: this.stream.read(message.subject, message.data) });
    } catch (error) {
      // Not sealed with our key: not from our ledger, and no later delivery would change that.
      this.log.error(`refused a message on ${message.subject}: ${(error as Error).message}`);
      return message.term();
    }
    if (this.idle) {
      this.idle = false;
      this.working = this.workOff();
    }
  }

  private async workOff(): Promise<void> {
    while (this.arrived.length > 0 && !this.stopped) {
      const batch = this.arrived.splice(0, MAX_BATCH);
      if (!(await this.handled(batch)) && batch.length > 1) await this.handleOneByOne(batch);
    }
    this.arrived.splice(0).forEach(({ message }) => message.nak());
    this.idle = true;
  }

  private async handleOneByOne(batch: Delivery[]): Promise<void> {
    const until = Date.now() + ONE_BY_ONE_MS;
    for (const delivery of batch) {
      if (this.stopped || Date.now() >= until) delivery.message.nak(RETRY_MS);
      else await this.handled([delivery]);
    }
  }

  private async handled(batch: Delivery[]): Promise<boolean> {
    try {
      await withRequestContext(freshRequestContext(), () => this.handler.handle(batch.map(({ fact }) => fact)));
      batch.forEach(({ message }) => message.ack());
      return true;
    } catch (error) {
      this.log.error({ msg: `could not handle ${batch.length} facts`, err: error });
      if (batch.length === 1) batch[0]?.message.nak(RETRY_MS);
      return false;
    }
  }
}
