import { Controller, Get, Res } from '@nestjs/common';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { WithoutQuery } from '../reads/from-query';
import { ForMembersOfMerchants, FromSession, Listening } from '../sessions/session.guard';
import { LiveStreams } from './live-streams';
import { answerWith } from './session-streams';

@Controller('live')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  /** Server-sent events, for as long as the page is open and its session goes on: see live-streams.ts. */
  @Get()
  @ForMembersOfMerchants()
  @Listening()
  follow(@FromSession() session: Session, @WithoutQuery() _query: object, @Res() reply: FastifyReply): void {
    answerWith(this.streams.open(session), reply);
  }
}
