import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { RecordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { LedgerShards } from '../../event-log/ledger-shards';
import { timeOrderedId } from '../../event-log/time-ordered-id';
import { shownTransaction } from '../../event-log/views';

export class RecordDepositCommand extends Command<CommandReply<TransactionView>> {
  constructor(
    readonly request: RecordDeposit,
    readonly shard: number | undefined,
  ) {
    super();
  }
}

@CommandHandler(RecordDepositCommand)
export class RecordDepositHandler implements ICommandHandler<RecordDepositCommand> {
  constructor(private readonly shards: LedgerShards) {}

  execute({ request, shard }: RecordDepositCommand): Promise<CommandReply<TransactionView>> {
    const { merchant_id, wallet_id, amount, network = null, reference = null, confirmed } = request;
    const id = timeOrderedId();
    const reference_id = timeOrderedId();
    return this.shards.writer(shard).submit({
      request,
      command: {
        kind: 'RecordDeposit',
        merchant_id,
        id,
        reference_id,
        wallet_id,
        amount,
        network,
        reference,
        confirmed,
      },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
