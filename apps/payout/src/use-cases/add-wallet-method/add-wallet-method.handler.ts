import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { AddWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { networksOf } from '@stablecoin/money/currency';
import { MethodSaving } from '../../methods/method-saving';

@CommandHandler(AddWalletMethod)
export class AddWalletMethodHandler implements ICommandHandler<AddWalletMethod, CommandReply<PayoutMethodView>> {
  constructor(private readonly methods: MethodSaving) {}

  async execute(command: AddWalletMethod): Promise<CommandReply<PayoutMethodView>> {
    const { currency, network, wallet_address, label } = command;
    if (!networksOf(currency).includes(network)) {
      throw Refusal.ofField('network', 'unsupported_network', 'must be a network of the currency');
    }
    return this.methods.save(command, { type: 'WALLET', network, details: { label: label ?? null, wallet_address } });
  }
}
