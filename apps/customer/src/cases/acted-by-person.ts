import { ActedBy } from '@stablecoin/customer-store/operator-acts/operator-acts';

/** A person of the console, as the record of acts names it. */
export const actedByPerson = (
  { person_id, member_id }: { person_id: string; member_id: string },
  reason: string | null = null,
): ActedBy => ({ actor: `person ${person_id}, member ${member_id}`, reason });
