import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { IsSha256 } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success } from '@stablecoin/http-answers/envelope';
import { MerchantMember, FromMerchantMember } from '../commands/merchant-member';
import { readAnswer } from '../passkeys/device-answer';
import { NoFields } from '../reads/from-query';
import { ForRoles, SteppedUpByPasskey } from '../sessions/session.guard';
import { PayoutDecisions } from './payout-decisions';

const REASON_CHARACTERS_MAX = 200;

class ApprovedHash {
  @IsSha256() approval_hash: string;
}

class ReasonToReject {
  @IsText({ max: REASON_CHARACTERS_MAX }) reason: string;
}

/** What people decide of a payout that waits. */
@Controller('payouts')
export class DecisionsController {
  constructor(private readonly decisions: PayoutDecisions) {}

  /** What a passkey of the person's has to sign: the payout's approval hash, and nothing else. */
  @Post(':transaction_id/approve/options')
  @HttpCode(200)
  @ForRoles('approver', 'admin')
  async options(
    @FromMerchantMember() { session, merchant }: MerchantMember,
    @Param('transaction_id') transaction: string,
    @Body() body: unknown,
  ) {
    validateRequest(NoFields, body);
    return { options: await this.decisions.options(transaction, merchant, session) };
  }

  @Post(':transaction_id/approve')
  @HttpCode(200)
  @ForRoles('approver', 'admin')
  async approve(
    @FromMerchantMember() { session, merchant }: MerchantMember,
    @Param('transaction_id') transaction: string,
    @Body() body: unknown,
  ) {
    const { answer, fields } = readAnswer(body);
    const { approval_hash } = validateRequest(ApprovedHash, fields);
    return success(await this.decisions.approve({ transaction, approval_hash, answer }, merchant, session));
  }

  /** Its money goes back. */
  @Post(':transaction_id/reject')
  @HttpCode(200)
  @ForRoles('approver', 'admin')
  @SteppedUpByPasskey()
  async reject(
    @FromMerchantMember() { session, merchant }: MerchantMember,
    @Param('transaction_id') transaction: string,
    @Body() body: unknown,
  ) {
    const { reason } = validateRequest(ReasonToReject, body);
    return success(await this.decisions.reject({ transaction, reason }, merchant, session));
  }
}
