import { factSubject, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { DeliveredFact, FactProcessor } from '../fact-processor';
import { FactHandler } from '../fact-handler';

/** Hands facts to a handler as they come over the bus, without a bus. */
export class Deliveries {
  readonly desk: FactProcessor;
  private readonly codec = new SealedCodec(Buffer.alloc(32, 9));

  constructor(handler: FactHandler) {
    this.desk = new FactProcessor(handler, this.codec);
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
