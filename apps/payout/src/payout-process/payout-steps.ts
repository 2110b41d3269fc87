import { Injectable } from '@nestjs/common';
import { PayoutResolution, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { PAYOUT_DESTINATION_FIELD, PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { OwnerKeys } from '../owners/owner-keys';
import { PayoutRail, RailStatus } from '../rails/payout-rail';
import { PayoutStore, PayoutRow, PayoutState } from './payout-store';

const NOT_SENT = { railReference: null };

type KnownStatus = Exclude<RailStatus, { state: 'unknown' }>;

/**
 * One step of a payout that is due:
 *
 * | found      | done                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------|
 * | never sent | failed, if the merchant is live and the rail is not for live merchants                      |
 * | accepted   | submitted to the rail (the intent was stored by taking it)                                   |
 * | submitting | looked up: an earlier attempt's outcome is unknown; sent only if the rail never took it      |
 * | submitted  | looked up; the rail's answer is sent to the ledger                                           |
 * | completed  | looked up once more where the rail may return the money; never sent, even if unknown there   |
 *
 * A command to the ledger has an id derived from payout and resolution, so that every step can be repeated. A step that
 * throws is repeated later; nothing of it is lost.
 */
@Injectable()
export class PayoutSteps {
  constructor(
    private readonly books: PayoutStore,
    private readonly rail: PayoutRail,
    private readonly owners: OwnerKeys,
    private readonly bus: BusClient,
  ) {}

  async step(payout: PayoutRow): Promise<void> {
    const isSent = payout.state !== 'accepted';
    let status: RailStatus = isSent ? await this.rail.lookUp(payout.provider_reference) : { state: 'unknown' };
    if (status.state === 'unknown') {
      if (payout.state === 'completed') return this.books.leaveToFacts(payout.id);
      // The gateway refuses such a payout before it is held: this one is from before, or did not come through it.
      if (!(await this.mayGoByRail(payout))) return this.resolve(payout, 'FAILED', 'failed', NOT_SENT, null);
      await this.submit(payout);
      status = await this.rail.lookUp(payout.provider_reference);
    }
    if (status.state === 'unknown') throw new Error('the rail does not know what it was just sent');
    await this.follow(payout, status);
  }

  private async mayGoByRail({ merchant_id }: PayoutRow): Promise<boolean> {
    return this.rail.isForLive || (await this.owners.keyOf(merchant_id, null)).mode !== 'live';
  }

  private async submit(payout: PayoutRow): Promise<void> {
    if (payout.sealed_destination === null) throw new Error('a payout without a destination');
    const key = await this.owners.keyOf(payout.merchant_id, payout.customer_id);
    await this.rail.submit({
      reference: payout.provider_reference,
      rail: payout.rail,
      network: payout.network,
      bankCode: payout.bank_code,
      currency: payout.currency,
      amount: payout.amount,
      recipientCurrency: payout.recipient_currency,
      destination: key.seal.open<PayoutDestination>(PAYOUT_DESTINATION_FIELD, payout.sealed_destination),
    });
  }

  private async follow(payout: PayoutRow, status: KnownStatus): Promise<void> {
    const completed = payout.state === 'completed';
    switch (status.state) {
      case 'pending':
        return this.books.advance(
          payout.id,
          completed ? 'completed' : 'submitted',
          status.nextLook,
          status.railReference,
        );
      case 'completed':
        if (completed) return this.books.advance(payout.id, 'completed', status.nextLook);
        return this.resolve(payout, 'COMPLETED', 'completed', status, status.nextLook);
      case 'failed':
        return this.resolve(payout, 'FAILED', 'failed', status, null);
      case 'returned':
        // The ledger reverses only completed payouts: it learns of the completion now, of the return in the next step.
        if (completed) return this.resolve(payout, 'REVERSED', 'reversed', status, null);
        return this.resolve(payout, 'COMPLETED', 'completed', status, new Date());
    }
  }

  private async resolve(
    payout: PayoutRow,
    resolution: PayoutResolution,
    state: PayoutState,
    { railReference }: Pick<KnownStatus, 'railReference'>,
    nextStepAt: Date | null,
  ): Promise<void> {
    const terms = {
      merchant_id: payout.merchant_id,
      transaction: payout.id,
      resolution,
      rail_reference: railReference,
    };
    const command = { ...terms, ...derivedCommand(`resolve-payout:${payout.id}:${resolution}`, terms) };
    try {
      await this.bus.call(resolvePayout, command, { shard: payout.shard });
    } catch (error) {
      // It was resolved by hand before: the ledger's outcome counts, and arrives as a fact.
      if (error instanceof Refusal && error.code === 'invalid_transition') return this.books.leaveToFacts(payout.id);
      throw error;
    }
    await this.books.advance(payout.id, state, nextStepAt, railReference);
  }
}
