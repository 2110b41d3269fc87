import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { TileCache } from '@stablecoin/ledger-store/checkpoints/log-tiles';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { LRUCache } from 'lru-cache';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';

/** Reads of the log at once, each on one connection. */
const UNDER_WAY_MAX = 3;
/** More than a gateway works on at once. */
const WAITING_MAX = 512;
/** Of some kilobytes each. */
const DOCUMENTS_MAX = 500;

/**
 * Reads of the log for auditors: a bounded number at once, the others wait in their order until their deadlines. What was
 * computed for a proof is kept: tiles of the tree, which never change, and whole documents.
 */
@Injectable()
export class AuditWork {
  readonly tiles = new TileCache();
  private readonly documents = new LRUCache<string, Promise<object>>({ max: DOCUMENTS_MAX });
  private readonly waiting: (() => void)[] = [];
  private readonly underWayMax: number;
  private underWay = 0;

  /** At least half of the connections are left to look-ups and lists, also of the smallest pool. */
  constructor({ readConnections }: WalletLedgerConfiguration) {
    this.underWayMax = Math.max(1, Math.min(UNDER_WAY_MAX, Math.floor(readConnections / 2)));
  }

  /** @throws Refusal `unavailable`, not executed: there was no room, or none before the request's deadline */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.underWay < this.underWayMax) this.underWay += 1;
    else await this.turn();
    try {
      if (Date.now() >= (currentRequest()?.deadline ?? Infinity)) throw Refusal.notExecuted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.underWay -= 1;
    }
  }

  /** The document kept under the key, which names its kind, or the one that is made now. One that could not be made is not kept. */
  document<Document extends object>(key: string, make: () => Promise<Document>): Promise<Document> {
    const kept = this.documents.get(key);
    if (kept) return kept as Promise<Document>;
    const made = make();
    this.documents.set(key, made);
    made.catch(() => this.documents.delete(key));
    return made;
  }

  /** Until the work that ends passes its place on. */
  private turn(): Promise<void> {
    if (this.waiting.length >= WAITING_MAX) throw Refusal.notExecuted();
    return new Promise((begin) => this.waiting.push(begin));
  }
}
