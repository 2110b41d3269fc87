import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { LedgerFact } from './facts';

/** Asked by a consumer of facts that was away for longer than the stream keeps them. */
export class ReadFacts {
  @IsWholeNumberBetween(0, 32_767) shard: number;
  /** The position of the last fact that the consumer has had, or 0. */
  @IsWholeNumberBetween(0, Number.MAX_SAFE_INTEGER) after: number;
}

export interface ReadFactsPage {
  /** In the order of the log; a bounded number. */
  facts: LedgerFact[];
  /** Where the page ends, and the next one begins; `after` when the log has nothing more. */
  last: number;
}

/** Facts of a shard from the log itself, as they were on the stream. */
export const readFacts = operation({
  subject: 'wallet.read-facts',
  readOnly: true,
  request: ReadFacts,
  reply: replies<ReadFactsPage>(),
  errors: [],
});
