/**
 * Server-sent events to pages of people who are signed in: how many there may be, what is sent to each, and when each ends.
 * Hearing is no use of the session, and ends with it.
 */
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Role } from '@stablecoin/people-store/roles';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { PassThrough } from 'node:stream';

/** A page that reads slower is cut off: it asks for everything when it connects again. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** When a browser connects again. */
const AGAIN = 'retry: 2000\n\n';
/** A proxy sees by it that the connection is in use. */
const STILL_THERE = ': \n\n';
const RETRY_AFTER_SECONDS = 5;

export interface SessionStream {
  readonly session: Session;
  readonly out: PassThrough;
}

export interface StreamLimits {
  /** Of this instance. */
  all: number;
  ofMember: number;
}

export class SessionStreams implements Iterable<SessionStream> {
  private readonly streams = new Set<SessionStream>();
  private isStopping = false;

  /** @param roles of those who may go on hearing; all, where none are named */
  constructor(
    private readonly sessions: Sessions,
    private readonly limits: StreamLimits,
    private readonly roles?: readonly Role[],
  ) {}

  get size(): number {
    return this.streams.size;
  }

  [Symbol.iterator](): Iterator<SessionStream> {
    return this.streams.values();
  }

  /** @throws Refusal rate_limited where a member, or this instance, has as many as it may */
  open(session: Session): PassThrough {
    if (this.isStopping) throw new Refusal('unavailable');
    const ofMember = [...this.streams].filter((stream) => stream.session.member_id === session.member_id).length;
    if (ofMember >= this.limits.ofMember || this.streams.size >= this.limits.all)
      throw Refusal.rateLimited(RETRY_AFTER_SECONDS);
    const out = new PassThrough();
    const stream = { session, out };
    this.streams.add(stream);
    out.once('close', () => this.streams.delete(stream));
    out.write(AGAIN);
    return out;
  }

  /** Ends those whose session has ended. While the database is away it is not known whose has, and all hear on. */
  async check(): Promise<void> {
    if (this.streams.size === 0) return;
    const asked = [...this.streams];
    const ids = asked.map(({ session }) => session.session_id);
    const goOn = await this.sessions.goingOn(ids, this.roles).catch(() => undefined);
    for (const { session, out } of asked) {
      if (goOn && !goOn.has(session.session_id)) out.end();
      else send(out, STILL_THERE);
    }
  }

  stop(): void {
    this.isStopping = true;
    for (const { out } of this.streams) out.end();
  }
}

export function send(out: PassThrough, text: string): void {
  if (out.writableEnded || out.destroyed) return;
  if (out.readableLength + out.writableLength > UNREAD_BYTES_MAX) out.destroy();
  else out.write(text);
}

export const eventText = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export function answerWith(stream: PassThrough, reply: FastifyReply): void {
  // Of a HEAD nothing else ends it.
  reply.raw.once('close', () => stream.destroy());
  // A proxy that gathers answers would hold each event back.
  void reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').send(stream);
}
