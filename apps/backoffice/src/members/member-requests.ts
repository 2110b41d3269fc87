import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsEmailAddress } from '@stablecoin/contracts/wire/fields/contact';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MERCHANT_ROLES, MerchantRole } from '@stablecoin/people-store/roles';

const NAME_CHARACTERS_MAX = 200;

export class ChangeRole {
  @IsOneOf(MERCHANT_ROLES) role: MerchantRole;
}

export class InvitePerson {
  @IsText({ max: NAME_CHARACTERS_MAX }) name: string;
  @IsEmailAddress() email: string;
  @IsOneOf(MERCHANT_ROLES) role: MerchantRole;
}
