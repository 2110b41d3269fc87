import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { settlement } from '../rails/sandbox-evidence';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import {
  SimulatedOutcome,
  SimulatePayoutOutcome,
  simulatePayoutOutcome,
} from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { PayoutResolution, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { payoutReference, sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { payoutInView } from '../payout-process/accepted-payout';
import { EndState } from '../payout-process/payout-row';
import { NamedPayout, PayoutStore } from '../payout-process/payout-store';
import { SandboxRail } from '../rails/sandbox-rail';

const ENDS: Readonly<Record<SimulatedOutcome, { resolution: PayoutResolution; state: EndState }>> = {
  complete: { resolution: 'COMPLETED', state: 'completed' },
  fail: { resolution: 'FAILED', state: 'failed' },
  return: { resolution: 'REVERSED', state: 'reversed' },
};

/**
 * Ends a payout ahead of the sandbox's timer: first in the ledger, under the request's own command id, so that a retry
 * gets the stored result; then in our own table, so that the timer does nothing more. A crash in between is harmless:
 * the ledger refuses the timer's later outcome as an invalid transition.
 *
 * Only of the sandbox's payouts: what is on a chain ends as the chain says. One to an EVM network that no rail has taken is
 * taken by the sandbox's first, whatever the settings of this instance, since another one's may send it over the chain. One
 * whose fact is on its way here is known to the ledger, and its name can be taken before there is a row of it.
 */
@Handles(simulatePayoutOutcome)
export class SimulatePayoutOutcomeHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly books: PayoutStore,
    private readonly sandbox: SandboxRail,
    private readonly secret: CallerSecret,
  ) {}

  async execute(command: SimulatePayoutOutcome): Promise<CommandReply<TransactionView>> {
    const { shard, outcome, ...asked } = command;
    const { resolution, state } = ENDS[outcome];
    const known = await this.find(command);
    if (!(await asRefusal(() => this.isTheSandboxes(known, outcome)))) throw new Refusal('invalid_transition');
    const rail_reference = sandboxRailReference(payoutReference(known.id), known.network);
    const resolved = { ...asked, resolution, rail_reference };
    const evidence = signEvidence(this.secret, settlement(resolved, 'sandbox'));
    const reply = await this.bus.call(resolvePayout, resolved, { shard, evidence });
    await asRefusal(() => this.books.closeByHand(payoutInView(reply.result, shard), state));
    return reply;
  }

  private async find({ merchant_id, transaction, shard }: SimulatePayoutOutcome): Promise<NamedPayout> {
    const stored = await asRefusal(() => this.books.findByName(merchant_id, transaction));
    if (stored) return stored;
    const asked = { merchant_id, transaction_id: transaction };
    const { id, network, transaction_type } = await this.bus.call(getTransaction, asked, { shard });
    if (transaction_type !== 'PAYOUT') throw new Refusal('not_found');
    return { id, network, route: null, settled_by_hand: false, waiting_for: null };
  }

  private async isTheSandboxes(payout: NamedPayout, outcome: SimulatedOutcome): Promise<boolean> {
    const { id, network, route, settled_by_hand } = payout;
    if (route !== null) return false;
    if (network === null || !isEvmNetwork(network) || settled_by_hand) return true;
    const reference = payoutReference(id);
    // What comes back has arrived, and was taken before that.
    if (outcome === 'return') return (await this.sandbox.lookUp(reference)).state !== 'unknown';
    return this.sandbox.takeForOutcomeByHand(reference, network);
  }
}
