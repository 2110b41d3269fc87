import type { FastifyReply, FastifyRequest } from 'fastify';
import { StaticFile } from './static-file';

const [bytes, br, gzip] = ['plain', 'brotli', 'zipped'].map((text) => Buffer.from(text));

/** What a reply is given, as far as a file gives it something. */
class ReplyOfTest {
  readonly headers: Record<string, string> = {};
  statusCode = 200;
  sent: Buffer | undefined;
  header(name: string, value: string) {
    this.headers[name] = value;
    return this;
  }
  type = (value: string) => this.header('content-type', value);
  status(code: number) {
    this.statusCode = code;
    return this;
  }
  send(sent?: Buffer) {
    this.sent = sent;
    return this;
  }
}

function answered(
  headers: Record<string, string>,
  hasHashedName = false,
  take: (bytes: number) => void = () => undefined,
) {
  const reply = new ReplyOfTest();
  const file = new StaticFile('text/css', bytes as Buffer, { br, gzip }, hasHashedName);
  try {
    file.answer({ headers } as unknown as FastifyRequest, reply as unknown as FastifyReply, take);
  } catch {
    // What the reply was given before.
  }
  return reply;
}

it.each([
  ['gzip, deflate, br, zstd', 'br', br],
  ['gzip', 'gzip', gzip],
  ['br;q=0, gzip;q=0.5', 'gzip', gzip],
  ['BR', 'br', br],
  ['identity', undefined, bytes],
  ['bravo', undefined, bytes],
])('to a client that takes %s it is sent as %s', (accepted, encoding, sent) => {
  const reply = answered({ 'accept-encoding': accepted });
  expect([reply.headers['content-encoding'], reply.sent]).toEqual([encoding, sent]);
  expect(reply.sent).toBe(sent); // The same memory for all: no copy.
});

it('reads no list of thousands of encodings', () => {
  expect(answered({ 'accept-encoding': `${','.repeat(1_000)}br` }).sent).toBe(bytes);
});

it('is not sent again to who has it, and kept for ever under a name that changes with it', () => {
  const first = answered({});
  expect(first.headers['cache-control']).toBe('no-cache');
  const again = answered({ 'if-none-match': `"other", ${first.headers['etag']}` });
  expect([again.statusCode, again.sent]).toEqual([304, undefined]);
  expect(answered({ 'if-none-match': '"other"' }).statusCode).toBe(200);
  expect(answered({}, true).headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

it('is sent where its bytes are allowed: those that are sent, and none where the reader has it', () => {
  const asked: number[] = [];
  const take = (size: number) => void asked.push(size);
  const { headers } = answered({ 'accept-encoding': 'gzip' }, false, take);
  answered({}, false, take);
  answered({ 'if-none-match': headers['etag'] ?? '' }, false, take);
  expect(asked).toEqual([gzip?.length, bytes?.length]);
});

it('leaves the reply as it was where they are not', () => {
  const { headers, sent } = answered({ 'accept-encoding': 'br' }, true, () => {
    throw new Error('too much');
  });
  expect([headers, sent]).toEqual([{}, undefined]);
});
