import { AddWalletMethod, addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { MethodSaving } from './method-saving';

@Handles(addWalletMethod)
export class AddWalletMethodHandler {
  constructor(private readonly methods: MethodSaving) {}

  async execute(command: AddWalletMethod): Promise<CommandReply<PayoutMethodView>> {
    const { network, wallet_address, label } = command;
    return this.methods.save(command, { type: 'WALLET', network, details: { label: label ?? null, wallet_address } });
  }
}
