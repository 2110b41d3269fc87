import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { LiabilityDocument } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { Currency } from '@stablecoin/money/currency';

export class ProveLiability extends MerchantRequest {
  @IsUuid() wallet_id: string;
}

/** A proof that the wallet is counted in the newest statement of what the ledger owes. */
export const proveLiability = operation({
  subject: 'wallet.prove-liability',
  readOnly: true,
  request: ProveLiability,
  reply: replies<LiabilityDocument<Currency>>(),
  errors: ['not_found', 'proof_pending'],
});
