import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ConfirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { LedgerShards } from '../../event-log/ledger-shards';
import { shownTransaction } from '../../event-log/views';

export class ConfirmDepositCommand extends Command<CommandReply<TransactionView>> {
  constructor(
    readonly request: ConfirmDeposit,
    readonly shard: number | undefined,
  ) {
    super();
  }
}

@CommandHandler(ConfirmDepositCommand)
export class ConfirmDepositHandler implements ICommandHandler<ConfirmDepositCommand> {
  constructor(private readonly shards: LedgerShards) {}

  execute({ request, shard }: ConfirmDepositCommand): Promise<CommandReply<TransactionView>> {
    const { merchant_id, id } = request;
    return this.shards.writer(shard).submit({
      request,
      command: { kind: 'ConfirmDeposit', merchant_id, transaction: id },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
