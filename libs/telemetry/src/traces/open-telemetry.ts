/** The one file that knows OpenTelemetry's SDK. Loaded only where traces are on. */
import {
  Attributes,
  Context,
  context,
  isSpanContextValid,
  Link,
  ROOT_CONTEXT,
  Span,
  SpanContext,
  SpanKind as OtelSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanKind, SpanOptions, Tracer } from './tracing';

export interface TraceSettings {
  /** Named in every span as `service.name`. */
  service: string;
  /** Where an OTLP/HTTP receiver listens, without `/v1/traces`. */
  endpoint: string;
  /** The share of traces that are kept, 0 to 1; decided where a trace begins. */
  ratio: number;
}

/** Spans that wait to be sent; beyond these they are dropped, never waited for. */
const QUEUE_MAX = 4_096;
const SEND_EVERY_MS = 1_000;
const SEND_TIMEOUT_MS = 2_000;

const KINDS: Readonly<Record<SpanKind, OtelSpanKind>> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
};

export function openTelemetry(
  { service, endpoint, ratio }: TraceSettings,
  exporter: SpanExporter = otlpExporter(endpoint),
): { tracer: Tracer; end: () => Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUE_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const source = provider.getTracer('stablecoin-account-service');
  const begin = (name: string, options: SpanOptions): OpenSpan => {
    const parent = parentOf(options.parent);
    const links = (options.links ?? []).flatMap(linkTo);
    const attributes: Attributes = { ...options.attributes };
    return opened(source.startSpan(name, { kind: KINDS[options.kind], links, attributes }, parent), parent);
  };
  const current = (): OpenSpan | undefined => {
    const span = trace.getActiveSpan();
    return span && opened(span, context.active());
  };
  const end = async (): Promise<void> => {
    await provider.shutdown().catch(() => undefined);
    context.disable();
  };
  return { tracer: { begin, current, outside: (work) => context.with(ROOT_CONTEXT, work) }, end };
}

function otlpExporter(endpoint: string): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  return new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS });
}

function opened(span: Span, parent: Context): OpenSpan {
  const spanContext = span.spanContext();
  return {
    traceparent: traceparentOf(spanContext),
    sampled: (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0,
    within: (work) => context.with(trace.setSpan(parent, span), work),
    linkTo: (traceparent) => {
      for (const link of linkTo(traceparent)) span.addLink(link);
    },
    set: (attribute, value) => void span.setAttribute(attribute, value),
    end: (error) => {
      if (error !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType(error));
      span.end();
    },
  };
}

/** A code, or the name of a class: what the code calls it, never what the error says. */
function errorType(error: unknown): string {
  const { code, constructor } = (error ?? {}) as { code?: unknown; constructor?: { name?: string } };
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : (constructor?.name ?? 'unknown');
}

function parentOf(traceparent: string | undefined): Context {
  const remote = traceparent === undefined ? undefined : spanContextOf(traceparent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : context.active();
}

function linkTo(traceparent: string): Link[] {
  const linked = spanContextOf(traceparent);
  return linked ? [{ context: linked }] : [];
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** Undefined for what is no `traceparent` (W3C Trace Context, version 00). */
function spanContextOf(traceparent: string): SpanContext | undefined {
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent);
  if (!parts) return undefined;
  const [, traceId, spanId, flags] = parts as unknown as [string, string, string, string];
  const found: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return isSpanContextValid(found) ? found : undefined;
}
