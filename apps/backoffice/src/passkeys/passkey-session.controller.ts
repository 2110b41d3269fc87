import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoFields } from '../reads/from-query';
import { ConsoleRefusal } from '../http/console-refusal';
import { RequestSources } from '../http/request-sources';
import { ForMembers, FromSession, OpenToAll } from '../sessions/session.guard';
import { presentSession } from '../sessions/session-presenter';
import { SessionRequests } from '../sessions/session-requests';
import { SignInAttempts } from '../sessions/sign-in-attempts';
import { SignIns } from '../sessions/sign-ins';
import { readAnswer } from './device-answer';
import { PasskeySignIn } from './passkey-sign-in';

/** Signing in by a passkey, and showing it again. */
@Controller('session')
export class PasskeySessionController {
  constructor(
    private readonly passkeys: PasskeySignIn,
    private readonly signIns: SignIns,
    private readonly attempts: SignInAttempts,
    private readonly sources: RequestSources,
    private readonly requests: SessionRequests,
  ) {}

  @Post('passkey/options')
  @HttpCode(200)
  @OpenToAll()
  async signInOptions(@Req() request: FastifyRequest) {
    this.attempts.begin(this.sources.networkOf(request));
    return { options: await this.passkeys.signInOptions() };
  }

  @Post('passkey')
  @HttpCode(200)
  @OpenToAll()
  async signIn(@Body() body: unknown, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { answer, fields } = readAnswer(body);
    validateRequest(NoFields, fields);
    const signIn = () => this.passkeys.signIn(answer, this.sources.of(request));
    const session = await this.signIns.begin(signIn, request, reply);
    if (session === undefined) throw new ConsoleRefusal('passkey_not_valid');
    return presentSession(session);
  }

  @Post('step-up/options')
  @HttpCode(200)
  @ForMembers()
  async stepUpOptions(@FromSession() session: Session, @Body() body: unknown) {
    validateRequest(NoFields, body);
    return { options: await this.passkeys.stepUpOptions(session) };
  }

  /** What the passkey is shown for is done in the minutes after. */
  @Post('step-up')
  @HttpCode(200)
  @ForMembers()
  async stepUp(@FromSession() session: Session, @Body() body: unknown, @Req() request: FastifyRequest) {
    const { answer, fields } = readAnswer(body);
    validateRequest(NoFields, fields);
    await this.passkeys.stepUp(answer, session);
    const found = await this.requests.sessionOf(request);
    if (found === undefined) throw new ConsoleRefusal('not_signed_in');
    return presentSession(found);
  }
}
