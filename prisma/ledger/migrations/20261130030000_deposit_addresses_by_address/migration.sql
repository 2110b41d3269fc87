-- Whether a payee's address is one of ours: asked before a payout is held.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deposit_addresses_by_address" ON "deposit_addresses" ("address");
