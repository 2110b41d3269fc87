-- Where parts of ids are looked for: each transaction's two ids as one text, with an index of all its runs of three
-- characters. Some fifty index entries are too much for the commit that a payout waits for, so this table follows the
-- log some moments later (apps/wallet-ledger/src/search); a search reads what it doesn't have yet row by row.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE "transaction_search" (
    "merchant_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    -- transaction_id and id in lower case, with a space between, which no search can contain.
    "ids" TEXT NOT NULL,

    CONSTRAINT "transaction_search_pkey" PRIMARY KEY ("merchant_id", "position")
);

CREATE INDEX "transaction_search_by_part" ON "transaction_search" USING gin ("ids" gin_trgm_ops);

-- Up to which position of each shard's log the table has all transactions. It moves in the statement that adds them.
CREATE TABLE "transaction_search_progress" (
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "transaction_search_progress_pkey" PRIMARY KEY ("shard")
);

GRANT SELECT, INSERT ON "transaction_search" TO ledger_app;
GRANT SELECT, INSERT, UPDATE ON "transaction_search_progress" TO ledger_app;
