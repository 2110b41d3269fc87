/**
 * Asks the customer service, which has the lists and the decisions, about a payout that no rail has yet: each time that it would
 * be sent. Nothing of the answer is kept here, where somebody with this service's database login could write it.
 */
import { Injectable } from '@nestjs/common';
import { ScreeningStatement } from '@stablecoin/command-proofs/evidence';
import { findScreening } from '@stablecoin/contracts/customer/find-screening';
import { screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { PAYOUT_DESTINATION_FIELD, PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { OwnerKey, OwnerKeys } from '../owners/owner-keys';
import { PayoutRow } from './payout-row';

type Screened = Pick<PayoutRow, 'id' | 'merchant_id' | 'customer_id'>;

const partyOf = (destination: PayoutDestination) => ({
  address: destination.kind === 'wallet' ? destination.address : null,
  name: destination.recipient_name,
});

@Injectable()
export class PayoutScreening {
  constructor(
    private readonly owners: OwnerKeys,
    private readonly bus: BusClient,
  ) {}

  async screen(payout: Screened, destination: PayoutDestination): Promise<'passes' | 'waits' | 'rejected'> {
    const { id, merchant_id, customer_id } = payout;
    if (!(await this.isScreened(payout))) return 'passes';
    const asked = { id, movement: 'payout', merchant_id, customer_id, ...partyOf(destination) } as const;
    const { decision } = await this.bus.call(screenMovement, asked);
    switch (decision) {
      case 'clear':
      case 'released':
        return 'passes';
      case 'held':
      case 'unlisted':
        return 'waits';
      case 'rejected':
        return 'rejected';
    }
  }

  /** What is stated of it in the ledger's log, with how it ended; undefined for one that was sent without being screened. */
  async statementOf(payout: Screened): Promise<ScreeningStatement | undefined> {
    if (!(await this.isScreened(payout))) return undefined;
    try {
      const { decision, lists } = await this.bus.call(findScreening, {
        id: payout.id,
        merchant_id: payout.merchant_id,
      });
      if (lists.length === 0 || decision === 'held' || decision === 'unlisted') return undefined;
      return { decision, lists };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Of one that was paid before there was a screening. Who was erased since is nobody's party any more. */
  async tellOfPast(payout: Screened & Pick<PayoutRow, 'sealed_destination'>): Promise<void> {
    const { id, merchant_id, customer_id, sealed_destination } = payout;
    if (sealed_destination === null || !(await this.isScreened(payout))) return;
    const owner = await this.ownerOf(payout);
    if (!owner) return;
    const destination = owner.seal.open<PayoutDestination>(PAYOUT_DESTINATION_FIELD, sealed_destination);
    const asked = { id, movement: 'payout', merchant_id, customer_id, ...partyOf(destination), moved: true } as const;
    await this.bus.call(screenMovement, asked);
  }

  private async ownerOf({ merchant_id, customer_id }: Screened): Promise<OwnerKey | undefined> {
    try {
      return await this.owners.keyOf(merchant_id, customer_id);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  private async isScreened({ merchant_id }: Screened): Promise<boolean> {
    return (await this.owners.keyOf(merchant_id, null)).isScreened;
  }
}
