import { Controller, Get } from '@nestjs/common';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit, IsWholeNumber } from '@stablecoin/contracts/wire/fields/paging';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { ACT_KINDS, ActKind, ActRecord, RecordedAct } from '@stablecoin/people-store/act-record';
import { Members } from '@stablecoin/people-store/members';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import { Session } from '@stablecoin/people-store/sessions';
import { seenBy } from '../members/seen-members';
import { FromQuery } from '../reads/from-query';
import { ForRoles, FromSession } from '../sessions/session.guard';

class ListActsQuery {
  @Optional() @IsOneOf(ACT_KINDS) kind?: ActKind;
  @Optional() @IsUuid() member_id?: string;
  @Optional() @IsWholeNumber({ code: 'invalid_number' }) before?: number;
  @IsLimit() limit = 50;
}

/** What members of the asking admin's merchant have done; for the operator's auditors and compliance officers, its own people. */
@Controller('acts')
export class ActsController {
  constructor(
    private readonly record: ActRecord,
    private readonly members: Members,
  ) {}

  @Get()
  @ForRoles('admin', 'auditor', 'compliance')
  async list(@FromSession() session: Session, @FromQuery(ListActsQuery) query: Plain<ListActsQuery>) {
    const { acts, earlier } = await this.record.page(session, query);
    const seen = await seenBy(session, this.members, acts.flatMap(membersOf));
    const seenOr = (id: unknown) => (typeof id === 'string' ? seen(id) : null);
    return success({
      earlier,
      acts: acts.map(({ member_id, reason, details: { member_id: concerned, ...details }, ...act }) => ({
        ...act,
        by: seenOr(member_id),
        // A reason may name anybody.
        reason: maySeePersonalData(session.role) ? reason : null,
        member: seenOr(concerned),
        details,
      })),
    });
  }
}

/** Who did it, and whom it was done to. */
const membersOf = ({ member_id, details }: RecordedAct): string[] =>
  [member_id, details['member_id']].filter((id) => typeof id === 'string');
