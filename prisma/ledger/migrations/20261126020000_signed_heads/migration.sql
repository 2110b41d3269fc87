-- The ledger's own signature over the last position and hash of each shard's log, made with the key that signs checkpoints
-- and is not in this database. Whoever appends with the rights of the tables' owner alone can't make one. Null until a
-- version that signs heads has appended; a version before leaves it at the position that was signed last.
ALTER TABLE "ledger_shards" ADD COLUMN "head_signature" BYTEA;
