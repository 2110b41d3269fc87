import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { TRACEPARENT_HEADER } from '@stablecoin/messaging/ledger-stream';
import { instruments, secondsSince } from '@stablecoin/telemetry/metrics/instruments';
import { inSpan, isTracing, partOfAll } from '@stablecoin/telemetry/traces/tracing';
import { JsMsg } from 'nats';

/**
 * Metrics and traces of a batch of facts. It is handled in one transaction, so it is one span: a part of the first
 * fact's trace, linked with the traces of the others.
 */
export async function observedBatch(
  consumer: string,
  deliveries: readonly { message: JsMsg; fact: LedgerFact }[],
  handle: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  let outcome: 'handled' | 'failed' = 'failed';
  try {
    await inBatchSpan(consumer, deliveries, handle);
    outcome = 'handled';
    instruments.consumer_batch_facts.observe({ consumer }, deliveries.length);
    instruments.consumer_fact_age_seconds.observe({ consumer }, ageInSeconds(deliveries.map(({ fact }) => fact)));
  } finally {
    const seconds = secondsSince(startedAt);
    instruments.consumer_handle_duration_seconds.observe({ consumer, outcome }, seconds);
  }
}

function inBatchSpan(consumer: string, deliveries: readonly { message: JsMsg }[], handle: () => Promise<void>) {
  if (!isTracing()) return handle();
  const part = partOfAll(deliveries.map(({ message }) => message.headers?.get(TRACEPARENT_HEADER)));
  const attributes = {
    'messaging.system': 'nats',
    'messaging.consumer.group.name': consumer,
    'messaging.batch.message_count': deliveries.length,
  };
  return inSpan(`handle ${consumer}`, { kind: 'consumer', ...part, attributes }, handle);
}

/** Of the oldest. */
function ageInSeconds(facts: readonly LedgerFact[]): number {
  const times = facts.map(({ recorded_at }) => Date.parse(recorded_at)).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times)) / 1_000;
}
