import { Injectable } from '@nestjs/common';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { FastifyRequest } from 'fastify';
import { RequestSources } from '../http/request-sources';
import { SessionCookie } from '../http/session-cookie';
import { SignInAttempts } from './sign-in-attempts';

/** Whose session a request has, looked up anew each time. */
@Injectable()
export class SessionRequests {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly sources: RequestSources,
    private readonly attempts: SignInAttempts,
  ) {}

  /** @throws Refusal where it is one of too many attempts */
  sessionOf(request: FastifyRequest, isUse = true): Promise<Session | undefined> {
    const lookUp = (token: string) => this.sessions.find(token, this.sources.of(request), isUse);
    return this.attempts.withCookie(this.cookie.read(request), this.sources.networkOf(request), lookUp);
  }
}
