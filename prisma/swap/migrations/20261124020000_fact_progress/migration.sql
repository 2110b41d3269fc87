-- Up to where each consumer has had every fact of the ledger. One that was away for longer than the stream keeps facts
-- reads those that it missed from the ledger's log: see libs/facts/src/missed-facts.ts.
CREATE TABLE "fact_progress" (
    "consumer" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "stream_created_at" TIMESTAMPTZ(3) NOT NULL,
    "stream_sequence" BIGINT NOT NULL,

    CONSTRAINT "fact_progress_pkey" PRIMARY KEY ("consumer", "shard")
);

GRANT SELECT, INSERT, UPDATE ON "fact_progress" TO swap_app;
