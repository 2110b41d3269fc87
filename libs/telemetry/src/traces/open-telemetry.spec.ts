import { setImmediate as turn } from 'node:timers/promises';
import { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { openTelemetry } from './open-telemetry';
import { beginSpan, currentTraceparent, inSpan, outsideOfTraces, partOfAll, useTracer, within } from './tracing';

const OTHER = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const UNSAMPLED = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;

describe('a span', () => {
  let sent: ReadableSpan[];
  let end: () => Promise<void>;

  beforeEach(() => {
    sent = [];
  });
  afterEach(async () => {
    useTracer(undefined);
    await end();
  });

  function trace(ratio = 1): void {
    const exporter: SpanExporter = {
      export: (spans, done) => {
        sent.push(...spans);
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    };
    const started = openTelemetry({ service: 'spec', endpoint: '', ratio }, exporter);
    useTracer(started.tracer);
    end = started.end;
  }

  const named = (name: string): ReadableSpan => sent.find((span) => span.name === name) as ReadableSpan;
  const parentOf = (name: string): string | undefined => named(name).parentSpanContext?.spanId;
  const traceOf = (name: string): string => named(name).spanContext().traceId;

  it('is a part of the one around it, over everything that is waited for', async () => {
    trace();
    const request = beginSpan('request', { kind: 'server' });
    await within(request, async () => {
      await turn();
      await inSpan('statement', { kind: 'client' }, turn);
    });
    request?.end();
    await end();
    expect(parentOf('statement')).toBe(named('request').spanContext().spanId);
    expect(traceOf('statement')).toBe(traceOf('request'));
    expect(parentOf('request')).toBeUndefined();
  });

  it('goes on with a traceparent from elsewhere, unless that is malformed', async () => {
    trace();
    await inSpan('answer', { kind: 'server', parent: OTHER }, turn);
    await inSpan('nonsense', { kind: 'server', parent: `00-${'0'.repeat(32)}-x` }, turn);
    await end();
    expect([traceOf('answer'), parentOf('answer')]).toEqual(['a'.repeat(32), 'b'.repeat(16)]);
    expect(parentOf('nonsense')).toBeUndefined();
  });

  it('is not made for what is part of no trace: a loop that looks for work', async () => {
    trace();
    await inSpan('statement', { kind: 'client' }, turn);
    const request = beginSpan('request', { kind: 'server' });
    await request?.within(() => outsideOfTraces(() => inSpan('loop', { kind: 'client' }, turn)));
    request?.end();
    await end();
    expect(sent.map(({ name }) => name)).toEqual(['request']);
    expect(currentTraceparent()).toBeUndefined();
  });

  it('that serves several is a part of the first that is sampled, and linked with the others', async () => {
    trace();
    const third = OTHER.replaceAll('a', 'e');
    const batch = beginSpan('batch', { kind: 'internal', ...partOfAll([undefined, UNSAMPLED, OTHER, third, third]) });
    batch?.linkTo(`00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`);
    batch?.end();
    await end();
    expect(traceOf('batch')).toBe('a'.repeat(32));
    expect(named('batch').links.map(({ context }) => context.spanId)).toEqual(['b'.repeat(16), '2'.repeat(16)]);
    expect(partOfAll([undefined, UNSAMPLED])).toBeUndefined();
  });

  it('says by which code or class it failed, never what the error says', async () => {
    trace();
    const failing = (name: string, error: unknown) =>
      inSpan(name, { kind: 'client', parent: OTHER }, () => Promise.reject(error as Error)).catch(() => undefined);
    await failing('refused', Object.assign(new Error('canary'), { code: 'insufficient_funds' }));
    await failing('broken', new TypeError('canary'));
    await failing('odd', Object.assign(new Error('canary'), { code: 'a canary@example.com' }));
    await end();
    const types = ['refused', 'broken', 'odd'].map((name) => named(name).attributes['error.type']);
    expect(types).toEqual(['insufficient_funds', 'TypeError', 'Error']);
    expect(
      JSON.stringify(sent.map(({ status, attributes, events }) => ({ status, attributes, events }))),
    ).not.toContain('canary');
  });

  it('is sent only of the share that is kept, and what follows is kept or not with it', async () => {
    trace(0);
    const request = beginSpan('request', { kind: 'server' });
    expect(request?.sampled).toBe(false);
    await request?.within(() => inSpan('statement', { kind: 'client' }, turn));
    request?.end();
    await inSpan('answer', { kind: 'server', parent: UNSAMPLED }, turn);
    await inSpan('asked for', { kind: 'server', parent: OTHER }, turn);
    await end();
    expect(sent.map(({ name }) => name)).toEqual(['asked for']);
  });
});

describe('without traces', () => {
  it('work is just done', async () => {
    expect(beginSpan('request', { kind: 'server' })).toBeUndefined();
    expect(within(undefined, () => 1)).toBe(1);
    expect(await inSpan('statement', { kind: 'client', parent: OTHER }, () => Promise.resolve(2))).toBe(2);
    expect(currentTraceparent()).toBeUndefined();
  });
});
