/**
 * Calls operations of other services. Each call ends by its request's deadline: with the reply, with the service's
 * `Refusal`, or with `Refusal('unavailable')`. After the latter the outcome is unknown unless it says `notExecuted`; a
 * command can be sent again with the same `command_id`.
 *
 * | phase   | reads                                  | writes                                | bounded by             |
 * |---------|----------------------------------------|---------------------------------------|------------------------|
 * | limit   | the calls that wait for the service    | releases the caller's slot; throws    | limitPerService (none  |
 * |         |                                        | ServiceFull                           | until it is called)    |
 * | seal    | the request's context, the body        | the envelope, sealed                  | the broker's maximum   |
 * | connect | whether the connection is there        | `held`, until it is back              | WAIT_FOR_RESPONDER_MS  |
 * | ask     | the reply                              | one message; for a read another every | the deadline,          |
 * |         |                                        | ASK_AGAIN_MS until one is answered    | REPLY_WAIT_MS_MAX      |
 * | retry   | the failure: no responder, or for a    | the message again, after              | WAIT_FOR_RESPONDER_MS, |
 * |         | read a lost connection                 | RESPONDER_POLL_MS                     | the deadline           |
 * | open    | the reply, unsealed                    | its value, or its refusal thrown      | one reply              |
 *
 * A retry is safe because nothing was done: no instance received the request, or it was only a read. So a service that
 * restarts and a shard that changes hands are a short wait for the caller and not an error.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { currentTraceparent } from '@stablecoin/telemetry/traces/tracing';
import { ErrorCode as NatsErrorCode, Events, Msg, NatsConnection, NatsError } from 'nats';
import { openReply, RequestEnvelope } from './envelope';
import { observedCall } from './observed-bus';
import { releasingSlot } from './concurrency-limiter';
import { currentRequest, freshRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';
import { Bulkheads } from './bulkheads';

const WAIT_FOR_RESPONDER_MS = 2_000;
const RESPONDER_POLL_MS = 50;
const REPLY_WAIT_MS_MAX = 60_000;
/** The broker is slow to notice that an instance hangs or has lost its connection, and goes on sending it requests. */
const ASK_AGAIN_MS = 1_500;

/** @returns the reply, unsealed */
type Ask = (timeoutMs: number) => Promise<unknown>;

class ConnectionLost extends Error {}

export class BusClient {
  /** Rejects each call that was sent: its answer can't arrive any more once the connection is lost. */
  private readonly waiting = new Set<(lost: Error) => void>();
  /** While the connection is lost, the NATS client drops every message that it is given. */
  private isConnected = true;
  /** Calls that wait for the connection to be back. */
  private readonly held = new Set<() => void>();
  private perService = new Bulkheads(Infinity);

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {
    void this.watchConnection();
  }

  /** From now on at most this many calls wait for any one service; the next call is refused before it is sent. */
  limitPerService(most: number): void {
    this.perService = new Bulkheads(most);
  }

  isFull(service: string): boolean {
    return this.perService.isFull(service);
  }

