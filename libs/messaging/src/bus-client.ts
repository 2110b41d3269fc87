import { setTimeout as delay } from 'node:timers/promises';
import { Operation } from '@stablecoin/contracts/wire/operation';
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
const MAX_REPLY_WAIT_MS = 60_000;
/** An instance that hangs, or whose connection is silently gone, is handed its share until the broker notices. */
const ASK_AGAIN_MS = 1_500;

/** @returns the reply, unsealed */
type Ask = (timeoutMs: number) => Promise<unknown>;

class ConnectionLost extends Error {}

/**
 * Calls operations of other services. Each call ends by its request's deadline: with the reply, with the service's
 * `Refusal`, or with `Refusal('unavailable')`. After the latter the outcome is unknown unless it says `notExecuted`; a
 * command can be sent again with the same `command_id`.
 */
export class BusClient {
  /** Calls that were sent, each to be ended when its answer can't come any more. */
  private readonly waiting = new Set<(lost: Error) => void>();
  /** What the client is given while the connection is lost it drops. */
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

  /** From here on no more than this wait for any one service; whoever comes next is refused untouched. */
  limitPerService(most: number): void {
    this.perService = new Bulkheads(most);
  }

  isFull(service: string): boolean {
    return this.perService.isFull(service);
  }

  call<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Request,
    target: { shard?: number } = {},
  ): Promise<Reply> {
    const sent = () => observedCall(operation.subject, () => this.send(operation, body, target));
    return releasingSlot(() => this.perService.within(operation.subject, sent));
  }

  /** To wait for what another has asked counts like asking, and ends by one's own deadline, which may be earlier. */
  join<Value>({ subject }: { subject: string }, asked: Promise<Value>): Promise<Value> {
    return this.perService.within(subject, () => byDeadline(asked));
  }

  private async send<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Request,
    target: { shard?: number },
  ): Promise<Reply> {
    const { requestId, deadline, merchantId, commandId } = currentRequest() ?? freshRequestContext();
    const subject = subjectOf(operation, target.shard);
    const caller = { request_id: requestId, merchant_id: merchantId, command_id: commandId };
    // Whole: databases are told of what is left of it.
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

  /**
   * Nobody listening means that nothing was done, so the request is sent again for a while: a service that restarts
   * or a shard that changes hands is a short wait for the caller, not an error. So is a connection that was just lost,
   * if nothing was sent on it, or only a question.
   */
  private async request(ask: Ask, readOnly: boolean, deadline: number): Promise<unknown> {
    const waitUntil = Math.min(deadline, Date.now() + WAIT_FOR_RESPONDER_MS);
    for (;;) {
      const timeout = Math.min(deadline - Date.now(), MAX_REPLY_WAIT_MS);
      if (timeout <= 0) throw new Refusal('unavailable');
      if (!this.isConnected && !(await this.connectedBy(waitUntil))) throw Refusal.notExecuted();
      try {
        return await ask(timeout);
      } catch (error) {
        if (isTooLarge(error)) throw new Refusal('payload_too_large');
        const notExecuted = isNobodyThere(error) || (readOnly && error instanceof ConnectionLost);
        if (!notExecuted) throw new Refusal('unavailable');
        if (Date.now() + RESPONDER_POLL_MS >= waitUntil) throw Refusal.notExecuted();
        await delay(RESPONDER_POLL_MS);
      }
    }
  }

  /** Nobody waits for an answer that was on its way when the connection broke: the broker has dropped it. */
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

const isNobodyThere = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.NoResponders as string);

/** The client did not send it, and never will: the broker has told it what a message may have. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.MaxPayloadExceeded as string);

const isUnavailable = (reply: unknown): boolean => (reply as { code?: unknown } | null)?.code === 'unavailable';

/** Asks again every ASK_AGAIN_MS; what comes first counts, and a failure only when nothing else is left to wait for. */
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
      // One instance that can't answer is no reason to drop the answer of the other.
      if (open > 1 && isUnavailable(reply)) return void (open -= 1);
      clearInterval(again);
      resolve(reply);
    };
    const failed = (error: unknown) => {
      open -= 1;
      if (open > 0) return;
      clearInterval(again);
      reject(error as Error);
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
