-- What a merchant may pay out, by whom it must be approved, and what has gone out of late: projections of the log. A version
-- before writes none of it, and reads transactions without the two new columns.
CREATE TABLE "payout_policies" (
    "merchant_id" UUID NOT NULL,
    "shard" INTEGER NOT NULL,
    "policy_version" INTEGER NOT NULL,
    -- Canonical JSON, as the event has it.
    "policy" TEXT NOT NULL,
    "changed_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    -- Of the first version: every payout that opens after it is judged.
    "since_position" BIGINT NOT NULL,

    CONSTRAINT "payout_policies_pkey" PRIMARY KEY ("merchant_id")
);

CREATE TABLE "payout_usage" (
    "merchant_id" UUID NOT NULL,
    -- The merchant, a customer, a destination or a rail.
    "subject" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3),
    "released_at" TIMESTAMPTZ(3),
    -- Canonical JSON: by currency and period, what went out in each bucket of time.
    "used" TEXT NOT NULL,

    CONSTRAINT "payout_usage_pkey" PRIMARY KEY ("merchant_id", "subject")
);

ALTER TABLE "transactions"
    ADD COLUMN "waiting_for" TEXT,
    -- Canonical JSON: what the merchant's policy has to do with a payout.
    ADD COLUMN "under_policy" TEXT;

GRANT SELECT, INSERT, UPDATE ON "payout_policies", "payout_usage" TO ledger_app;
GRANT SELECT ON "payout_policies", "payout_usage" TO ledger_auditor;
