import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const NANOSECONDS_PER_MS = 1e6;

type OtlpValue = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}
interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

export interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** In milliseconds of the clock, with their fractions. */
  startMs: number;
  endMs: number;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, string>;
}

/** An OTLP/HTTP receiver as a collector would be, in this process: it keeps what is sent to it. */
export class SpanReceiver {
  readonly spans: Span[] = [];
  /** Everything that was sent, as it was. */
  raw = '';
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') this.receive(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private receive(text: string): void {
    this.raw += text;
    for (const { resource, scopeSpans } of (JSON.parse(text) as OtlpRequest).resourceSpans) {
      const service = textsOf(resource.attributes)['service.name'] ?? '';
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(service, span))));
    }
  }
}

function spanOf(service: string, span: OtlpSpan): Span {
  const { name, traceId, spanId, parentSpanId, links = [], attributes, startTimeUnixNano, endTimeUnixNano } = span;
  return {
    ...{ service, name, traceId, spanId, links },
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    startMs: Number(startTimeUnixNano) / NANOSECONDS_PER_MS,
    endMs: Number(endTimeUnixNano) / NANOSECONDS_PER_MS,
    attributes: textsOf(attributes),
  };
}

function textsOf(attributes: OtlpAttribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
