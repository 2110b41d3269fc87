import { useTracer } from '@stablecoin/telemetry/traces/tracing';
import { ServiceConfiguration } from './service-configuration';

/**
 * Traces what the process does, if a collector is configured. OpenTelemetry is loaded only then.
 *
 * @returns a function that ends tracing: it sends the remaining spans, within a bounded time
 */
export async function startTracing(
  service: string,
  { tracesEndpoint, tracesRatio }: Pick<ServiceConfiguration, 'tracesEndpoint' | 'tracesRatio'>,
): Promise<() => Promise<void>> {
  if (tracesEndpoint === null) return () => Promise.resolve();
  const { openTelemetry } = await import('@stablecoin/telemetry/traces/open-telemetry.js');
  const { tracer, end } = openTelemetry({ service, endpoint: tracesEndpoint, ratio: tracesRatio });
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    await end();
  };
}
