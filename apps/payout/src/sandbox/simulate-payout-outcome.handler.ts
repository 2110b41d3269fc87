import {
  SimulatedOutcome,
  SimulatePayoutOutcome,
  simulatePayoutOutcome,
} from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { PayoutResolution, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { EndState, PayoutStore, payoutInView, providerReference } from '../payout-process/payout-store';
import { sandboxRailReference } from '../rails/sandbox-rules';

const ENDS: Readonly<Record<SimulatedOutcome, { resolution: PayoutResolution; state: EndState }>> = {
  complete: { resolution: 'COMPLETED', state: 'completed' },
  fail: { resolution: 'FAILED', state: 'failed' },
  return: { resolution: 'REVERSED', state: 'reversed' },
};

/**
 * Ends a payout ahead of the sandbox's timer: first in the ledger, under the request's own command id, so that a retry
 * gets the stored result; then in our own table, so that the timer does nothing more. A crash in between is harmless:
 * the ledger refuses the timer's later outcome as an invalid transition.
 */
@Handles(simulatePayoutOutcome)
export class SimulatePayoutOutcomeHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly books: PayoutStore,
  ) {}

  async execute(command: SimulatePayoutOutcome): Promise<CommandReply<TransactionView>> {
    const { shard, outcome, ...asked } = command;
    const { resolution, state } = ENDS[outcome];
    const rail_reference = await this.railReference(command);
    const reply = await this.bus.call(resolvePayout, { ...asked, resolution, rail_reference }, { shard });
    await asRefusal(() => this.books.closeByHand(payoutInView(reply.result, shard), state));
    return reply;
  }

  /** Null while the fact of the payout is still on its way here. */
  private async railReference({ merchant_id, transaction }: SimulatePayoutOutcome): Promise<string | null> {
    const known = await asRefusal(() => this.books.findByName(merchant_id, transaction));
    return known ? sandboxRailReference(providerReference(known.id), known.network) : null;
  }
}
