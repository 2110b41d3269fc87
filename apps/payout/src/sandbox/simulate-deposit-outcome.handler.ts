import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { DepositEndEvidence, signEvidence } from '@stablecoin/command-proofs/evidence';
import { depositEnd } from '../rails/sandbox-evidence';
import {
  SimulatedDepositOutcome,
  SimulateDepositOutcome,
  simulateDepositOutcome,
} from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Handles } from '@stablecoin/messaging/handles';
import { cameOverChain } from '../payout-process/chain-deposit';

/** What the rail would say. */
const SAYS: Readonly<
  Record<
    SimulatedDepositOutcome,
    { operation: typeof confirmDeposit | typeof failDeposit | typeof reverseDeposit; to: DepositEndEvidence['to'] }
  >
> = {
  complete: { operation: confirmDeposit, to: 'COMPLETED' },
  fail: { operation: failDeposit, to: 'FAILED' },
  reverse: { operation: reverseDeposit, to: 'REVERSED' },
};

/**
 * Ends a deposit in the ledger, under the request's own command id, so that a retry gets the stored result. Where the sandbox's
 * timer runs for it, the fact of the end stops that. One that came over a chain is ended by that chain alone.
 */
@Handles(simulateDepositOutcome)
export class SimulateDepositOutcomeHandler {
  constructor(
    private readonly bus: BusClient,
    private readonly secret: CallerSecret,
  ) {}

  async execute({ shard, outcome, ...deposit }: SimulateDepositOutcome): Promise<CommandReply<TransactionView>> {
    await this.requireOfSandbox(deposit, shard);
    const { operation, to } = SAYS[outcome];
    return this.bus.call(operation, deposit, { shard, evidence: signEvidence(this.secret, depositEnd(deposit, to)) });
  }

  private async requireOfSandbox(
    { merchant_id, id }: { merchant_id: string; id: string },
    shard: number,
  ): Promise<void> {
    try {
      const asked = { merchant_id, transaction_id: id };
      const { network, crypto_transaction_id: name } = await this.bus.call(getTransaction, asked, { shard });
      if (cameOverChain(network, name)) throw new Refusal('invalid_transition');
    } catch (error) {
      // A ledger of the version before finds transactions by their codes alone. Where there is none, it says so itself.
      if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
    }
  }
}
