/**
 * What leaves is what the ledger holds money for, not what a row of this service's table says. A payout is sent by its row
 * where the row carries a MAC over its terms: made when the ledger's fact was stored, by a key that is in no database. Any
 * other row is held against the ledger's transaction first: one of an older version, one from before the key was changed,
 * one that was written or altered by somebody with this service's database login.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { instruments } from '@stablecoin/telemetry/metrics/instruments';
import { PayoutConfiguration } from '../payout.configuration';
import { AcceptedPayout, payoutInView } from './accepted-payout';
import { PayoutRow } from './payout-row';

const INFO = 'stablecoin/payout-terms/v1';

type Terms = Omit<AcceptedPayout, 'transaction_id'>;

@Injectable()
export class PayoutTerms {
  private readonly key: Buffer;

  constructor(
    { commandKey }: PayoutConfiguration,
    private readonly bus: BusClient,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', commandKey, '', INFO, 32));
  }

  /** Base64. */
  macOf(terms: Terms): string {
    return this.mac(terms).toString('base64');
  }

  /**
   * @returns whether the payout is still to be sent: not when it has ended in the ledger already
   * @throws Error for terms that are not the ledger's
   */
  async areToBeSent(payout: PayoutRow): Promise<boolean> {
    if (this.isIntact(payout)) return true;
    const view = await this.inLedger(payout);
    const isSame = view !== undefined && textOf(payoutInView(view, payout.shard)) === textOf(payout);
    if (isSame && (view.waiting_for ?? null) === null) return view.status === 'PENDING';
    instruments.payout_terms_refused_total.inc();
    throw new Error('its row says something else than the ledger, where it may still wait: it is not sent');
  }

  private isIntact(payout: PayoutRow): boolean {
    if (payout.terms_mac === null) return false;
    const [given, expected] = [Buffer.from(payout.terms_mac, 'base64'), this.mac(payout)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private mac(terms: Terms): Buffer {
    return createHmac('sha256', this.key).update(textOf(terms)).digest();
  }

  private async inLedger({ id, merchant_id, shard }: PayoutRow): Promise<TransactionView | undefined> {
    try {
      const view = await this.bus.call(getTransaction, { merchant_id, transaction_id: id }, { shard });
      return view.transaction_type === 'PAYOUT' ? view : undefined;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

/** Unambiguous, and the same for a fact, a reply and a row: amounts have eight decimals in all three. */
function textOf(terms: Terms): string {
  const { id, merchant_id, customer_id, shard, network, bank_code } = terms;
  const { currency, amount, recipient_currency, sealed_destination, approval_hash } = terms;
  return JSON.stringify([
    ...[id, merchant_id, customer_id, shard, network, bank_code],
    ...[currency, amount, recipient_currency, sealed_destination, approval_hash],
  ]);
}
