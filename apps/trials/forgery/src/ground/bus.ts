/** The bus as its users see it: each has a password of its own at the broker, and the keys of its program. */
import { randomUUID } from 'node:crypto';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { commandMac, requestProof, SignedText } from '@stablecoin/command-proofs/command-mac';
import { Evidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import type { BusUser } from '@stablecoin/local-stack/bus-users';
import { BusClient, subjectOf } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { openReply, RequestEnvelope } from '@stablecoin/messaging/envelope';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { brokerAnswer } from '@stablecoin/testing/broker-protocol';
import type { NatsConnection } from 'nats';

const DEADLINE_MS = 5_000;

/** With what a service asks. */
export interface Asking {
  /** Whose user of the bus it is, and whose keys it has. */
  user: BusUser;
  /** Whose keys, where they are others; null for none but the bus's own. */
  keysOf?: BusUser | null;
  shard?: number;
  /** What it states. */
  evidence?: Evidence;
  /** By whom that is signed, where it is not the service itself. */
  signedBy?: BusUser;
  /** The merchant whose request is under way: at the gateway, with a key of that mode, or of a member's at the backoffice. */
  onBehalfOf?: { merchantId: string; mode: string };
  /** What that request asks for, where it is something else. */
  asked?: { operation: { subject: string }; body: object };
  /** Of that request, in epoch milliseconds: two calls with the same one are of one request. */
  deadline?: number;
}

export interface BusKeys {
  urlOf: (user: string) => string;
  busKey: string;
  /** Base64. */
  commandKeyOf: (user: BusUser) => string;
}

export class Bus {
  private readonly connections = new Map<string, NatsConnection>();
  private readonly clients = new Map<string, Promise<BusClient>>();

  constructor(private readonly keys: BusKeys) {}

  /** @throws Refusal */
  async call<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Plain<Request>,
    { user, keysOf = user, shard, evidence, signedBy = user, onBehalfOf, asked, ...request }: Asking,
  ): Promise<Reply> {
    const client = await this.clientOf(user, keysOf);
    const target = {
      ...(shard !== undefined && { shard }),
      ...(evidence && { evidence: signEvidence(this.secretOf(signedBy), evidence) }),
    };
    const { deadline = Date.now() + DEADLINE_MS } = request;
    // The backoffice takes requests itself, and so its client proves them.
    const own = user === 'backoffice' ? onBehalfOf : undefined;
    const proof =
      onBehalfOf &&
      !own &&
      requestProof(this.secretOf('gateway').macKey, {
        ...{ merchant_id: onBehalfOf.merchantId, mode: onBehalfOf.mode, deadline },
        ...requested(user, operation, { shard, body, asked }),
      });
    const context = { requestId: 'forgery', deadline, ...(proof && { requestProof: proof }), ...own };
    return withRequestContext(context, () => client.call(operation, body, target));
  }

  /**
   * Sends a message that was changed after the service's MAC was made, or whose time is over.
   *
   * @throws Refusal
   */
  async callChanged<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    { body, changed = {}, agoMs = 0 }: { body: Plain<Request>; changed?: object; agoMs?: number },
    { user, shard }: Pick<Asking, 'user' | 'shard'>,
  ): Promise<Reply> {
    await this.clientOf(user, user);
    const connection = this.connections.get(nameOf(user, user));
    if (!connection) throw new Error(`${user} is not connected`);
    const subject = subjectOf(operation, shard);
    const deadline = Date.now() + DEADLINE_MS - agoMs;
    const mac = commandMac(this.secretOf(user).macKey, { service: user, subject, deadline, body });
    const ids = { request_id: 'forgery', call_id: randomUUID(), deadline };
    const envelope: RequestEnvelope = { ...ids, asked_by: { service: user, mac }, body: { ...body, ...changed } };
    const codec = this.codec();
    const { data } = await connection.request(subject, codec.encode(subject, envelope), { timeout: DEADLINE_MS });
    return openReply(codec.decode(subject, data)) as Reply;
  }

  /** What a service has stated, with its own key. */
  signedBy(user: BusUser): (evidence: Evidence) => SignedText {
    return (evidence) => signEvidence(this.secretOf(user), evidence);
  }

  /** Gives this answer to each program that asks, beside the service; until the function that it returns is called. */
  async answerTo<Request extends object, Reply>(
    user: BusUser,
    operation: Operation<Request, Reply>,
    reply: Reply,
  ): Promise<() => void> {
    await this.clientOf(user, user);
    const codec = this.codec();
    const subject = subjectOf(operation);
    const subscription = this.connections.get(nameOf(user, user))?.subscribe(subject, {
      callback: (_, message) => message.respond(codec.encode(subject, { ok: true, body: reply })),
    });
    await this.connections.get(nameOf(user, user))?.flush();
    return () => subscription?.unsubscribe();
  }

  /** What the broker says to a user who sends this, in its own protocol. */
  answer(user: BusUser, text: string): Promise<string> {
    return brokerAnswer(new URL(this.keys.urlOf(user)), text);
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections.values()].map((connection) => connection.close()));
  }

  private secretOf(user: BusUser): CallerSecret {
    return new CallerSecret(user, Buffer.from(this.keys.commandKeyOf(user), 'base64'));
  }

  private codec(): SealedCodec {
    return new SealedCodec(Buffer.from(this.keys.busKey, 'base64'));
  }

  private clientOf(user: BusUser, keysOf: BusUser | null): Promise<BusClient> {
    const name = nameOf(user, keysOf);
    const known = this.clients.get(name) ?? this.connect(user, keysOf);
    this.clients.set(name, known);
    return known;
  }

  private async connect(user: BusUser, keysOf: BusUser | null): Promise<BusClient> {
    const connection = await connectToBus(this.keys.urlOf(user), user, false);
    this.connections.set(nameOf(user, keysOf), connection);
    return new BusClient(connection, this.codec(), keysOf === null ? undefined : this.secretOf(keysOf));
  }
}

/** A merchant asks for what the forger then does, unless it is said otherwise. */
function requested(
  user: BusUser,
  operation: Operation<never, unknown> | { subject: string; answeredBy: 'shard' | 'any' },
  { shard, body, asked }: { shard: number | undefined; body: object } & Pick<Asking, 'asked'>,
) {
  if (asked) return { subject: asked.operation.subject, body: JSON.stringify(asked.body) };
  if (user === 'gateway') return { subject: subjectOf(operation as Operation<never, unknown>, shard) };
  const { from_amount: amount, ...terms } = body as { from_amount?: string };
  const isSwap = operation.subject === postSwap.subject;
  if (isSwap) return { subject: executeSwap.subject, body: JSON.stringify({ ...terms, amount }) };
  return { subject: simulateDeposit.subject, body: JSON.stringify(body) };
}

const nameOf = (user: BusUser, keysOf: BusUser | null): string => `${user} ${keysOf ?? ''}`;
