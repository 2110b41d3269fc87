-- The wallet-ledger's database. The log (ledger_events) is the truth; every table below "Projections" follows from it.

-- ── The log ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- One row per shard. The writer moves its head in the transaction that appends, and only while the epoch is the one
-- of its own lease: a writer that lost the lease updates no row and so commits nothing.
CREATE TABLE "ledger_shards" (
    "shard" INTEGER NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "holder" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "head_position" BIGINT NOT NULL DEFAULT 0,
    "head_hash" BYTEA NOT NULL,

    CONSTRAINT "ledger_shards_pkey" PRIMARY KEY ("shard")
);

CREATE TABLE "ledger_events" (
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" TEXT,
    "transaction" UUID,
    "body" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "ledger_events_pkey" PRIMARY KEY ("shard", "position"),
    CONSTRAINT "ledger_events_position_counts_from_one" CHECK ("position" >= 1),
    CONSTRAINT "ledger_events_hash_is_sha256" CHECK (octet_length("hash") = 32)
);

-- A balance at any past time or position: the last event of the account up to there.
CREATE INDEX "ledger_events_by_account" ON "ledger_events" ("account_id", "recorded_at", "position");
-- The events behind one transaction.
CREATE INDEX "ledger_events_by_transaction" ON "ledger_events" ("transaction");

-- Not even the owner of the tables edits the log by accident; whoever means to must drop this first.
CREATE FUNCTION "refuse_to_change_the_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger''s log is append-only';
END $$;
CREATE TRIGGER "ledger_events_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_change_the_log"();

-- ── What took effect ─────────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE "command_results" (
    "command_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "input_hash" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "command_results_pkey" PRIMARY KEY ("command_id")
);

-- Deposit addresses are derived from an index that no two wallets share, on whatever shard.
CREATE SEQUENCE "deposit_address_index" AS INTEGER MINVALUE 0;

CREATE TABLE "relay_checkpoints" (
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "stream_created_at" TIMESTAMPTZ(3),

    CONSTRAINT "relay_checkpoints_pkey" PRIMARY KEY ("shard")
);

-- ── Projections ──────────────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE "account_balances" (
    "shard" INTEGER NOT NULL,
    "account_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "balance" DECIMAL(38,8) NOT NULL,
    "open_transactions" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_balances_pkey" PRIMARY KEY ("shard", "account_id"),
    -- numeric takes NaN, which no later sum would ever lose again.
    CONSTRAINT "account_balances_are_numbers" CHECK ("balance" <> 'NaN'),
    -- Only the house's own accounts, which have a colon in their names, can owe.
    CONSTRAINT "wallets_never_owe" CHECK ("balance" >= 0 OR "account_id" LIKE '%:%'),
    CONSTRAINT "open_transactions_are_counted" CHECK ("open_transactions" >= 0)
);

CREATE TABLE "wallets" (
    "id" UUID NOT NULL,
    "shard" INTEGER NOT NULL,
    "merchant_id" UUID NOT NULL,
    "customer_id" UUID,
    "currency" TEXT NOT NULL,
    "description" TEXT,
    "address_index" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("id")
);

-- One wallet per owner and currency, also where the owner is the merchant itself.
CREATE UNIQUE INDEX "wallets_one_per_owner_and_currency" ON "wallets" ("merchant_id", "customer_id", "currency") NULLS NOT DISTINCT;
CREATE INDEX "wallets_by_owner" ON "wallets" ("merchant_id", "customer_id", "position");

CREATE TABLE "deposit_addresses" (
    "id" UUID NOT NULL,
    "wallet_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deposit_addresses_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "deposit_addresses_once_per_network" ON "deposit_addresses" ("wallet_id", "network");

CREATE TABLE "closed_customers" (
    "customer_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "closed_customers_pkey" PRIMARY KEY ("customer_id")
);

CREATE TABLE "transactions" (
    "id" UUID NOT NULL,
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "customer_id" UUID,
    "transaction_id" TEXT NOT NULL,
    "reference_id" UUID NOT NULL,
    "wallet_id" UUID NOT NULL,
    "sender_wallet_id" UUID,
    "receiver_wallet_id" UUID,
    "transaction_type" TEXT NOT NULL,
    "transaction_mode" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(38,8) NOT NULL,
    "fee" DECIMAL(38,8),
    "exchange_rate" TEXT,
    "amount_fiat" DECIMAL(38,8),
    "network" TEXT,
    "crypto_transaction_id" TEXT,
    "fiat_reference_id" TEXT,
    "recipient_currency" TEXT,
    "recipient_country" TEXT,
    "bank_name" TEXT,
    "bank_code" TEXT,
    "reason" TEXT,
    "sealed_destination" TEXT,
    "status" TEXT NOT NULL,
    "balance" DECIMAL(38,8) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "transactions_one_per_code" ON "transactions" ("transaction_id");
-- Lists are the newest first; a merchant lives on one shard, so the position is the order of all its transactions.
CREATE INDEX "transactions_by_merchant" ON "transactions" ("merchant_id", "position");
CREATE INDEX "transactions_by_customer" ON "transactions" ("customer_id", "position");
CREATE INDEX "transactions_by_reference" ON "transactions" ("reference_id");

-- ── What the service may do ──────────────────────────────────────────────────────────────────────────────────────

GRANT USAGE ON SCHEMA public TO ledger_app;
-- The log and the results are only ever added to.
GRANT SELECT, INSERT ON "ledger_events", "command_results" TO ledger_app;
GRANT SELECT, INSERT, UPDATE ON "ledger_shards", "relay_checkpoints" TO ledger_app;
GRANT SELECT, INSERT, UPDATE ON "account_balances", "wallets", "deposit_addresses", "closed_customers", "transactions" TO ledger_app;
GRANT USAGE ON SEQUENCE "deposit_address_index" TO ledger_app;
