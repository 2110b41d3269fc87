/**
 * Calls operations of other services. Each call ends by its request's deadline: with the reply, with the service's
 * `Refusal`, or with `Refusal('unavailable')`. After the latter the outcome is unknown unless it says `notExecuted`; a
 * command can be sent again with the same `command_id`.
 *
 * | phase   | reads                                  | writes                                | bounded by             |
 * |---------|----------------------------------------|---------------------------------------|------------------------|
 * | limit   | the calls that wait for the service    | releases the caller's slot; throws    | limitPerService (none  |
 * |         |                                        | ServiceFull                           | until it is called)    |
 * | prove   | the caller's secret, the body          | the caller's MAC, for an operation    | one request            |
 * |         |                                        | that names its callers; at the        |                        |
 * |         |                                        | gateway its proof of the request      |                        |
 * | seal    | the request's context, the body        | the envelope, sealed                  | the broker's maximum   |
 * | connect | whether the connection is there        | `held`, until it is back              | WAIT_FOR_RESPONDER_MS  |
 * | ask     | the reply                              | one message; for a read another every | the deadline,          |
 * |         |                                        | ASK_AGAIN_MS until one is answered    | REPLY_WAIT_MS_MAX      |
 * | repeat  | the connection is new, or the answer   | the same message once more            | the deadline;          |
 * |         | was reported lost (lost-answers.ts)    |                                       | without a connection   |
 * |         |                                        |                                       | CONNECTION_LOST_MS     |
 * | retry   | the failure: no responder, or for a    | the message again, after              | WAIT_FOR_RESPONDER_MS, |
 * |         | read a lost connection                 | RESPONDER_POLL_MS                     | the deadline           |
 * | open    | the reply, unsealed                    | its value, or its refusal thrown      | one reply              |
 *
 * A retry is safe because nothing was done: no instance received the request, or it was only a read. So a service that
 * restarts and a shard that changes hands are a short wait for the caller and not an error. A repeat is safe because the
 * instance that handles the call, or has just handled it, knows it by its id (repeated-calls.ts), and another instance
 * knows the command by its command id.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { commandMac, requestProof, RequestProof, SignedText } from '@stablecoin/command-proofs/command-mac';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { currentTraceparent } from '@stablecoin/telemetry/traces/tracing';
import { ErrorCode as NatsErrorCode, Events, NatsConnection, NatsError } from 'nats';
import { inboxOf } from './bus-connection';
import { CallUnderWay, isWithoutResponder } from './call-under-way';
import { CallerClaim, openReply, RequestEnvelope } from './envelope';
import { isLostAnswers, lostAnswersSubject } from './lost-answers';
import { observedCall } from './observed-bus';
import { releasingSlot } from './concurrency-limiter';
import { currentRequest, freshRequestContext, RequestContext } from './request-context';
import { SealedCodec } from './sealed-codec';
import { Bulkheads } from './bulkheads';

const WAIT_FOR_RESPONDER_MS = 2_000;
const RESPONDER_POLL_MS = 50;
const REPLY_WAIT_MS_MAX = 60_000;
/** The broker is slow to notice that an instance hangs or has lost its connection, and goes on sending it requests. */
const ASK_AGAIN_MS = 1_500;
/** For how long calls that are under way wait for the connection. */
const CONNECTION_LOST_MS = WAIT_FOR_RESPONDER_MS;

/** What a call goes to and with. */
interface CallTarget {
  /** Whose owner is asked, or on whose database the answer is. */
  shard?: number;
  /** What this service states of the world outside, signed; for an operation that names its callers. */
  evidence?: SignedText | undefined;
}

interface Call {
  id: string;
  readOnly: boolean;
  /** Epoch milliseconds. */
  deadline: number;
  /** Sends the message. @returns the reply, unsealed */
  readonly ask: (timeoutMs: number) => Promise<unknown>;
}

class ConnectionLost extends Error {}

export class BusClient {
  /** The calls that were sent, by their ids. */
  private readonly underWay = new Map<string, CallUnderWay>();
  /** While the connection is lost, the NATS client drops every message that it is given. */
  private isConnected = true;
  /** Calls that wait for the connection to be back. */
  private readonly held = new Set<() => void>();
  private perService = new Bulkheads(Infinity);

