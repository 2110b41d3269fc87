import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content encodings in which a file may be there, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Encoded = Readonly<Partial<Record<Encoding, Buffer>>>;

/** Of a header that lists something: a client names a handful, and one that names thousands gets the file as it is. */
const LIST_CHARACTERS_MAX = 1_000;
const YEAR_SECONDS = 31_536_000;

/**
 * A file that is served as it is: its bytes, compressed beforehand, are in memory once and shared by all answers. No
 * request compresses anything or makes a buffer.
 */
export class StaticFile {
  private readonly tag: string;

  /** @param hasHashedName another content has another name, so that a copy is good for ever */
  constructor(
    private readonly type: string,
    private readonly bytes: Buffer,
    private readonly encoded: Encoded = {},
    private readonly hasHashedName = false,
  ) {
    this.tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  }

  /** @param take is told how many bytes are to be sent, and may refuse them */
  answer(request: FastifyRequest, reply: FastifyReply, take: (bytes: number) => void): FastifyReply {
    const encoding = ENCODINGS.find((name) => this.encoded[name] && accepts(request.headers['accept-encoding'], name));
    // Weak: what the tag names is the content, however it is encoded.
    const etag = `W/"${this.tag}"`;
    const isKnown = reply.statusCode === 200 && names(request.headers['if-none-match'], etag);
    const body = (encoding && this.encoded[encoding]) ?? this.bytes;
    if (!isKnown) take(body.length);
    reply
      .header('cache-control', this.hasHashedName ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      .header('etag', etag)
      .header('vary', 'accept-encoding');
    if (isKnown) return reply.status(304).send();
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.type(this.type).send(body);
  }
}

function accepts(header: string | string[] | undefined, encoding: Encoding): boolean {
  return partsOf(header?.toString()).some((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

const partsOf = (header = ''): string[] => header.slice(0, LIST_CHARACTERS_MAX).split(',');

const names = (header: string | undefined, etag: string): boolean => partsOf(header).some((tag) => tag.trim() === etag);
