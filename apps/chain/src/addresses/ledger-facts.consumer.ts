import { Injectable } from '@nestjs/common';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import { FactHandler } from '@stablecoin/facts/fact-handler';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Sql } from '@stablecoin/persistence/sql';
import { ChainDatabase } from '../persistence/chain-database';
import { KnownAddresses } from './known-addresses';

/**
 * Learns the deposit addresses of all wallets. A consumer without progress of its own begins at the beginning of the log
 * (the first migration gives it that progress), so that it also learns of wallets that are older than this service.
 */
@Injectable()
export class LedgerFactsConsumer implements FactHandler {
  readonly durable = 'chain';
  readonly movements = ['wallet-opened', 'deposit-address-added'] as const;
  /** An address that is known is recognised by its row. */
  readonly keepsInbox = false;

  constructor(
    readonly database: ChainDatabase,
    private readonly addresses: KnownAddresses,
    private readonly bus: BusClient,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  /** An address may be learned before its wallet: it is looked up with it. */
  concerns({ shard, position }: LedgerFact): string {
    return `${shard}:${position}`;
  }

  async handle(transaction: Sql, facts: LedgerFact[]): Promise<void> {
    await this.addresses.learn(transaction, await Promise.all(facts.map((fact) => this.complete(fact))));
  }

  /** A ledger of the version before published facts without addresses; the log has them. */
  private async complete(fact: LedgerFact): Promise<LedgerFact> {
    if (fact.deposit_addresses) return fact;
    const { facts } = await this.bus.call(readFacts, { shard: fact.shard, after: fact.position - 1 });
    const found = facts.find(({ position }) => position === fact.position);
    if (!found?.deposit_addresses) throw new Error('the ledger does not tell the addresses of its wallets yet');
    return found;
  }
}
