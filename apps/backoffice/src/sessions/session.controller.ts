import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { RequestSources } from '../http/request-sources';
import { SessionCookie } from '../http/session-cookie';
import { ForMembers, FromSession, OpenToAll } from './session.guard';
import { presentSession } from './session-presenter';
import { SignIns } from './sign-ins';

const TOKEN_CHARACTERS_MAX = 100;

class SignInByLink {
  @IsText({ max: TOKEN_CHARACTERS_MAX }) token: string;
}

@Controller()
export class SessionController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly sources: RequestSources,
    private readonly signIns: SignIns,
  ) {}

  @Get('session')
  @ForMembers()
  show(@FromSession() session: Session) {
    return presentSession(session);
  }

  @Post('session/link')
  @HttpCode(200)
  @OpenToAll()
  async signInByLink(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { token } = validateRequest(SignInByLink, body);
    const signIn = () => this.sessions.signInByLink(token, this.sources.of(request));
    const session = await this.signIns.begin(signIn, request, reply);
    if (session === undefined) throw new ConsoleRefusal('link_not_valid');
    return presentSession(session);
  }

  @Delete('session')
  @HttpCode(204)
  @ForMembers()
  async signOut(@FromSession() session: Session, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.sessions.end(session);
    this.cookie.clear(reply);
  }

  @Delete('sessions')
  @HttpCode(204)
  @ForMembers()
  async signOutEverywhere(@FromSession() session: Session, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.sessions.endEverywhere(session);
    this.cookie.clear(reply);
  }
}
