import { SimulateDeposit, simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { HELD_DEPOSIT } from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { PayoutConfiguration } from '../payout.configuration';

/**
 * The sandbox sees a deposit arrive. It takes effect in the ledger only, under the request's own command id; where
 * confirmations take time, the fact of the recorded deposit starts them (see payout-process/). One that is held has none.
 */
@Handles(simulateDeposit)
export class SimulateDepositHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly configuration: PayoutConfiguration,
  ) {}

  execute({ shard, ...deposit }: SimulateDeposit): Promise<CommandReply<TransactionView>> {
    const confirmed = this.configuration.sandboxConfirmMs === 0 && deposit.reference !== HELD_DEPOSIT;
    return this.bus.call(recordDeposit, { ...deposit, confirmed }, { shard });
  }
}
