import { ReadFacts, readFacts, ReadFactsPage } from '@stablecoin/contracts/wallet/read-facts';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { factsAfter } from './facts-after';

/** A page of them is far below the broker's limit of a message. */
const EVENTS_MAX = 200;

@Handles(readFacts)
export class ReadFactsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute({ shard, after }: ReadFacts): Promise<ReadFactsPage> {
    return asRefusal(async () => {
      const { facts, last } = await factsAfter((await this.databases.forReads(shard)).reads, shard, after, EVENTS_MAX);
      return { facts, last };
    });
  }
}
