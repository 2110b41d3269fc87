import { all, field } from '@stablecoin/contracts/wire/fields/field';
import { IsText } from '@stablecoin/contracts/wire/fields/text';

const REASON_CHARACTERS_MAX = 200;
const EMAIL = /\S@\S+\.\S/;
const PHONE = /\+\d[\d ()-]{6,}/;

/** The record of acts is kept for ever and in clear, so that a reason must name no person. */
export const namesNoPerson = (reason: string): boolean => !EMAIL.test(reason) && !PHONE.test(reason);

/** Why a person acts: the number of a case, never an e-mail address or a phone number. */
export function IsCaseReason(): PropertyDecorator {
  return all(
    IsText({ max: REASON_CHARACTERS_MAX }),
    field({
      name: 'isCaseReason',
      code: 'names_a_person',
      message: 'must name a case, and no person: no e-mail address, no phone number',
      schema: {},
      check: (value) => typeof value !== 'string' || namesNoPerson(value),
    }),
  );
}
