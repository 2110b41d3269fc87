import { IsAccountNumber, IsBankCode } from '@stablecoin/contracts/payout/bank-account';
import { IsAddressOfNetwork, IsPayable } from '@stablecoin/contracts/wire/fields/address';
import { HasUnitsOf, IsAmount, IsAmountOrNumber } from '@stablecoin/contracts/wire/fields/amount';
import { IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency, IsNetworkOfCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsSha256, IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { Currency, Network } from '@stablecoin/money/currency';

/*
 * These classes differ from the contract's: on the bus both kinds are one operation, with a sealed destination. Fields
 * that both share have the same name, so that the controller passes them on without listing them.
 */

export class PayOutToBankBody {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() currency: Currency;
  @IsAccountNumber() account_number: string;
  @OptionalText({ max: 100 }) bank_name?: string | null;
  @IsBankCode() bank_code: string;
  @HasUnitsOf('currency') @IsAmount() amount: string;
  @IsText({ max: 100 }) recipient_name: string;
  @Optional() @IsCurrency({ only: 'FIAT' }) recipient_currency?: Currency | null;
  @OptionalText({ max: 100 }) recipient_country?: string | null;
  @Optional() @IsTrueOrFalse() dry_run?: boolean | null;
}

export class PayOutToWalletBody {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency({ only: 'STABLECOIN' }) currency: Currency;
  @IsPayable() @IsAddressOfNetwork() address: string;
  @HasUnitsOf('currency') @IsAmountOrNumber() amount: string;
  @IsNetworkOfCurrency() network: Network;
  @OptionalText({ max: 100 }) recipient_name?: string | null;
  @Optional() @IsTrueOrFalse() dry_run?: boolean | null;
}

export class ApprovePayoutBody {
  @IsSha256() approval_hash: string;
}
