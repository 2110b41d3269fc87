import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { holdPayout, HoldPayoutTerms } from './hold-payout';
import { DryRunTransactionView } from './views';

/** On its own beside the command, so that nothing that handles the one could take the other for it. */
export class DryRunHoldPayout extends HoldPayoutTerms {}

/**
 * What `wallet.hold-payout` would answer at this moment; nothing is recorded, and no result is stored. An operation of its
 * own and no field of the other: a ledger of the version before doesn't answer it, where it could take a field for a payout.
 *
 * Not `readOnly`, though it changes nothing: a caller that waits would send it again, and a busy shard decide it more than once.
 */
export const dryRunHoldPayout = operation({
  subject: 'wallet.dry-run-hold-payout',
  answeredBy: 'shard',
  callers: ['gateway', 'backoffice'],
  request: DryRunHoldPayout,
  reply: replies<DryRunTransactionView>(),
  errors: holdPayout.errors,
});
