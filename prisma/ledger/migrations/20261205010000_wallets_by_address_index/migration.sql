-- Whether a wallet has an index of deposit addresses: asked when the next one is drawn.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "wallets_by_address_index" ON "wallets" ("address_index");
