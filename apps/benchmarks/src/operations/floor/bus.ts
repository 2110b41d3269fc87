/**
 * The floor's bus: request and reply over core NATS, and facts over JetStream, many to a message. A message is JSON in
 * the clear, filled up to the size that the service's own, sealed one has.
 */
import { AckPolicy, connect, type JsMsg, type NatsConnection, StorageType } from 'nats';

const STREAM = 'FLOOR';
const FACTS = 'floor.facts';
const TIMEOUT_MS = 20_000;
/** What the service's messages have beside their content: an envelope, and of a command the proofs of who asks. */
const ENVELOPE = 'x'.repeat(150);
const ENVELOPE_WITH_PROOFS = 'x'.repeat(900);

/** What one process tells others of what it has committed. */
export interface Fact {
  position: number;
  kind: 'payout-held' | 'payout-completed' | 'deposit-completed' | 'swap-completed';
  transactions: readonly Record<string, unknown>[];
}

export class Bus {
  private constructor(private readonly connection: NatsConnection) {}

  static async open(url: string): Promise<Bus> {
    const { username, password, host } = new URL(url);
    return new Bus(await connect({ servers: host, user: username, pass: password }));
  }

  /** What moves money or promises to. */
  command<Reply>(subject: string, body: unknown): Promise<Reply> {
    return this.request(subject, encoded(body, ENVELOPE_WITH_PROOFS));
  }

  ask<Reply>(subject: string, body: unknown): Promise<Reply> {
    return this.request(subject, encoded(body));
  }

  private async request<Reply>(subject: string, message: Buffer): Promise<Reply> {
    const { data } = await this.connection.request(subject, message, { timeout: TIMEOUT_MS });
    const { reply, error } = decoded<{ reply: Reply; error?: string }>(data);
    if (error !== undefined) throw new Error(error);
    return reply;
  }

  answer<Request, Reply>(subject: string, handler: (request: Request) => Promise<Reply>): void {
    this.connection.subscribe(subject, {
      callback: (_, message) => {
        handler(decoded<Request>(message.data)).then(
          (reply) => message.respond(encoded({ reply })),
          (error: unknown) => message.respond(encoded({ error: String(error) })),
        );
      },
    });
  }

  async makeStream(): Promise<void> {
    const manager = await this.connection.jetstreamManager();
    await manager.streams.add({ name: STREAM, subjects: [FACTS], storage: StorageType.File });
  }

  async publish(facts: readonly Fact[]): Promise<void> {
    await this.connection.jetstream().publish(FACTS, encoded({ facts }));
  }

  /** @param handle resolves when its commit is durable; only then is the message acknowledged */
  async consume(name: string, handle: (facts: readonly Fact[]) => Promise<void>): Promise<void> {
    const manager = await this.connection.jetstreamManager();
    await manager.consumers.add(STREAM, { durable_name: name, ack_policy: AckPolicy.Explicit });
    const consumer = await this.connection.jetstream().consumers.get(STREAM, name);
    const messages = await consumer.consume();
    const each = async (message: JsMsg) => {
      await handle(decoded<{ facts: Fact[] }>(message.data).facts);
      message.ack();
    };
    void (async () => {
      for await (const message of messages) await each(message);
    })();
  }
}

const encoded = (body: unknown, filling = ENVELOPE): Buffer => Buffer.from(JSON.stringify({ body, filling }));
const decoded = <Body>(data: Uint8Array): Body =>
  (JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString()) as { body: Body }).body;
