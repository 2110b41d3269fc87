import { Network } from '@stablecoin/money/currency';
import { SANDBOX_DEPOSIT_REQUEST } from '@stablecoin/contracts/wallet/merchant-requests';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsNetwork } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/**
 * The sandbox rail sees a deposit arriving; it confirms it at once, or after its configured delay. Where test merchants go by a
 * chain, the tokens are sent there. Test keys only.
 */
export class SimulateDeposit extends MerchantCommand {
  @IsUuid() wallet_id: string;
  @IsAmount() amount: string;
  @Optional() @IsNetwork() network?: Network | null;
  @OptionalText({ max: 255 }) reference?: string | null;
  /** The merchant's ledger shard. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
}

export const simulateDeposit = operation({
  subject: SANDBOX_DEPOSIT_REQUEST,
  provesRequest: true,
  request: SimulateDeposit,
  reply: replies<CommandReply<TransactionView>>(),
  errors: ['not_found', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
