import { Members } from '@stablecoin/people-store/members';
import { maySeePersonalData } from '@stablecoin/people-store/roles';
import { Session } from '@stablecoin/people-store/sessions';

/** Of the merchant of who looks, or of the operator; null for who may not see names. */
export interface SeenMember {
  member_id: string;
  name: string | null;
  is_you: boolean;
}

/** Colleagues as a person sees them, those who left among them. @returns what is seen of each */
export async function seenBy(
  session: Session,
  members: Members,
  ids: readonly string[],
): Promise<(member_id: string) => SeenMember> {
  const distinct = [...new Set(ids)];
  const isNamed = maySeePersonalData(session.role) && distinct.length > 0;
  const names = isNamed ? await members.namesOf(distinct, session) : undefined;
  return (member_id) => ({ member_id, name: names?.get(member_id) ?? null, is_you: member_id === session.member_id });
}
