import { Network } from '@stablecoin/money/currency';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { IsNetwork } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/**
 * Money that a rail has seen arriving. With `confirmed` it is credited in the same commit; else it stays PENDING
 * until `wallet.confirm-deposit`. The reply shows the deposit as it was recorded: PENDING.
 */
export class RecordDeposit extends MerchantCommand {
  @IsUuid() wallet_id: string;
  @IsAmount() amount: string;
  @Optional() @IsNetwork() network?: Network | null;
  /** What the sender wrote, sealed; the rail's own words are in clear, and so is what stands for the name of a chain's transaction. */
  @Optional() @IsText({ max: 4096 }) reference?: string | null;
  /** The rail's own name of the transfer: the hash of its transaction on the chain. */
  @Optional() @IsText({ max: 128 }) crypto_transaction_id?: string | null;
  @IsTrueOrFalse() confirmed: boolean;
}

export const recordDeposit = operation({
  subject: 'wallet.record-deposit',
  answeredBy: 'shard',
  callers: ['payout', 'chain'],
  request: RecordDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'rail_unavailable', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
