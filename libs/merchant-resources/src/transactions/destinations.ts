import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { PAYOUT_DESTINATION_FIELD, PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { Network } from '@stablecoin/money/currency';
import { Owners } from '../owners/owners';
import { SealedValues } from '../owners/sealed-values';

/** An account at a bank, or an address on a network. */
export type DestinationName = { bank_code: string; account_number: string } | { network: Network; address: string };

/** A transaction of one merchant, recorded or not. */
type WithDestination = Pick<TransactionView, 'merchant_id' | 'customer_id' | 'sealed_destination'>;

function nameOf(destination: DestinationName): string {
  if ('bank_code' in destination) {
    return JSON.stringify(['bank', destination.bank_code.toUpperCase(), destination.account_number.toUpperCase()]);
  }
  const { network, address } = destination;
  return JSON.stringify(isEvmNetwork(network) ? ['evm', address.toLowerCase()] : [network, address]);
}

/** Seals destinations, and has them opened: the ledger and its log hold them only sealed with the owner's sealing key. */
@Injectable()
export class Destinations {
  constructor(
    private readonly owners: Owners,
    private readonly sealedValues: SealedValues,
  ) {}

  seal(merchantId: string, owner: Owner, destination: PayoutDestination): string {
    return this.sealedValues.seal(merchantId, owner, PAYOUT_DESTINATION_FIELD, destination);
  }

  /**
   * By what the ledger recognises a destination that it can't read: the same for each payout of the merchant to there, for each
   * of its customers. An address of an EVM network is the same one on all of them.
   */
  async hashOf(merchantId: string, destination: DestinationName): Promise<string> {
    const merchant = await this.owners.find(merchantId);
    return this.sealedValues.hashOf(merchant, PAYOUT_DESTINATION_FIELD, nameOf(destination));
  }

  /** Null for a transaction that is no payout, and for an owner that was erased. */
  async of(view: WithDestination): Promise<PayoutDestination | null> {
    const [destination = null] = await this.ofAll([view]);
    return destination;
  }

  /** The same for transactions of one merchant, at most a page of them. */
  async ofAll(views: readonly WithDestination[]): Promise<(PayoutDestination | null)[]> {
    const sealed = views.flatMap(({ customer_id, sealed_destination }) =>
      sealed_destination === null ? [] : [{ customer_id, field: PAYOUT_DESTINATION_FIELD, sealed: sealed_destination }],
    );
    const opened = views[0] ? await this.sealedValues.open(views[0].merchant_id, sealed) : [];
    const remaining = opened as (PayoutDestination | null)[];
    return views.map((view) => (view.sealed_destination === null ? null : (remaining.shift() ?? null)));
  }
}
