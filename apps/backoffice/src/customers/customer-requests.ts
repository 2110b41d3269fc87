import { PickType } from '@nestjs/mapped-types';
import { DecideKyc } from '@stablecoin/contracts/customer/decide-kyc';
import { EraseCustomer } from '@stablecoin/contracts/customer/erase-customer';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';

const REASON_CHARACTERS_MAX = 200;

/** Of one of the operator's people: a case, and no person. */
export class CaseReason extends PickType(EraseCustomer, ['reason']) {}
export class DecisionBody extends PickType(DecideKyc, ['kyc_status', 'reason']) {}

/** The person has typed which customer it is. */
export class ErasureBody extends CaseReason {
  @IsUuid() confirmed_customer_id: string;
}

/** Of a merchant's person, sealed wherever it is kept. */
export class ReasonToRead {
  @IsText({ max: REASON_CHARACTERS_MAX }) reason: string;
}
