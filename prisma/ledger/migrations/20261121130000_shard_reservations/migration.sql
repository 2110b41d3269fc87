-- Until then nobody takes the shard, and whoever holds it hands it over: for maintenance that must not meet an append,
-- such as putting rebuilt projections in place of the live ones. It lapses by itself, in case the maintenance dies.
-- The service's role has the rights of the table already.
ALTER TABLE "ledger_shards" ADD COLUMN "reserved_until" TIMESTAMPTZ(3);

-- The auditor asks whether every command in the log has its result, and whose; not what it says.
GRANT SELECT ("command_id", "merchant_id") ON "command_results" TO ledger_auditor;
