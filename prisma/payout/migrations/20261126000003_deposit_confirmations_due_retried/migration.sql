-- What is due again after it failed, without the rows that have not. See apps/payout/src/payout-process/due-lane.ts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deposit_confirmations_due_retried" ON "deposit_confirmations" ("next_step_at") WHERE next_step_at IS NOT NULL AND attempts > 0;
