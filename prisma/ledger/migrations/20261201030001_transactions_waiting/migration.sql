-- The few payouts that wait: what an approver lists.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_waiting" ON "transactions" ("merchant_id", "position") WHERE waiting_for IS NOT NULL;
