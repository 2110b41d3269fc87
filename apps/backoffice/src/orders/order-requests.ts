import { OmitType } from '@nestjs/mapped-types';
import { CreateQuoteBody } from '@stablecoin/merchant-resources/swaps/swap-requests';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { PayOutToBankBody, PayOutToWalletBody } from '@stablecoin/merchant-resources/payouts/payout-requests';

const ORDER_CHARACTERS_MAX = 32_768;

/** Trying it out comes first anyway. */
export class BankPayoutBody extends OmitType(PayOutToBankBody, ['dry_run']) {}
export class WalletPayoutBody extends OmitType(PayOutToWalletBody, ['dry_run']) {}
export class SwapBody extends CreateQuoteBody {}

/** What was shown and sealed before, and comes back with the device's answer. */
export class SignedOrderFields {
  @IsText({ max: ORDER_CHARACTERS_MAX }) order: string;
}
