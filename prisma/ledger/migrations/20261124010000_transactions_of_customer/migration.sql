-- Counts a customer's transactions without reading their rows: each is asked for together with its merchant. The index
-- "transactions_by_customer", which it replaces, goes in a later upgrade.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_of_customer" ON "transactions" ("customer_id", "position") INCLUDE ("merchant_id");
