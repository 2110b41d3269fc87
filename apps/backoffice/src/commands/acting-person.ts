import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';
import { Session } from '@stablecoin/people-store/sessions';

/** What the backoffice adds to a person's command. */
export const INJECTED_FOR_PEOPLE = [...INJECTED_FIELDS, 'person_id', 'member_id'] as const;

/** Who asks, for the record of the service that is asked. */
export const personOf = ({ person_id, member_id }: Session) => ({ person_id, member_id });
