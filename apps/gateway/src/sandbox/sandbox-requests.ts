import { OmitType } from '@nestjs/mapped-types';
import { SimulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

export class SimulateDepositBody extends OmitType(SimulateDeposit, [...INJECTED_FIELDS, 'shard']) {}
