import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AddBankMethod, addBankMethod } from '@stablecoin/contracts/payout/add-bank-method';
import { AddWalletMethod, addWalletMethod } from '@stablecoin/contracts/payout/add-wallet-method';
import { DeletePayoutMethod, deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { ListPayoutMethods, listPayoutMethods } from '@stablecoin/contracts/payout/list-payout-methods';
import { SimulateDeposit, simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { SimulatePayoutOutcome, simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';

/** Every subject that payout answers. Payouts themselves begin with a fact: see facts/ and payout-process/. */
@Controller()
export class PayoutMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(listPayoutMethods)
  listPayoutMethods(request: ListPayoutMethods) {
    return this.queries.execute<ListPayoutMethods, Page<PayoutMethodView>>(request);
  }

  @Handles(addWalletMethod)
  addWalletMethod(request: AddWalletMethod) {
    return this.commands.execute<AddWalletMethod, CommandReply<PayoutMethodView>>(request);
  }

  @Handles(addBankMethod)
  addBankMethod(request: AddBankMethod) {
    return this.commands.execute<AddBankMethod, CommandReply<PayoutMethodView>>(request);
  }

  @Handles(deletePayoutMethod)
  deletePayoutMethod(request: DeletePayoutMethod) {
    return this.commands.execute<DeletePayoutMethod, CommandReply<{ customer_id: string | null }>>(request);
  }

  @Handles(simulateDeposit)
  simulateDeposit(request: SimulateDeposit) {
    return this.commands.execute<SimulateDeposit, CommandReply<TransactionView>>(request);
  }

  @Handles(simulatePayoutOutcome)
  simulatePayoutOutcome(request: SimulatePayoutOutcome) {
    return this.commands.execute<SimulatePayoutOutcome, CommandReply<TransactionView>>(request);
  }
}
