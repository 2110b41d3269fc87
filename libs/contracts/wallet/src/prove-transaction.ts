import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';

export class ProveTransaction extends MerchantRequest {
  /** The 10-character `transaction_id`. */
  @IsText({ max: 64 }) transaction_id: string;
}

/** A proof that all events of the transaction so far are in the log of the newest checkpoint. */
export const proveTransaction = operation({
  subject: 'wallet.prove-transaction',
  readOnly: true,
  request: ProveTransaction,
  reply: replies<ProofDocument>(),
  errors: ['not_found', 'proof_pending'],
});
