import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

export class GetTransaction extends MerchantRequest {
  /** The 10-character `transaction_id`, or the `id`. */
  @IsText({ max: 64 }) transaction_id: string;
}

export interface LookedUpTransactionView extends TransactionView {
  /** The key that asked for a payout that a policy has made wait; left out by an older ledger. */
  created_by?: string | null;
}

export const getTransaction = operation({
  subject: 'wallet.get-transaction',
  readOnly: true,
  request: GetTransaction,
  reply: replies<LookedUpTransactionView>(),
  errors: ['not_found'],
});
