/** What the attacker has: an ordinary merchant in the sandbox, on the victim's shard. */
export interface Attacker {
  apiKey: string;
  readOnlyKey: string;
  /** More keys of the same merchant, each with a rate limit of its own. */
  furtherKeys: readonly string[];
  customerId: string;
  walletId: string;
  /** Of a deposit that a checkpoint covers. */
  transactionId: string;
  /** Of an event of the merchant. */
  eventId: string;
}
