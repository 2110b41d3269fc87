import { Logger } from '@nestjs/common';
import { isEvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { findPayoutWait } from '@stablecoin/contracts/payout/find-payout-wait';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { currentRequest, freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { PayoutRailSettings, railFor } from '@stablecoin/service-host/payout-rails';

/** A look-up waits for the chain no longer: what it adds is told again in a moment. */
const WAIT_MS = 500;

/** How far a PENDING transaction is on its chain, or why it is not; null for what is not known, or does not apply. */
export interface Progress {
  crypto_transaction_id: string | null;
  confirmations: number | null;
  confirmations_required: number | null;
  /** Beside what the ledger makes a payout wait for. */
  waiting_for: 'screening' | null;
}

/** Whose transactions are looked up. */
export interface OfMerchant {
  mode: 'test' | 'live';
}

export const NO_PROGRESS: Progress = {
  ...{ crypto_transaction_id: null, confirmations: null, confirmations_required: null, waiting_for: null },
};

/**
 * What only the services `chain` and `payout` know of a transaction while it is PENDING: the ledger hears of the end. Asked for where
 * one transaction is looked up, and of the chain only for those that are under way there.
 */
export class PendingProgress {
  private readonly log = new Logger(PendingProgress.name);

  constructor(
    private readonly bus: BusClient,
    private readonly rails: PayoutRailSettings,
  ) {}

  async of(view: TransactionView, { mode }: OfMerchant): Promise<Progress> {
    if (view.status !== 'PENDING') return NO_PROGRESS;
    const [onChain, wait] = await Promise.all([this.onChain(view, mode), this.waitOf(view)]);
    return { ...onChain, waiting_for: wait.waiting_for };
  }

  private async onChain(view: TransactionView, mode: OfMerchant['mode']): Promise<Progress> {
    const { network, transaction_type, crypto_transaction_id: known } = view;
    if (network === null || !isEvmNetwork(network)) return NO_PROGRESS;
    if (transaction_type === 'DEPOSIT' && isTransactionHash(known ?? ''))
      return this.unlessAway(() => this.ofDeposit(view));
    const isUnderWay =
      transaction_type === 'PAYOUT' && railFor(this.rails, { network, isLive: mode === 'live' }) === 'evm';
    return isUnderWay ? this.unlessAway(() => this.ofPayout(view)) : NO_PROGRESS;
  }

  /** What waits in the ledger has not reached the payout service. */
  private async waitOf({ transaction_type, merchant_id, id, waiting_for }: TransactionView): Promise<Progress> {
    if (transaction_type !== 'PAYOUT' || (waiting_for ?? null) !== null) return NO_PROGRESS;
    return this.unlessAway(async () => ({
      ...NO_PROGRESS,
      ...(await this.bus.call(findPayoutWait, { merchant_id, id })),
    }));
  }

  private async ofDeposit({ merchant_id, transaction_id }: TransactionView): Promise<Progress> {
    const { confirmations, confirmations_required } = await this.bus.call(getDeposit, { merchant_id, transaction_id });
    return { ...NO_PROGRESS, confirmations, confirmations_required };
  }

  private async ofPayout({ id }: TransactionView): Promise<Progress> {
    const { transaction_hash } = await this.bus.call(lookUpTransfer, { reference: payoutReference(id) });
    return { ...NO_PROGRESS, crypto_transaction_id: transaction_hash };
  }

  private async unlessAway(ask: () => Promise<Progress>): Promise<Progress> {
    const request = currentRequest() ?? freshRequestContext();
    const deadline = Math.min(request.deadline, Date.now() + WAIT_MS);
    try {
      return await withRequestContext({ ...request, deadline }, ask);
    } catch (error) {
      // `not_found`: it came or goes by the sandbox's rail, or the service has not been asked so far.
      if (!(error instanceof Refusal)) this.log.error({ msg: 'no progress from chain or payout', err: error });
      return NO_PROGRESS;
    }
  }
}
