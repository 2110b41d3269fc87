import { Controller, Get } from '@nestjs/common';
import { IsOneOf, IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { all, normalized, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit } from '@stablecoin/contracts/wire/fields/paging';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { ACT_KINDS, ActKind, ActRecord, RecordedAct } from '@stablecoin/people-store/act-record';
import { Members } from '@stablecoin/people-store/members';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import { Session } from '@stablecoin/people-store/sessions';
import { FromQuery } from '../reads/from-query';
import { ForRoles, FromSession } from '../sessions/session.guard';

/** Of an act, by which a page goes on: in an address it is text. */
const NUMBER = /^[1-9]\d{0,8}$/;
const IsActNumber = () =>
  all(
    normalized((value) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value)),
    IsWholeNumberBetween(1, 999_999_999),
  );

class ListActsQuery {
  @Optional() @IsOneOf(ACT_KINDS) kind?: ActKind;
  @Optional() @IsUuid() member_id?: string;
  @Optional() @IsActNumber() before?: number;
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
    const names = maySeePersonalData(session.role) ? await this.namesIn(acts, session) : undefined;
    const named = (id: unknown) =>
      typeof id === 'string' ? { member_id: id, name: names?.get(id) ?? null, is_you: id === session.member_id } : null;
    return success({
      earlier,
      acts: acts.map(({ member_id, reason, details: { member_id: concerned, ...details }, ...act }) => ({
        ...act,
        by: named(member_id),
        // A reason may name anybody.
        reason: names === undefined ? null : reason,
        member: named(concerned),
        details,
      })),
    });
  }

  private async namesIn(acts: readonly RecordedAct[], session: Session): Promise<Map<string, string>> {
    const ids = acts.flatMap(({ member_id, details }) => [member_id, details['member_id']]);
    const known = [...new Set(ids)].filter((id) => typeof id === 'string');
    return known.length === 0 ? new Map() : this.members.namesOf(known, session);
  }
}
