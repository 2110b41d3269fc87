/**
 * Why the ledger refuses a command; a closed set. `unsupported_network`: the wallet has no deposit address there.
 * `too_many_decimals`: an amount is finer than its currency's smallest unit.
 * `unsupported_pair`: a swap of one currency, whose legs would both move one wallet.
 * `quote_mismatch`: the terms of a swap contradict its price, or the price is not one that the ledger takes.
 * `not_for_live`: the sandbox can't do this for a live merchant.
 * `unavailable`: what the rules need was not sent along, because a gateway of the version before asked.
 */
export type RejectionCode =
  | 'not_found'
  | 'wallet_not_found'
  | 'wallet_exists'
  | 'customer_closed'
  | 'customer_not_empty'
  | 'invalid_transition'
  | 'unsupported_network'
  | 'too_many_decimals'
  | 'unsupported_pair'
  | 'quote_expired'
  | 'quote_mismatch'
  | 'not_for_live'
  | 'limit_exceeded'
  | 'approval_mismatch'
  | 'approver_not_allowed'
  | 'unavailable'
  | 'insufficient_funds';

/** A rejection by the rules of the ledger. It is an answer, not a fault: nothing has changed. */
export class LedgerRejection extends Error {
  constructor(readonly code: RejectionCode) {
    super(code);
    this.name = 'LedgerRejection';
  }
}
