import { factSubject, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { RememberedTraces } from '@stablecoin/telemetry/traces/remembered-traces';
import { beginSpan, isTracing, OpenSpan } from '@stablecoin/telemetry/traces/tracing';

/**
 * Publishes facts, each in the trace of the request that caused it. A fact that another instance appended, or this one
 * before a restart, is published without a trace.
 */
export async function publishTraced(
  stream: LedgerStream,
  facts: readonly LedgerFact[],
  traces: RememberedTraces<number>,
): Promise<void> {
  if (!isTracing()) return stream.publish(facts);
  const spans = new Map(facts.map((fact) => [fact.position, beginPublishSpan(fact, traces)]));
  try {
    await stream.publish(facts, ({ position }) => spans.get(position)?.traceparent);
    facts.forEach(({ position }) => traces.forget(position));
    spans.forEach((span) => span?.end());
  } catch (error) {
    spans.forEach((span) => span?.end(error));
    throw error;
  }
}

function beginPublishSpan(
  { shard, movement, position }: LedgerFact,
  traces: RememberedTraces<number>,
): OpenSpan | undefined {
  const parent = traces.of(position);
  if (parent === undefined) return undefined;
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': factSubject(shard, movement) };
  return beginSpan(`publish ${movement}`, { kind: 'producer', parent, attributes });
}
