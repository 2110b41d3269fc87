import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { postSwap, PostSwapTerms } from './post-swap';
import { DryRunTransactionView } from './views';

/** The same terms as those of the swap that it asks about, under the same command id. */
export class DryRunPostSwap extends PostSwapTerms {}

export interface PostedSwapDryRun {
  debit_transaction: DryRunTransactionView;
  credit_transaction: DryRunTransactionView;
}

/**
 * What `wallet.post-swap` would answer at this moment, or null where the swap is posted already; nothing is recorded. Not
 * `readOnly`, for the reason that `dryRunHoldPayout` names.
 */
export const dryRunPostSwap = operation({
  subject: 'wallet.dry-run-post-swap',
  answeredBy: 'shard',
  callers: ['swap-pricing'],
  request: DryRunPostSwap,
  reply: replies<PostedSwapDryRun | null>(),
  errors: postSwap.errors,
});
