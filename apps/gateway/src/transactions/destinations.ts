import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { PAYOUT_DESTINATION_FIELD, PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Network } from '@stablecoin/money/currency';
import { DataKeys } from '../owners/data-keys';
import { Owners } from '../owners/owners';

/** An account at a bank, or an address on a network. */
export type DestinationName = { bank_code: string; account_number: string } | { network: Network; address: string };

function nameOf(destination: DestinationName): string {
  if ('bank_code' in destination) {
    return JSON.stringify(['bank', destination.bank_code.toUpperCase(), destination.account_number.toUpperCase()]);
  }
  const { network, address } = destination;
  return JSON.stringify(isEvmNetwork(network) ? ['evm', address.toLowerCase()] : [network, address]);
}

/** Seals and opens destinations: the ledger and its log hold them only sealed with the owner's data key. */
@Injectable()
export class Destinations {
  constructor(
    private readonly owners: Owners,
    private readonly dataKeys: DataKeys,
  ) {}

  seal(owner: Owner, destination: PayoutDestination): string {
    return this.dataKeys.seal(owner, PAYOUT_DESTINATION_FIELD, destination);
  }

  /**
   * By what the ledger recognises a destination that it can't read: the same for each payout of the merchant to there, for each
   * of its customers. An address of an EVM network is the same one on all of them.
   */
  async hashOf(merchantId: string, destination: DestinationName): Promise<string> {
    const merchant = await this.owners.find(merchantId);
    return this.dataKeys.hashOf(merchant, PAYOUT_DESTINATION_FIELD, nameOf(destination));
  }

  /** Null for a transaction that is no payout, and for an owner that was erased. */
  open(owner: Owner, view: Pick<TransactionView, 'sealed_destination'>): PayoutDestination | null {
    if (view.sealed_destination === null) return null;
    return this.dataKeys.open<PayoutDestination>(owner, PAYOUT_DESTINATION_FIELD, view.sealed_destination);
  }

  /** The same where the owner has to be found first. */
  async of(view: TransactionView): Promise<PayoutDestination | null> {
    if (view.sealed_destination === null) return null;
    const owner = await this.findOwner(view);
    return owner && this.open(owner, view);
  }

  private async findOwner(view: TransactionView): Promise<Owner | null> {
    try {
      return await this.owners.find(view.merchant_id, view.customer_id);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return null;
      throw error;
    }
  }
}
