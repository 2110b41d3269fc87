import { Controller, Get, Res } from '@nestjs/common';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { WithoutQuery } from '../reads/from-query';
import { ForMembersOfMerchants, FromSession, Listening } from '../sessions/session.guard';
import { LiveStreams } from './live-streams';

@Controller('live')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  /** Server-sent events, for as long as the page is open and its session goes on: see live-streams.ts. */
  @Get()
  @ForMembersOfMerchants()
  @Listening()
  follow(@FromSession() session: Session, @WithoutQuery() _query: object, @Res() reply: FastifyReply): void {
    const stream = this.streams.open(session);
    // Of a HEAD nothing else ends it.
    reply.raw.once('close', () => stream.destroy());
    // A proxy that gathers answers would hold each event back.
    void reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').send(stream);
  }
}