  call<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Plain<Request>,
    target: { shard?: number } = {},
  ): Promise<Reply> {
    const sent = () => observedCall(operation.subject, () => this.send(operation, body, target));
    return releasingSlot(() => this.perService.within(operation.subject, sent));
  }

  /** Waits for a call that another request made. Counts as a call, and ends by the waiting request's own deadline. */
  join<Value>({ subject }: { subject: string }, asked: Promise<Value>): Promise<Value> {
    return this.perService.within(subject, () => byDeadline(asked));
  }

  private async send<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Plain<Request>,
    target: { shard?: number },
  ): Promise<Reply> {
    const { requestId, deadline, merchantId, commandId } = currentRequest() ?? freshRequestContext();
    const subject = subjectOf(operation, target.shard);
    const caller = { request_id: requestId, merchant_id: merchantId, command_id: commandId };
    // A whole number: the service passes what is left of it to its database as a timeout.
    const envelope: RequestEnvelope = {
      ...{ ...caller, deadline: Math.floor(deadline) },
      ...{ traceparent: currentTraceparent(), body },
    };
    const payload = this.codec.encode(subject, envelope);
    const once = async (timeoutMs: number) => {
      const { data } = await this.answer(subject, payload, timeoutMs);
      return this.codec.decode(subject, data);
    };
    const ask = operation.readOnly ? (timeoutMs: number) => firstAnswer(once, timeoutMs) : once;
    return openReply(await this.request(ask, operation.readOnly, deadline)) as Reply;
  }

  private async request(ask: Ask, readOnly: boolean, deadline: number): Promise<unknown> {
    const waitUntil = Math.min(deadline, Date.now() + WAIT_FOR_RESPONDER_MS);
    for (;;) {
      const timeout = Math.min(deadline - Date.now(), REPLY_WAIT_MS_MAX);
      if (timeout <= 0) throw new Refusal('unavailable');
      if (!this.isConnected && !(await this.connectedBy(waitUntil))) throw Refusal.notExecuted();
      try {
        return await ask(timeout);
      } catch (error) {
        if (isTooLarge(error)) throw new Refusal('payload_too_large');
        const notExecuted = isWithoutResponder(error) || (readOnly && error instanceof ConnectionLost);
        if (!notExecuted) throw new Refusal('unavailable');
        if (Date.now() + RESPONDER_POLL_MS >= waitUntil) throw Refusal.notExecuted();
        await delay(RESPONDER_POLL_MS);
      }
    }
  }

  /** Fails at once when the connection breaks: the broker has dropped an answer that was on its way. */
  private answer(subject: string, payload: Uint8Array, timeout: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      const answered = this.connection.request(subject, payload, { timeout });
      void answered.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  private async connectedBy(moment: number): Promise<boolean> {
    let goOn = (): void => undefined;
    const timer = setTimeout(() => goOn(), moment - Date.now());
    await new Promise<void>((resolve) => this.held.add((goOn = resolve)));
    this.held.delete(goOn);
    clearTimeout(timer);
    return this.isConnected;
  }

  /** Ends with the connection. */
  private async watchConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === Events.Reconnect) {
        this.isConnected = true;
        for (const goOn of this.held) goOn();
      } else if (type === Events.Disconnect) {
        this.isConnected = false;
        for (const lose of this.waiting) lose(new ConnectionLost());
      }
    }
  }
}

async function byDeadline<Value>(asked: Promise<Value>): Promise<Value> {
  const { deadline } = currentRequest() ?? freshRequestContext();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal('unavailable')), deadline - Date.now());
  });
  return Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
}

const isWithoutResponder = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.NoResponders as string);

/** The NATS client refuses to send it: it knows the broker's maximum. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.MaxPayloadExceeded as string);

const isUnavailable = (reply: unknown): boolean => (reply as { code?: unknown } | null)?.code === 'unavailable';

/** Asks again every ASK_AGAIN_MS. The first reply counts; a failure counts only when no other attempt is open. */
function firstAnswer(ask: Ask, timeoutMs: number): Promise<unknown> {
  const deadline = Date.now() + timeoutMs;
  return new Promise((resolve, reject) => {
    let open = 0;
    const once = () => {
      const left = deadline - Date.now();
      if (left <= 0) return;
      open += 1;
      ask(left).then(answered, failed);
    };
    const again = setInterval(once, ASK_AGAIN_MS);
    const answered = (reply: unknown) => {
      // Another instance was asked as well and may still answer.
      if (open > 1 && isUnavailable(reply)) return void (open -= 1);
      clearInterval(again);
      resolve(reply);
    };
    const failed = (error: unknown) => {
      open -= 1;
      if (open > 0) return;
      clearInterval(again);
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    once();
  });
}

/** `wallet.get-wallet`, or for an operation of one shard's owner `wallet.hold-payout.3`. */
export function subjectOf<Request extends object, Reply>(operation: Operation<Request, Reply>, shard?: number): string {
  if (operation.answeredBy === 'any') return operation.subject;
  if (shard === undefined) throw new Error(`${operation.subject} is answered by a shard's owner: name the shard`);
  return `${operation.subject}.${shard}`;
}
