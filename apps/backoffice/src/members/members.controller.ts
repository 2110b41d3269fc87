import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { Members } from '@stablecoin/people-store/members';
import { Session } from '@stablecoin/people-store/sessions';
import { ConsoleRefusal } from '../http/console-refusal';
import { ForRoles, FromSession, SteppedUp } from '../sessions/session.guard';
import { ChangeRole } from './member-requests';

/** The members of the merchant whose admin asks. */
@Controller('members')
export class MembersController {
  constructor(private readonly members: Members) {}

  @Get()
  @ForRoles('admin')
  async list(@FromSession() session: Session) {
    return { data: await this.members.list(session) };
  }

  @Delete(':member_id')
  @HttpCode(204)
  @ForRoles('admin')
  @SteppedUp()
  async remove(@FromSession() session: Session, @Param('member_id') memberId: string) {
    requireDone(await this.members.remove(pathUuid(memberId), session));
  }

  @Patch(':member_id')
  @HttpCode(204)
  @ForRoles('admin')
  @SteppedUp()
  async changeRole(@FromSession() session: Session, @Param('member_id') memberId: string, @Body() body: unknown) {
    const { role } = validateRequest(ChangeRole, body);
    requireDone(await this.members.changeRole(pathUuid(memberId), role, session));
  }
}

function requireDone(outcome: 'done' | 'not_found' | 'last_admin'): void {
  if (outcome === 'not_found') throw new Refusal('not_found');
  if (outcome === 'last_admin') throw new ConsoleRefusal('last_admin');
}

/** A text that can't be an id is refused like an id that doesn't exist. */
function pathUuid(text: string): string {
  if (!isUuid(text)) throw new Refusal('not_found');
  return text.toLowerCase();
}
