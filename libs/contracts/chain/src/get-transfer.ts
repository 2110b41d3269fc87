import type { Timestamp } from '@stablecoin/contracts/wallet/views';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import type { TransferView } from './views';

export class GetTransfer {
  @IsText({ max: 100 }) reference: string;
}

/** A transaction of the transfer's nonce. */
export interface TransferAttemptView {
  number: number;
  /** It moves nothing, and takes the place of the others. */
  cancels: boolean;
  gas: number;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  /** Null until it is signed. */
  transaction_hash: string | null;
  /** Why the signer would not sign it: then there are no such bytes anywhere. */
  refused: string | null;
  created_at: Timestamp;
  /** Null until a node has it. */
  broadcast_at: Timestamp | null;
}

export interface WholeTransferView extends TransferView {
  /** Of the deposit address that it leaves or that is given coins; null where there is none. */
  deposit_address_index: number | null;
  cancel_reason: string | null;
  cancelled_at: Timestamp | null;
  sent_at: Timestamp | null;
  /** The oldest first. */
  attempts: TransferAttemptView[];
}

/** Everything that is known of a transfer, for operators. */
export const getTransfer = operation({
  subject: 'chain.get-transfer',
  readOnly: true,
  request: GetTransfer,
  reply: replies<WholeTransferView>(),
  errors: ['not_found'],
});
