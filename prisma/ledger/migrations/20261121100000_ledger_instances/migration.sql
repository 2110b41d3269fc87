-- Which instances of the wallet-ledger are alive, so that they can share the shards fairly. A row is a heartbeat and no
-- right: what an instance may write is decided by the leases in ledger_shards alone.
CREATE TABLE "ledger_instances" (
    "instance" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_instances_pkey" PRIMARY KEY ("instance")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON "ledger_instances" TO ledger_app;
