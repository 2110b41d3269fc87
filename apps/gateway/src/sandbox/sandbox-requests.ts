import { OmitType } from '@nestjs/mapped-types';
import { SimulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';
import { Currency } from '@stablecoin/money/currency';
import { IsExclusiveWith, RequiredWithout } from '../routes/exclusive-fields';

/** The wallet by its id, or the merchant's own by its currency. */
export class SimulateDepositBody extends OmitType(SimulateDeposit, [...INJECTED_FIELDS, 'shard', 'wallet_id']) {
  @RequiredWithout('currency') @IsUuid() wallet_id?: string | null;
  @Optional() @IsExclusiveWith('wallet_id') @IsCurrency() currency?: Currency | null;
}
