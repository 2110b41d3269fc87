import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { AddWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { MethodSaving } from '../../methods/method-saving';

@CommandHandler(AddWalletMethod)
export class AddWalletMethodHandler implements ICommandHandler<AddWalletMethod, CommandReply<PayoutMethodView>> {
  constructor(private readonly methods: MethodSaving) {}

  async execute(command: AddWalletMethod): Promise<CommandReply<PayoutMethodView>> {
    const { network, wallet_address, label } = command;
    return this.methods.save(command, { type: 'WALLET', network, details: { label: label ?? null, wallet_address } });
  }
}
