/** What merchants ask other services for, by the subjects of the operations: the ledger knows them from the gateway's proofs alone. */
export const SWAP_REQUEST = 'swap.execute-swap';
export const SWAP_DRY_RUN_REQUEST = 'swap.dry-run-execute-swap';
export const SANDBOX_DEPOSIT_REQUEST = 'payout.simulate-deposit';
