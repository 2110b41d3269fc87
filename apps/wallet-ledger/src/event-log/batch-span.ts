import { beginSpan, OpenSpan, partOfAll } from '@stablecoin/telemetry/traces/tracing';

/**
 * The span of a batch, which serves many requests: a child of the first traced request's span, with links to and from the
 * spans of the others. Undefined when no request is traced.
 */
export function beginBatchSpan(shard: number, requests: readonly (OpenSpan | undefined)[]): OpenSpan | undefined {
  const traced = requests.filter((request) => request !== undefined);
  if (traced.length === 0) return undefined;
  const part = partOfAll(traced.map(({ traceparent }) => traceparent));
  if (!part) return undefined;
  const attributes = { 'ledger.shard': shard, 'ledger.batch.commands': requests.length };
  const batch = beginSpan('ledger batch', { kind: 'internal', ...part, attributes });
  if (batch) traced.forEach((request) => request.traceparent !== part.parent && request.linkTo(batch.traceparent));
  return batch;
}
