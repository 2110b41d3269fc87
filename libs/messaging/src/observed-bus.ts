import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { instruments, secondsSince } from '@stablecoin/telemetry/metrics/instruments';
import { inSpan, SpanKind } from '@stablecoin/telemetry/traces/tracing';
import { ReplyEnvelope } from './envelope';

/** Metrics and spans of a call, on the side that makes it and on the side that answers it. */
type Outcome = 'ok' | 'refused' | 'unavailable' | 'internal_error';

const outcomeOf = (code: string): Outcome => (code === 'unavailable' || code === 'internal_error' ? code : 'refused');

export async function observedCall<Reply>(subject: string, work: () => Promise<Reply>): Promise<Reply> {
  const startedAt = performance.now();
  let outcome: Outcome = 'ok';
  try {
    return await inBusSpan('call', subject, 'client', undefined, work);
  } catch (error) {
    outcome = outcomeOf(error instanceof Refusal ? error.code : 'internal_error');
    throw error;
  } finally {
    instruments.bus_call_duration_seconds.observe({ subject, outcome }, secondsSince(startedAt));
  }
}

/**
 * An error becomes a refusal within the span, so that what is logged of it names the span; the span fails all the same.
 *
 * @param traceparent the caller's, out of the envelope
 */
export async function answerInSpan<Reply>(
  subject: string,
  traceparent: unknown,
  { work, refuse }: { work: () => Promise<Reply>; refuse: (error: unknown) => Reply },
): Promise<Reply> {
  let refused: { reply: Reply } | undefined;
  const answering = async () => {
    try {
      return await work();
    } catch (error) {
      refused = { reply: refuse(error) };
      throw error;
    }
  };
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  try {
    return await inBusSpan('answer', subject, 'server', parent, answering);
  } catch (error) {
    if (refused) return refused.reply;
    throw error;
  }
}

export function countAnswer(subject: string, reply: ReplyEnvelope, startedAt: number): void {
  const outcome = reply.ok ? 'ok' : outcomeOf(reply.code);
  instruments.bus_answer_duration_seconds.observe({ subject, outcome }, secondsSince(startedAt));
  if (!reply.ok) instruments.bus_refusals_total.inc({ subject, code: reply.code });
}

function inBusSpan<Result>(
  verb: 'call' | 'answer',
  subject: string,
  kind: SpanKind,
  parent: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
  return inSpan(`${verb} ${subject}`, { kind, parent, attributes }, work);
}
