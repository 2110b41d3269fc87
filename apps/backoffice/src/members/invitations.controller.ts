import { Body, Controller, Post } from '@nestjs/common';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Invitations } from '@stablecoin/people-store/invitations';
import { Session } from '@stablecoin/people-store/sessions';
import { ConsoleOrigin } from '../http/console-origin';
import { ForRoles, FromSession, SteppedUp } from '../sessions/session.guard';
import { InvitePerson } from './member-requests';

@Controller('invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly console: ConsoleOrigin,
  ) {}

  /** The link is shown once: who invites passes it on. */
  @Post()
  @ForRoles('admin')
  @SteppedUp()
  async invite(@FromSession() session: Session, @Body() body: unknown) {
    const { invitation_id, token, expires_at } = await this.invitations.invite(
      validateRequest(InvitePerson, body),
      session,
    );
    return { invitation_id, link: `${this.console.origin}/link#${token}`, expires_at };
  }
}
