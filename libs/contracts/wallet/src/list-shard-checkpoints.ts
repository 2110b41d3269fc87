import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CheckpointView } from './list-checkpoints';

export class ListShardCheckpoints {
  @IsWholeNumberBetween(0, 32_767) shard: number;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

/** What has been signed of a shard's log, newest first: for the operator's auditors. */
export const listShardCheckpoints = operation({
  subject: 'wallet.list-shard-checkpoints',
  readOnly: true,
  request: ListShardCheckpoints,
  reply: replies<Page<CheckpointView>>(),
  errors: [],
});
