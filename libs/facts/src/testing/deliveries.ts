import { factSubject, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { DeliveredFact, FactDesk } from '../fact-desk';
import { FactHandler } from '../fact-handler';

/** Hands facts to a handler as they come over the bus, without a bus. */
export class Deliveries {
  readonly desk: FactDesk;
  private readonly codec = new SealedCodec(Buffer.alloc(32, 9));

  constructor(handler: FactHandler) {
    this.desk = new FactDesk(handler, this.codec);
  }

  deliver(...facts: LedgerFact[]): Promise<void> {
    return this.desk.handle(facts.map((fact) => this.delivered(fact)));
  }

  park(fact: LedgerFact, reason = 'Error: a test says so'): Promise<void> {
    return this.desk.park(this.delivered(fact), { reason, attempts: 5 });
  }

  private delivered(fact: LedgerFact): DeliveredFact {
    return { fact, sealed: this.codec.encode(factSubject(fact.shard, fact.movement), fact) };
  }
}
