import { setTimeout as delay } from 'node:timers/promises';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import {
  SimulatedOutcome,
  SimulatePayoutOutcome,
  simulatePayoutOutcome,
} from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { PayoutResolution, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { payoutReference, sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { isEvmRailForTest } from '@stablecoin/service-host/payout-rails';
import { EndState, NamedPayout, PayoutStore, payoutInView } from '../payout-process/payout-store';
import { PayoutConfiguration } from '../payout.configuration';
import { SandboxRail } from '../rails/sandbox-rail';

const ENDS: Readonly<Record<SimulatedOutcome, { resolution: PayoutResolution; state: EndState }>> = {
  complete: { resolution: 'COMPLETED', state: 'completed' },
  fail: { resolution: 'FAILED', state: 'failed' },
  return: { resolution: 'REVERSED', state: 'reversed' },
};

/** The fact of a payout follows the answer to it in a moment. */
const FACT_WAIT_MS = 2_000;
const FACT_POLL_MS = 50;

/**
 * Ends a payout ahead of the sandbox's timer: first in the ledger, under the request's own command id, so that a retry
 * gets the stored result; then in our own table, so that the timer does nothing more. A crash in between is harmless:
 * the ledger refuses the timer's later outcome as an invalid transition.
 *
 * Only of the sandbox's payouts: what is on a chain ends as the chain says. Where test merchants' payouts go over chains, one
 * that no rail has taken is taken by the sandbox's first, and one whose fact is on its way here is waited for.
 */
@Handles(simulatePayoutOutcome)
export class SimulatePayoutOutcomeHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly books: PayoutStore,
    private readonly sandbox: SandboxRail,
    private readonly configuration: PayoutConfiguration,
  ) {}

  async execute(command: SimulatePayoutOutcome): Promise<CommandReply<TransactionView>> {
    const { shard, outcome, ...asked } = command;
    const { resolution, state } = ENDS[outcome];
    const known = await asRefusal(() => this.find(command));
    if (known && !(await asRefusal(() => this.isTheSandboxes(known, outcome)))) throw new Refusal('invalid_transition');
    const rail_reference = known ? sandboxRailReference(payoutReference(known.id), known.network) : null;
    const reply = await this.bus.call(resolvePayout, { ...asked, resolution, rail_reference }, { shard });
    await asRefusal(() => this.books.closeByHand(payoutInView(reply.result, shard), state));
    return reply;
  }

  /** Undefined while the fact of the payout is still on its way here: the ledger knows whether there is one. */
  private async find({ merchant_id, transaction }: SimulatePayoutOutcome): Promise<NamedPayout | undefined> {
    if (!isEvmRailForTest(this.configuration)) return this.books.findByName(merchant_id, transaction);
    const until = Date.now() + FACT_WAIT_MS;
    for (;;) {
      const known = await this.books.findByName(merchant_id, transaction);
      if (known) return known;
      if (Date.now() >= until) throw new Refusal('not_found');
      await delay(FACT_POLL_MS);
    }
  }

  private async isTheSandboxes({ id, network, route }: NamedPayout, outcome: SimulatedOutcome): Promise<boolean> {
    if (route !== null) return false;
    if (network === null || !isEvmNetwork(network) || !isEvmRailForTest(this.configuration)) return true;
    const reference = payoutReference(id);
    // What comes back has arrived, and was taken before that.
    if (outcome === 'return') return (await this.sandbox.lookUp(reference)).state !== 'unknown';
    return this.sandbox.takeForOutcomeByHand(reference, network);
  }
}
