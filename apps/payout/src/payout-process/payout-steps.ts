import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { settlement } from '../rails/sandbox-evidence';
import { Injectable } from '@nestjs/common';
import { PayoutResolution, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { PAYOUT_DESTINATION_FIELD, PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { payoutContentHash } from '@stablecoin/event-chain/payout-content';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { OwnerKeys } from '../owners/owner-keys';
import { KnownStatus, PayoutRail, RailStatus } from '../rails/payout-rail';
import { PayoutRails } from '../rails/payout-rails';
import { PayoutRow, PayoutState } from './payout-row';
import { PayoutScreening } from './payout-screening';
import { PayoutStore } from './payout-store';
import { PayoutTerms } from './payout-terms';

/**
 * One step of a payout that is due:
 *
 * | found      | done                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------|
 * | never sent | held against the ledger, unless its row is intact (payout-terms.ts); screened                |
 * |            | (payout-screening.ts): it waits, or fails, by that; given its rail for good; failed, if the   |
 * |            | merchant is live and there is none for live merchants                                         |
 * | accepted   | submitted to the rail (the intent was stored by taking it)                                   |
 * | submitting | looked up: an earlier attempt's outcome is unknown; sent only if the rail never took it      |
 * | submitted  | looked up; the rail's answer is sent to the ledger. Never sent again over a chain            |
 * | completed  | looked up once more where the rail may return the money; never sent, even if unknown there   |
 *
 * What was approved is compared with what is about to be sent: a row that was changed since is not sent.
 *
 * It is asked for at the rail that is stored with it. The sandbox's is stored as nothing: a payout that is on no chain is there,
 * or nowhere.
 *
 * A command to the ledger has an id derived from payout and resolution, so that every step can be repeated. A step that
 * throws is repeated later; nothing of it is lost.
 */
@Injectable()
export class PayoutSteps {
  constructor(
    private readonly books: PayoutStore,
    private readonly terms: PayoutTerms,
    private readonly rails: PayoutRails,
    private readonly owners: OwnerKeys,
    private readonly screening: PayoutScreening,
    private readonly bus: BusClient,
    private readonly secret: CallerSecret,
  ) {}

  async step(payout: PayoutRow): Promise<void> {
    const isSent = payout.state !== 'accepted';
    let status: RailStatus = isSent
      ? await this.rails.along(payout.route).lookUp(payout.provider_reference)
      : { state: 'unknown' };
    if (status.state === 'unknown') {
      if (payout.state === 'completed') return this.books.leaveToFacts(payout.id);
      // The chain service had it: without its records it may be paid already.
      if (payout.route === 'evm' && payout.state === 'submitted')
        throw new Error(`${payout.provider_reference} was taken by the chain service, which does not know it any more`);
      if (!(await this.terms.areToBeSent(payout))) return this.books.leaveToFacts(payout.id);
      refuseOtherThanApproved(payout);
      const isLive = (await this.owners.keyOf(payout.merchant_id, null)).mode === 'live';
      const destination = await this.destinationOf(payout);
      const screened = await this.screening.screen(payout, destination);
      if (screened === 'waits') return this.books.waitForScreening(payout);
      const rail = screened === 'passes' ? await this.railOf(payout, isLive, destination) : null;
      // One that was rejected. Or the gateway refuses it before it is held: this one is from before, or did not come through it.
      status = rail
        ? await this.submit(rail, payout, isLive, destination)
        : await this.rails.refuse(payout.network, payout.provider_reference);
    }
    await this.follow(payout, status);
  }

  private async railOf(
    { id, network, route }: PayoutRow,
    isLive: boolean,
    destination: PayoutDestination,
  ): Promise<PayoutRail | null> {
    if (route !== null) return this.rails.along(route);
    const chosen = this.rails.choose(network, isLive, destination);
    if (chosen === null) return null;
    return this.rails.along(chosen === 'evm' ? await this.books.routeToChain(id) : null);
  }

  private async destinationOf(payout: PayoutRow): Promise<PayoutDestination> {
    if (payout.sealed_destination === null) throw new Error('a payout without a destination');
    const key = await this.owners.keyOf(payout.merchant_id, payout.customer_id);
    return key.seal.open<PayoutDestination>(PAYOUT_DESTINATION_FIELD, payout.sealed_destination);
  }

  private submit(
    rail: PayoutRail,
    payout: PayoutRow,
    isLive: boolean,
    destination: PayoutDestination,
  ): Promise<KnownStatus> {
    return rail.submit({
      isLive,
      reference: payout.provider_reference,
      rail: payout.rail,
      network: payout.network,
      bankCode: payout.bank_code,
      currency: payout.currency,
      amount: payout.amount,
      recipientCurrency: payout.recipient_currency,
      destination,
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
      const screening = await this.screening.statementOf(payout);
      const stated = settlement(command, payout.route === 'evm' ? 'chain' : 'sandbox');
      const evidence = signEvidence(this.secret, { ...stated, ...(screening && { screening }) });
      await this.bus.call(resolvePayout, command, { shard: payout.shard, evidence });
    } catch (error) {
      // It was resolved by hand before: the ledger's outcome counts, and arrives as a fact.
      if (error instanceof Refusal && error.code === 'invalid_transition') return this.books.leaveToFacts(payout.id);
      throw error;
    }
    await this.books.advance(payout.id, state, nextStepAt, railReference);
  }
}

/** @throws Error for a row that is not what its approvers have approved */
function refuseOtherThanApproved({ approval_hash, ...payout }: PayoutRow): void {
  if (approval_hash === null || payoutContentHash(payout) === approval_hash) return;
  throw new Error(`${payout.provider_reference} is not what was approved: nothing of it is sent`);
}
