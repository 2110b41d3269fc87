import { OmitType } from '@nestjs/mapped-types';
import { GetPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { ListCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { ProveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';

export class PastBalanceQuery extends OmitType(GetPastBalance, ['merchant_id']) {}

export class ListCheckpointsQuery extends OmitType(ListCheckpoints, ['merchant_id', 'shard']) {}

export class ConsistencyQuery extends OmitType(ProveConsistency, ['merchant_id', 'shard']) {}
