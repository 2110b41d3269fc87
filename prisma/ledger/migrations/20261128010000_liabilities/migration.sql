-- What the ledger has signed that it owes: a signed note per statement, with the roots of a Merkle-sum tree per currency over
-- the wallets of all shards. Only ever added to, like checkpoints.
CREATE TABLE "ledger_liabilities" (
    -- Counts without gaps, so that a statement that was removed is missed; two instances can't make the same one.
    "number" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "verifier_key" TEXT NOT NULL,
    -- From it the salts of the leaves are derived. An auditor makes the tree anew with it; it never leaves the database.
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_liabilities_pkey" PRIMARY KEY ("number"),
    CONSTRAINT "ledger_liabilities_count_from_one" CHECK ("number" >= 1),
    CONSTRAINT "ledger_liabilities_secret_is_32_bytes" CHECK (octet_length("secret") = 32)
);

CREATE TRIGGER "ledger_liabilities_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_liabilities"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_change_the_log"();

-- The trees of the newest statements, from which branches are read: up to 256 neighbouring nodes a row, on every eighth level.
-- They can be made anew from the log, and those of older statements are removed.
CREATE TABLE "ledger_liability_tiles" (
    "number" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    -- 48 bytes a node: its hash and its sum.
    "nodes" BYTEA NOT NULL,
    -- Of the lowest level, 33 bytes a leaf: the wallet's id, and its balance with a sign. Zeros for padding.
    "wallets" BYTEA,
    -- Of the lowest level: the place of the first leaf, to find the tile that a wallet is in.
    "first_place" BYTEA,

    CONSTRAINT "ledger_liability_tiles_pkey" PRIMARY KEY ("number", "currency", "level", "index"),
    CONSTRAINT "ledger_liability_tiles_hold_whole_nodes" CHECK (octet_length("nodes") % 48 = 0),
    CONSTRAINT "ledger_liability_leaves_are_known" CHECK (("level" = 0) = ("wallets" IS NOT NULL AND "first_place" IS NOT NULL))
);

GRANT SELECT, INSERT ON "ledger_liabilities" TO ledger_app;
GRANT SELECT, INSERT, DELETE ON "ledger_liability_tiles" TO ledger_app;
GRANT SELECT ON "ledger_liabilities", "ledger_liability_tiles" TO ledger_auditor;