  constructor(
    private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
    /** Left out by a program that asks for no command that names its callers. */
    private readonly secret?: CallerSecret,
  ) {
    void this.watchConnection();
    const lostAnswers = lostAnswersSubject(inboxOf(connection));
    connection.subscribe(lostAnswers, {
      callback: (error, { subject, data }) => {
        // The broker refuses the subscription only to a program that may not have an inbox either.
        if (!error) this.repeat(subject, data);
      },
    });
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
    target: CallTarget = {},
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
    target: CallTarget,
  ): Promise<Reply> {
    const context = currentRequest() ?? freshRequestContext();
    const { requestId, merchantId, commandId } = context;
    // A whole number: the service passes what is left of it to its database as a timeout.
    const deadline = Math.floor(context.deadline);
    const subject = subjectOf(operation, target.shard);
    const id = randomUUID();
    const caller = { request_id: requestId, call_id: id, merchant_id: merchantId, command_id: commandId };
    const envelope: RequestEnvelope = {
      ...{ ...caller, deadline, traceparent: currentTraceparent() },
      ...(operation.answeredBy === 'any' && { shard: target.shard }),
      ...{ request_proof: this.proofOf(context, operation, { subject, deadline, body }), asked_by: undefined, body },
    };
    if (operation.callers) envelope.asked_by = this.claim(subject, envelope, target.evidence);
    const payload = this.codec.encode(subject, envelope);
    const ask = async (timeout: number) => {
      const { data } = await this.connection.request(subject, payload, { timeout });
      return this.codec.decode(subject, data);
    };
    return openReply(await this.request({ id, readOnly: operation.readOnly, deadline, ask })) as Reply;
  }

  private claim(
    subject: string,
    { deadline, body }: RequestEnvelope,
    evidence: SignedText | undefined,
  ): CallerClaim | undefined {
    if (!this.secret) return undefined;
    const { service, macKey } = this.secret;
    return { service, mac: commandMac(macKey, { service, subject, deadline, body, evidence }), evidence };
  }

  /** The one that came with the request; made here where a merchant's key was seen, for what leads to a command of the ledger. */
  private proofOf(
    { requestProof: given, merchantId: merchant_id, mode }: RequestContext,
    { callers, provesRequest }: Pick<Operation<object, unknown>, 'callers' | 'provesRequest'>,
    { subject, deadline, body }: { subject: string; deadline: number; body: unknown },
  ): RequestProof | undefined {
    if (given || !this.secret || mode === undefined || merchant_id === undefined) return given;
    if (!callers && !provesRequest) return undefined;
    const asked = { subject, ...(provesRequest && { body: JSON.stringify(body) }) };
    return requestProof(this.secret.macKey, { by: this.secret.service, merchant_id, mode, deadline, ...asked });
  }

  private async request(call: Call): Promise<unknown> {
    const { readOnly, deadline } = call;
    const waitUntil = Math.min(deadline, Date.now() + WAIT_FOR_RESPONDER_MS);
    for (;;) {
      const timeoutMs = Math.min(deadline - Date.now(), REPLY_WAIT_MS_MAX);
      if (timeoutMs <= 0) throw new Refusal('unavailable');
      if (!this.isConnected && !(await this.connectedBy(waitUntil))) throw Refusal.notExecuted();
      try {
        return await this.answer(call, timeoutMs);
      } catch (error) {
        if (isTooLarge(error)) throw new Refusal('payload_too_large');
        const notExecuted = isWithoutResponder(error) || (readOnly && error instanceof ConnectionLost);
        if (!notExecuted) throw new Refusal('unavailable');
        if (Date.now() + RESPONDER_POLL_MS >= waitUntil) throw Refusal.notExecuted();
        await delay(RESPONDER_POLL_MS);
      }
    }
  }

  private async answer({ id, readOnly, ask }: Call, timeoutMs: number): Promise<unknown> {
    const everyMs = readOnly ? ASK_AGAIN_MS : undefined;
    const call = new CallUnderWay({ ask, timeoutMs, everyMs, isConnected: () => this.isConnected });
    this.underWay.set(id, call);
    return call.answer.finally(() => this.underWay.delete(id));
  }

  private repeat(subject: string, message: Uint8Array): void {
    const lost = this.opened(subject, message);
    if (isLostAnswers(lost)) lost.call_ids.forEach((id) => this.underWay.get(id)?.askAgain());
  }

  /** Undefined when it was not sealed for this bus: an answer then ends at its deadline. */
  private opened(subject: string, message: Uint8Array): unknown {
    try {
      return this.codec.decode(subject, message);
    } catch {
      return undefined;
    }
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
    let givingUp: NodeJS.Timeout | undefined;
    for await (const { type } of this.connection.status()) {
      if (type === Events.Reconnect) {
        this.isConnected = true;
        clearTimeout(givingUp);
        for (const goOn of this.held) goOn();
        // The broker has dropped the answers that were on their way.
        for (const call of this.underWay.values()) call.askAgain();
      } else if (type === Events.Disconnect && this.isConnected) {
        this.isConnected = false;
        givingUp = setTimeout(() => this.giveUp(), CONNECTION_LOST_MS);
      }
    }
    clearTimeout(givingUp);
  }

  private giveUp(): void {
    for (const call of this.underWay.values()) call.giveUp(new ConnectionLost());
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

/** The NATS client refuses to send it: it knows the broker's maximum. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.MaxPayloadExceeded as string);

/** `wallet.get-wallet`, or for an operation of one shard's owner `wallet.hold-payout.3`. */
export function subjectOf<Request extends object, Reply>(operation: Operation<Request, Reply>, shard?: number): string {
  if (operation.answeredBy === 'any') return operation.subject;
  if (shard === undefined) throw new Error(`${operation.subject} is answered by a shard's owner: name the shard`);
  return `${operation.subject}.${shard}`;
}
