-- What the ledger has signed of its log: for each shard a chain of checkpoints, each the root of a Merkle tree over the
-- events up to some position. Only ever added to, like the log itself.

-- The public keys that checkpoints name, so that old ones can be verified after a change of keys.
CREATE TABLE "ledger_checkpoint_keys" (
    "shard" INTEGER NOT NULL,
    "key_id" TEXT NOT NULL,
    "verifier_key" TEXT NOT NULL,
    "first_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_checkpoint_keys_pkey" PRIMARY KEY ("shard", "key_id")
);

CREATE TABLE "ledger_checkpoints" (
    "shard" INTEGER NOT NULL,
    "tree_size" BIGINT NOT NULL,
    "previous_size" BIGINT,
    "note" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    -- The roots of the complete subtrees that the tree consists of, so that the next checkpoint reads only new events.
    "range_hashes" BYTEA NOT NULL,
    -- The hash, in the chain, of the event at the position tree_size. Never published: see libs/event-proofs.
    "head_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    -- Whoever else believes to own the shard can't have another checkpoint of the same size …
    CONSTRAINT "ledger_checkpoints_pkey" PRIMARY KEY ("shard", "tree_size"),
    CONSTRAINT "ledger_checkpoints_grow" CHECK ("tree_size" > COALESCE("previous_size", 0)),
    CONSTRAINT "ledger_checkpoints_head_is_sha256" CHECK (octet_length("head_hash") = 32),
    CONSTRAINT "ledger_checkpoints_range_is_sha256" CHECK (octet_length("range_hashes") % 32 = 0),
    CONSTRAINT "ledger_checkpoints_extend_one_that_is_there" FOREIGN KEY ("shard", "previous_size")
        REFERENCES "ledger_checkpoints" ("shard", "tree_size"),
    CONSTRAINT "ledger_checkpoints_name_a_key" FOREIGN KEY ("shard", "key_id")
        REFERENCES "ledger_checkpoint_keys" ("shard", "key_id")
);

-- … and none can be continued twice: a shard's checkpoints are one line.
CREATE UNIQUE INDEX "ledger_checkpoints_have_one_successor" ON "ledger_checkpoints" ("shard", "previous_size") NULLS NOT DISTINCT;

-- The nodes of the tree over 256, 65,536, … events, with which a proof reads a few hundred rows of however long a log.
CREATE TABLE "ledger_tree_nodes" (
    "shard" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "index" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "ledger_tree_nodes_pkey" PRIMARY KEY ("shard", "level", "index"),
    CONSTRAINT "ledger_tree_nodes_hash_is_sha256" CHECK (octet_length("hash") = 32)
);

CREATE TRIGGER "ledger_checkpoints_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_checkpoints"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_change_the_log"();

GRANT SELECT, INSERT ON "ledger_checkpoint_keys", "ledger_checkpoints", "ledger_tree_nodes" TO ledger_app;

-- ── The auditor ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Reads the ledger, all but the answers that callers got, and writes nothing but temporary tables of its own session.
GRANT USAGE ON SCHEMA public TO ledger_auditor;
GRANT SELECT ON "ledger_events", "ledger_shards", "relay_checkpoints", "account_balances", "wallets", "deposit_addresses",
    "closed_customers", "transactions", "ledger_checkpoint_keys", "ledger_checkpoints", "ledger_tree_nodes" TO ledger_auditor;
DO $$ BEGIN
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO ledger_auditor', current_database());
END $$;
