import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ResolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { LedgerShards } from '../../event-log/ledger-shards';
import { shownTransaction } from '../../event-log/views';

export class ResolvePayoutCommand extends Command<CommandReply<TransactionView>> {
  constructor(
    readonly request: ResolvePayout,
    readonly shard: number | undefined,
  ) {
    super();
  }
}

@CommandHandler(ResolvePayoutCommand)
export class ResolvePayoutHandler implements ICommandHandler<ResolvePayoutCommand> {
  constructor(private readonly shards: LedgerShards) {}

  execute({ request, shard }: ResolvePayoutCommand): Promise<CommandReply<TransactionView>> {
    const { merchant_id, resolution, rail_reference = null } = request;
    const transaction = isUuid(request.transaction) ? request.transaction.toLowerCase() : request.transaction;
    return this.shards.writer(shard).submit({
      request,
      command: { kind: 'ResolvePayout', merchant_id, transaction, resolution, rail_reference },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
