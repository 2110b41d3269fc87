-- What a merchant's charts are drawn from: of each UTC day, currency and kind of transaction how many there were, of what amount and
-- fees, how they ended, and within what time they were completed. The day is that on which a transaction was opened. Rows only grow: what
-- happens to a transaction adds to one row, so that no row has to be known to write the next. No commit waits for it: the table
-- follows the log some moments later (libs/ledger-store/src/daily-figures.ts).
CREATE TABLE "daily_figures" (
    "merchant_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "transaction_type" TEXT NOT NULL,
    "transaction_mode" TEXT NOT NULL,
    -- opened, completed, failed or reversed: a transaction counts for each that has happened to it.
    "outcome" TEXT NOT NULL,
    -- Of completed ones the bound that their time is within; 0 for the others.
    "settled_within_ms" BIGINT NOT NULL,
    -- Of failed ones why, as far as the log says; empty for the others.
    "failure" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "transactions" BIGINT NOT NULL,
    "amount" NUMERIC(38,8) NOT NULL,
    "fee" NUMERIC(38,8) NOT NULL,

    CONSTRAINT "daily_figures_pkey" PRIMARY KEY
        ("merchant_id", "currency", "day", "transaction_type", "transaction_mode", "outcome", "settled_within_ms", "failure")
);

-- Up to which position of each shard's log the table has everything. It moves in the statement that adds to the table.
CREATE TABLE "daily_figures_progress" (
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "daily_figures_progress_pkey" PRIMARY KEY ("shard")
);

GRANT SELECT, INSERT, UPDATE ON "daily_figures", "daily_figures_progress" TO ledger_app;
GRANT SELECT ON "daily_figures", "daily_figures_progress" TO ledger_auditor;
GRANT SELECT ON "daily_figures" TO ledger_merchant;

ALTER TABLE "daily_figures" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "of_the_service" ON "daily_figures" TO ledger_app USING (true);
CREATE POLICY "of_the_auditor" ON "daily_figures" FOR SELECT TO ledger_auditor USING (true);
CREATE POLICY "of_the_merchant" ON "daily_figures" FOR SELECT TO ledger_merchant
    USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
