import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Identities } from '@stablecoin/people-store/identities';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { ConsoleRefusal } from '../http/console-refusal';
import { NoFields } from '../reads/from-query';
import { ForMembers, FromSession, SteppedUp } from '../sessions/session.guard';
import { IdentityProvider, ProviderAway } from './identity-provider';
import { ProviderCookie } from './provider-cookie';
import { ProviderSignIn } from './provider-sign-in';

/** The account at the identity provider that signs the person of the session in. */
@Controller('identity')
export class IdentityController {
  constructor(
    private readonly identities: Identities,
    private readonly provider: IdentityProvider,
    private readonly ways: ProviderSignIn,
    private readonly cookie: ProviderCookie,
  ) {}

  @Get()
  @ForMembers()
  async show(@FromSession() session: Session) {
    return { identity: await this.identities.ofPerson(session) };
  }

  /** Where the page sends the browser. Whose account it is, is known when it is back. */
  @Post('connection')
  @HttpCode(200)
  @ForMembers()
  @SteppedUp()
  async connect(
    @FromSession() session: Session,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    validateRequest(NoFields, body);
    if (this.provider.name === null) throw new ConsoleRefusal('no_provider');
    try {
      const { url, cookie } = await this.ways.leave(session);
      this.cookie.set(reply, cookie);
      return { url };
    } catch (error) {
      if (error instanceof ProviderAway) throw new ConsoleRefusal('provider_away');
      throw error;
    }
  }

  @Delete()
  @HttpCode(204)
  @ForMembers()
  @SteppedUp()
  async remove(@FromSession() session: Session) {
    if (!(await this.identities.remove(session))) throw new Refusal('not_found');
  }
}
