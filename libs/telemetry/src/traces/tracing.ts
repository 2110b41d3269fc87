/**
 * The tracing interface that all code uses. Tracing is off when a process begins: every call is then one comparison,
 * and nothing of OpenTelemetry's SDK is loaded. open-telemetry.ts implements it, and is loaded at a process's start
 * where tracing is configured.
 *
 * A trace begins with an HTTP request or with a step that no request waits for (`beginSpan`). Everything else is part
 * of an existing trace, or isn't traced (`inSpan`): a loop that finds no work makes no trace. Between processes the
 * trace goes on through W3C's `traceparent`: in the envelope of a request, in the header of a published fact.
 *
 * Names and attributes are the code's own words: operations, routes, tables, counts. Never a value.
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind: SpanKind;
  /** A `traceparent` from elsewhere; without one, the span that is current here. */
  parent?: string | undefined;
  /** Other traces that this is part of too: a commit serves many requests. */
  links?: readonly string[];
  attributes?: Readonly<Record<string, string | number>>;
}

export interface OpenSpan {
  readonly traceparent: string;
  /** Whether it will be exported. */
  readonly sampled: boolean;
  /** Runs `work` so that what it does is part of this span. */
  within<Result>(work: () => Result): Result;
  linkTo(traceparent: string): void;
  set(attribute: string, value: string | number): void;
  /** @param error why it failed: the span gets its code, never its text */
  end(error?: unknown): void;
}

export interface Tracer {
  begin(name: string, options: SpanOptions): OpenSpan;
  current(): OpenSpan | undefined;
  outside<Result>(work: () => Result): Result;
}

let tracer: Tracer | undefined;

/** @param used undefined for none */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Begins a span, and a trace where there is none. Undefined when traces are off. */
export function beginSpan(name: string, options: SpanOptions): OpenSpan | undefined {
  return tracer?.begin(name, options);
}

/** Runs `work` in a span of the trace that is current, or of `parent`'s; where there is neither, just runs it. */
export function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  if (!tracer || !(options.parent ?? tracer.current())) return work();
  return during(tracer.begin(name, options), work);
}

/** Runs `work` within the span, if there is one, and ends the span with it. */
export async function during<Result>(span: OpenSpan | undefined, work: () => Promise<Result>): Promise<Result> {
  if (!span) return work();
  try {
    const result = await span.within(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Runs `work` within the span, if there is one; the span goes on. */
export function within<Result>(span: OpenSpan | undefined, work: () => Result): Result {
  return span ? span.within(work) : work();
}

/** Runs a loop that some request happened to wake, so that it isn't taken for a part of it. */
export function outsideOfTraces<Result>(work: () => Result): Result {
  return tracer ? tracer.outside(work) : work();
}

export const currentSpan = (): OpenSpan | undefined => tracer?.current();

export const currentTraceparent = (): string | undefined => tracer?.current()?.traceparent;

/** What a line of the log names the current span by, kept or not; undefined where there is none. */
export function currentTraceIds(): { trace_id: string; span_id: string } | undefined {
  const [, trace_id, span_id] = currentTraceparent()?.split('-') ?? [];
  return trace_id === undefined || span_id === undefined ? undefined : { trace_id, span_id };
}

/** As many as a span carries. */
const LINKS_MAX = 100;

/**
 * What serves several traces at once is a part of the first of them, and linked with the others.
 *
 * @returns undefined when none of them is sampled
 */
export function partOfAll(
  traceparents: readonly (string | undefined)[],
): Pick<SpanOptions, 'parent' | 'links'> | undefined {
  const sampled = traceparents.filter((traceparent) => traceparent !== undefined && isSampled(traceparent));
  const [parent, ...links] = new Set(sampled);
  return parent === undefined ? undefined : { parent, links: links.slice(0, LINKS_MAX) as string[] };
}

const isSampled = (traceparent: string): boolean =>
  /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f][13579bdf]$/.test(traceparent);
