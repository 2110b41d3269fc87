import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { CloseCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { LedgerShards } from '../../event-log/ledger-shards';

export class CloseCustomerAccountCommand extends Command<CommandReply<{ customer_id: string }>> {
  constructor(
    readonly request: CloseCustomerAccount,
    readonly shard: number | undefined,
  ) {
    super();
  }
}

@CommandHandler(CloseCustomerAccountCommand)
export class CloseCustomerAccountHandler implements ICommandHandler<CloseCustomerAccountCommand> {
  constructor(private readonly shards: LedgerShards) {}

  execute({ request, shard }: CloseCustomerAccountCommand): Promise<CommandReply<{ customer_id: string }>> {
    const { merchant_id, customer_id } = request;
    return this.shards.writer(shard).submit({
      request,
      command: { kind: 'CloseCustomer', merchant_id, customer_id },
      result: () => ({ customer_id }),
    });
  }
}
