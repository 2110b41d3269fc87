import { Session } from '@stablecoin/people-store/sessions';

/** Who is signed in, as the console shows it. */
export function presentSession(session: Session) {
  const { person_id, member_id, name, email, side, role, merchant, ...of } = session;
  const { passkeys, stepped_up_until, signed_in_at, signed_in_by } = of;
  return {
    person: { person_id, name, email },
    member_id,
    side,
    role,
    merchant: merchant && { merchant_id: merchant.merchant_id, name: merchant.name, mode: merchant.mode },
    passkeys,
    stepped_up_until,
    signed_in_at,
    signed_in_by,
  };
}
