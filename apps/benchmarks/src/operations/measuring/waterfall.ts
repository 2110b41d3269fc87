/** One request alone, as its spans tell it: who worked on what, from when to when. */
import type { Span } from '@stablecoin/testing/span-receiver';

export interface Step {
  service: string;
  name: string;
  /** How many spans it is within. */
  depth: number;
  /** From the beginning of the request. */
  startMs: number;
  durationMs: number;
}

/**
 * The steps of the request whose duration is the median among those with this root span.
 *
 * @returns none where no such request was seen
 */
export function waterfallOf(spans: readonly Span[], rootName: string): Step[] {
  const roots = spans.filter(({ name, parentSpanId }) => name === rootName && parentSpanId === undefined);
  const byDuration = [...roots].sort((one, other) => durationOf(one) - durationOf(other));
  const root = byDuration[Math.floor(byDuration.length / 2)];
  if (root === undefined) return [];
  const ofTrace = spans.filter(({ traceId }) => traceId === root.traceId);
  const childrenOf = (span: Span) => inOrder(ofTrace.filter(({ parentSpanId }) => parentSpanId === span.spanId));
  const within = (span: Span, depth: number): Step[] => [
    {
      ...{ service: span.service, name: span.name, depth },
      ...{ startMs: span.startMs - root.startMs, durationMs: durationOf(span) },
    },
    ...childrenOf(span).flatMap((child) => within(child, depth + 1)),
  ];
  return within(root, 0);
}

const durationOf = ({ startMs, endMs }: Span): number => endMs - startMs;
const inOrder = (spans: readonly Span[]): Span[] => [...spans].sort((one, other) => one.startMs - other.startMs);

/** A line each: when it began, how long it took, and what it was. */
export function linesOf(steps: readonly Step[]): string[] {
  return steps.map(({ service, name, depth, startMs, durationMs }) => {
    const times = `${startMs.toFixed(1).padStart(7)} ${durationMs.toFixed(1).padStart(7)}`;
    return `${times}  ${'  '.repeat(depth)}${service}: ${name}`;
  });
}
