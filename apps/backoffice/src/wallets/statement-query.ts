import { OmitType } from '@nestjs/mapped-types';
import { GetPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';

export class StatementQuery extends OmitType(GetPastBalance, ['merchant_id', 'wallet_id']) {}
