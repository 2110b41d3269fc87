-- What is due and has not failed, without the rows that are held up. See apps/payout/src/payout-process/due-lane.ts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deposit_confirmations_due_fresh" ON "deposit_confirmations" ("next_step_at") WHERE next_step_at IS NOT NULL AND attempts = 0;
