import { setTimeout as delay } from 'node:timers/promises';
import { Operation } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { currentTraceparent } from '@stablecoin/telemetry/traces/tracing';
import { ErrorCode as NatsErrorCode, Events, Msg, NatsConnection, NatsError } from 'nats';
import { openReply, RequestEnvelope } from './envelope';
import { observedCall } from './observed-bus';
import { currentRequest, freshRequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';

const WAIT_FOR_RESPONDER_MS = 2_000;
const RESPONDER_POLL_MS = 50;
const MAX_REPLY_WAIT_MS = 60_000;

/**
 * Calls operations of other services. Each call ends by its request's deadline: with the reply, with the service's
 * `Refusal`, or with `Refusal('unavailable')`. After the latter the outcome is unknown unless it says `nothingDone`; a
 * command can be sent again with the same `command_id`.
 */
export class BusClient {
  /** Calls that were sent, each to be ended when its answer can't come any more. */
  private readonly waiting = new Set<(lost: Error) => void>();
  /** While the connection is lost: what the client is given meanwhile it drops. */
  private reconnected: Promise<void> | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {
    void this.watchConnection();
  }

  call<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Request,
    target: { shard?: number } = {},
  ): Promise<Reply> {
    return observedCall(operation.subject, () => this.send(operation, body, target));
  }

  private async send<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    body: Request,
    target: { shard?: number },
  ): Promise<Reply> {
    const { requestId, deadline, merchantId, commandId } = currentRequest() ?? freshRequestContext();
    const subject = subjectOf(operation, target.shard);
    const caller = { request_id: requestId, merchant_id: merchantId, command_id: commandId };
    const envelope: RequestEnvelope = { ...caller, deadline, traceparent: currentTraceparent(), body };
    const reply = await this.request(subject, this.codec.encode(subject, envelope), deadline);
    return openReply(reply) as Reply;
  }

  /**
   * Nobody listening means that nothing was done, so the request is sent again for a while: a service that restarts
   * or a shard that changes hands is a short wait for the caller, not an error. So is a connection that is just lost.
   */
  private async request(subject: string, payload: Uint8Array, deadline: number): Promise<unknown> {
    const waitUntil = Math.min(deadline, Date.now() + WAIT_FOR_RESPONDER_MS);
    for (;;) {
      const timeout = Math.min(deadline - Date.now(), MAX_REPLY_WAIT_MS);
      if (timeout <= 0) throw new Refusal('unavailable');
      if (this.reconnected && !(await this.connectedBy(waitUntil))) throw Refusal.untouched();
      try {
        const message = await this.answer(subject, payload, timeout);
        return this.codec.decode(subject, message.data);
      } catch (error) {
        const nobodyThere = error instanceof NatsError && error.code === NatsErrorCode.NoResponders;
        if (!nobodyThere) throw new Refusal('unavailable');
        if (Date.now() + RESPONDER_POLL_MS >= waitUntil) throw Refusal.untouched();
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
    const waiting = new AbortController();
    const tooLate = delay(moment - Date.now(), undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.reconnected, tooLate]);
    waiting.abort();
    return this.reconnected === undefined;
  }

  /** Ends with the connection. */
  private async watchConnection(): Promise<void> {
    let back = (): void => undefined;
    for await (const { type } of this.connection.status()) {
      if (type === Events.Reconnect) {
        this.reconnected = undefined;
        back();
      } else if (type === Events.Disconnect) {
        this.reconnected ??= new Promise((resolve) => (back = resolve));
        for (const lose of this.waiting) lose(new Error('the connection to the broker was lost'));
      }
    }
  }
}

/** `wallet.get-wallet`, or for an operation of one shard's owner `wallet.hold-payout.3`. */
export function subjectOf<Request extends object, Reply>(operation: Operation<Request, Reply>, shard?: number): string {
  if (operation.answeredBy === 'any') return operation.subject;
  if (shard === undefined) throw new Error(`${operation.subject} is answered by a shard's owner: name the shard`);
  return `${operation.subject}.${shard}`;
}
