import { RequestProof, SignedText } from '@stablecoin/command-proofs/command-mac';
import { FieldError, isErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { RequestContext } from './request-context';

/** No id is longer: a longer value is not an id. */
const ID_MAX = 64;

/** Sent with every request: ids for the log lines, and when its caller stops waiting (epoch milliseconds). */
export interface RequestEnvelope {
  request_id: string;
  /** The same on every message of one call: see repeated-calls.ts. */
  call_id?: string | undefined;
  deadline: number;
  merchant_id?: string | undefined;
  command_id?: string | undefined;
  /** Whose data a request of any instance is about, where the caller knows it; the subject has it for a shard's owner. */
  shard?: number | undefined;
  /** The caller's span (W3C Trace Context); left out when nothing is traced. */
  traceparent?: string | undefined;
  /** Of a request that the gateway took from a merchant. */
  request_proof?: RequestProof | undefined;
  /** Of an operation that names its callers. */
  asked_by?: CallerClaim | undefined;
  body: unknown;
}

/** Who says that it asks, its MAC over the message, and what it states with its signature. */
export interface CallerClaim {
  service: string;
  mac: string;
  evidence?: SignedText | undefined;
}

export type ReplyEnvelope = { ok: true; body: unknown } | RefusalEnvelope;

interface RefusalEnvelope {
  ok: false;
  code: string;
  fields?: readonly FieldError[];
  nothing_done?: boolean;
  retry_after_seconds?: number;
}

export function isRequestEnvelope(value: unknown): value is RequestEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  const { request_id, deadline } = value as Partial<RequestEnvelope>;
  return typeof request_id === 'string' && typeof deadline === 'number' && 'body' in value;
}

/**
 * The context in which a request is answered. A command that was derived from the caller's has an id of its own, which
 * the request names; the request's id joins the two.
 */
export function contextOf(envelope: RequestEnvelope): RequestContext {
  const { request_id: requestId, deadline, body, request_proof: requestProof } = envelope;
  const shard = Number.isInteger(envelope.shard) ? envelope.shard : undefined;
  const own = body as Partial<RequestEnvelope> | null;
  const merchantId = idOrNothing(own?.merchant_id ?? envelope.merchant_id);
  const ids = { requestId, merchantId, commandId: idOrNothing(own?.command_id ?? envelope.command_id) };
  return { ...ids, deadline, shard, requestProof };
}

export const callIdOf = ({ call_id }: RequestEnvelope): string | undefined => idOrNothing(call_id);

const idOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= ID_MAX ? value : undefined;

/** The value of a reply, or its refusal thrown; a code that this side doesn't know is an internal error. */
export function openReply(reply: unknown): unknown {
  const envelope = reply as ReplyEnvelope;
  if (envelope.ok) return envelope.body;
  const code = isErrorCode(envelope.code) ? envelope.code : 'internal_error';
  throw new Refusal(code, envelope.fields, envelope.nothing_done === true, envelope.retry_after_seconds);
}
