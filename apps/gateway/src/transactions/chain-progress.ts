import { Injectable, Logger } from '@nestjs/common';
import { isEvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { currentRequest, freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { railFor } from '@stablecoin/service-host/payout-rails';
import { Caller } from '../authentication/caller';
import { GatewayConfiguration } from '../gateway.configuration';

/** A look-up waits for the chain no longer: what it adds is told again in a moment. */
const WAIT_MS = 500;

/** How far a PENDING transaction is on its chain; null for what is not known, or does not apply. */
export interface Progress {
  crypto_transaction_id: string | null;
  confirmations: number | null;
  confirmations_required: number | null;
}

export const NO_PROGRESS: Progress = { crypto_transaction_id: null, confirmations: null, confirmations_required: null };

/**
 * What only the service `chain` knows of a transaction while it is PENDING: the ledger hears of the end. Asked for where one
 * transaction is looked up, and only for those that are under way on a chain.
 */
@Injectable()
export class ChainProgress {
  private readonly log = new Logger(ChainProgress.name);

  constructor(
    private readonly bus: BusClient,
    private readonly configuration: GatewayConfiguration,
  ) {}

  async of(view: TransactionView, { mode }: Pick<Caller, 'mode'>): Promise<Progress> {
    const { status, network, transaction_type, crypto_transaction_id: known } = view;
    if (status !== 'PENDING' || network === null || !isEvmNetwork(network)) return NO_PROGRESS;
    if (transaction_type === 'DEPOSIT' && isTransactionHash(known ?? ''))
      return this.unlessAway(() => this.ofDeposit(view));
    const isUnderWay =
      transaction_type === 'PAYOUT' && railFor(this.configuration, { network, isLive: mode === 'live' }) === 'evm';
    return isUnderWay ? this.unlessAway(() => this.ofPayout(view)) : NO_PROGRESS;
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
      // `not_found`: it came or goes by the sandbox's rail, or the chain has not been asked so far.
      if (!(error instanceof Refusal)) this.log.error({ msg: 'no progress from the chain', err: error });
      return NO_PROGRESS;
    }
  }
}
