import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { MadeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerShards } from '../../event-log/ledger-shards';

export class MakeCheckpointCommand extends Command<MadeCheckpoint> {
  constructor(readonly shard: number | undefined) {
    super();
  }
}

@CommandHandler(MakeCheckpointCommand)
export class MakeCheckpointHandler implements ICommandHandler<MakeCheckpointCommand> {
  constructor(private readonly shards: LedgerShards) {}

  execute({ shard }: MakeCheckpointCommand): Promise<MadeCheckpoint> {
    const checkpointer = this.shards.checkpointer(shard);
    return asRefusal(async () => ({ shard: Number(shard), checkpoint: (await checkpointer.make()) ?? null }));
  }
}
