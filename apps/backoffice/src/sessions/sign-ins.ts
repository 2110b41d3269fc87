import { Injectable } from '@nestjs/common';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestSources } from '../http/request-sources';
import { SessionCookie } from '../http/session-cookie';
import { SignInAttempts } from './sign-in-attempts';

/** Beginnings of sessions: each is an attempt of its address until it has signed in, and ends with the cookie. */
@Injectable()
export class SignIns {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly sources: RequestSources,
    private readonly attempts: SignInAttempts,
  ) {}

  /**
   * @param signIn resolves to the cookie of the session that it begins
   * @returns undefined where it begins none
   * @throws Refusal where it is one of too many attempts
   */
  async begin(
    signIn: () => Promise<string | undefined>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Session | undefined> {
    const cookie = await this.attempts.withSignIn(this.sources.networkOf(request), signIn);
    const session = cookie === undefined ? undefined : await this.sessions.find(cookie, this.sources.of(request));
    if (cookie !== undefined && session !== undefined) this.cookie.set(reply, cookie);
    return session;
  }
}
