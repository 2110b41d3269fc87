import { SWAP_DRY_RUN_REQUEST } from '@stablecoin/contracts/wallet/merchant-requests';
import { PostedSwapDryRun } from '@stablecoin/contracts/wallet/dry-run-post-swap';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { executeSwap, ExecuteSwapTerms } from './execute-swap';

/** The same terms as those of the execution that it asks about. */
export class DryRunExecuteSwap extends ExecuteSwapTerms {}

export interface SwapDryRun extends PostedSwapDryRun {
  /** The quote that would be used. */
  swap_id: string;
}

/**
 * What `swap.execute-swap` would answer at this moment to a new command; the quote stays as it is. Not `readOnly`, for the
 * reason that `dryRunHoldPayout` names, and since it may wait for an attempt that is under way.
 */
export const dryRunExecuteSwap = operation({
  subject: SWAP_DRY_RUN_REQUEST,
  provesRequest: true,
  request: DryRunExecuteSwap,
  reply: replies<SwapDryRun>(),
  errors: executeSwap.errors,
});
