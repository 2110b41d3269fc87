import { Controller, Get, HttpCode, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestSources } from '../http/request-sources';
import { RelyingParty } from '../passkeys/relying-party';
import { WithoutQuery } from '../reads/from-query';
import { OpenToAll } from '../sessions/session.guard';
import { SignInAttempts } from '../sessions/sign-in-attempts';
import { SignIns } from '../sessions/sign-ins';
import { IdentityProvider, ProviderAway } from './identity-provider';
import { ProviderCookie } from './provider-cookie';
import { ProviderSignIn } from './provider-sign-in';

/** Signing in with the identity provider: the browser goes there and comes back, to pages of the console and no others. */
@Controller()
export class OidcController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly party: RelyingParty,
    private readonly ways: ProviderSignIn,
    private readonly cookie: ProviderCookie,
    private readonly signIns: SignIns,
    private readonly attempts: SignInAttempts,
    private readonly sources: RequestSources,
  ) {}

  /** What the sign-in page offers. */
  @Get('sign-in-ways')
  @OpenToAll()
  show(@WithoutQuery() _none: object) {
    const { name } = this.provider;
    return { passkey: this.party.isPossible, oidc: name === null ? null : { name } };
  }

  /** It takes no address to go on to. */
  @Get('session/oidc')
  @HttpCode(303)
  @OpenToAll()
  async leave(
    @WithoutQuery() _none: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.attempts.begin(this.sources.networkOf(request));
    try {
      const { url, cookie } = await this.ways.leave(null);
      this.cookie.set(reply, cookie);
      reply.header('location', url);
    } catch (error) {
      if (!(error instanceof ProviderAway)) throw error;
      reply.header('location', '/sign-in?provider=away');
    }
  }

  @Get('session/oidc/callback')
  @HttpCode(303)
  @OpenToAll()
  async comeBack(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const cookie = this.cookie.read(request);
    this.cookie.clear(reply);
    const query = request.url.slice(request.url.indexOf('?') + 1 || request.url.length);
    const signIn = async () => {
      const { to, session } = await this.ways.comeBack(cookie, `?${query}`, this.sources.of(request));
      reply.header('location', to);
      return session;
    };
    await this.signIns.begin(signIn, request, reply);
  }
}
