import {
  SimulatedDepositOutcome,
  SimulateDepositOutcome,
  simulateDepositOutcome,
} from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';

/** What the rail would say. */
const SAYS: Readonly<
  Record<SimulatedDepositOutcome, typeof confirmDeposit | typeof failDeposit | typeof reverseDeposit>
> = { complete: confirmDeposit, fail: failDeposit, reverse: reverseDeposit };

/**
 * Ends a deposit in the ledger, under the request's own command id, so that a retry gets the stored result. Where the sandbox's
 * timer runs for it, the fact of the end stops that.
 */
@Handles(simulateDepositOutcome)
export class SimulateDepositOutcomeHandler {
  constructor(private readonly bus: BusClient) {}

  execute({ shard, outcome, ...deposit }: SimulateDepositOutcome): Promise<CommandReply<TransactionView>> {
    return this.bus.call(SAYS[outcome], deposit, { shard });
  }
}
