-- Those who wait for a decision, oldest first: what a reviewer lists.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_under_review" ON "customers" ("created_at", "sequence") WHERE kyc_status = 'under_review';
