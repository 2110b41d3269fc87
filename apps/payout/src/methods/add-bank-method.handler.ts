import { AddBankMethod, addBankMethod } from '@stablecoin/contracts/payout/add-bank-method';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { MethodSaving } from './method-saving';

@Handles(addBankMethod)
export class AddBankMethodHandler {
  constructor(private readonly methods: MethodSaving) {}

  async execute(command: AddBankMethod): Promise<CommandReply<PayoutMethodView>> {
    const details = {
      account_name: command.account_name ?? null,
      account_number: command.account_number,
      bank_name: command.bank_name ?? null,
      bank_code: command.bank_code,
      sort_code: command.sort_code ?? null,
      swift_code: command.swift_code ?? null,
      routing_number: command.routing_number ?? null,
      iban: command.iban ?? null,
    };
    return this.methods.save(command, { type: 'BANK', network: null, details });
  }
}
