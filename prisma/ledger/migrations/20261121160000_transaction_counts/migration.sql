-- How many transactions a merchant has, by UTC day and by everything that lists filter on. A list of millions then
-- knows its total, and where its pages begin, without counting rows.

CREATE TABLE "transaction_counts" (
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "transaction_type" TEXT NOT NULL,
    "transaction_mode" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "transactions" BIGINT NOT NULL,
    -- No transaction of this row has an earlier position; the least of a merchant's day is that of its first transaction.
    "first_position" BIGINT NOT NULL,

    CONSTRAINT "transaction_counts_pkey" PRIMARY KEY ("merchant_id", "day", "currency", "transaction_type", "transaction_mode", "status"),
    CONSTRAINT "transaction_counts_are_counts" CHECK ("transactions" >= 0)
);

-- Postgres keeps the counts, like an index: whoever writes transactions (this version, the one before, a rebuild)
-- can't forget them. A batch of a thousand rows of one merchant costs a row or two here. A merchant's transactions are
-- written by one writer, so nobody waits for a lock on them.
-- The counts lie in the schema of the table they count: a rebuild beside the live tables has its own.
CREATE FUNCTION "count_transactions"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    grouped CONSTANT text :=
        'SELECT merchant_id, (created_at AT TIME ZONE ''UTC'')::date AS day, currency, transaction_type, transaction_mode,
            status, count(*) AS transactions, min(position) AS first_position
        FROM %s GROUP BY 1, 2, 3, 4, 5, 6';
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        EXECUTE format('DELETE FROM %I.transaction_counts', TG_TABLE_SCHEMA);
        RETURN NULL;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        EXECUTE format(
            'INSERT INTO %I.transaction_counts AS counted %s
            ON CONFLICT (merchant_id, day, currency, transaction_type, transaction_mode, status) DO UPDATE SET
                transactions = counted.transactions + excluded.transactions,
                first_position = least(counted.first_position, excluded.first_position)',
            TG_TABLE_SCHEMA, format(grouped, 'rows_after'));
    END IF;
    IF TG_OP <> 'INSERT' THEN
        EXECUTE format(
            'UPDATE %I.transaction_counts AS counted SET transactions = counted.transactions - gone.transactions
            FROM (%s) AS gone
            WHERE (counted.merchant_id, counted.day, counted.currency) = (gone.merchant_id, gone.day, gone.currency)
                AND (counted.transaction_type, counted.transaction_mode, counted.status)
                    = (gone.transaction_type, gone.transaction_mode, gone.status)',
            TG_TABLE_SCHEMA, format(grouped, 'rows_before'));
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "transactions_are_counted_when_opened" AFTER INSERT ON "transactions"
    REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION "count_transactions"();
CREATE TRIGGER "transactions_are_counted_when_moved" AFTER UPDATE ON "transactions"
    REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION "count_transactions"();
CREATE TRIGGER "transactions_are_counted_when_removed" AFTER DELETE ON "transactions"
    REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION "count_transactions"();
CREATE TRIGGER "transactions_are_counted_when_emptied" AFTER TRUNCATE ON "transactions"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_transactions"();

-- The triggers wait for writers and keep new ones out until this commits: nothing is left uncounted in between.
INSERT INTO "transaction_counts"
SELECT merchant_id, (created_at AT TIME ZONE 'UTC')::date, currency, transaction_type, transaction_mode, status,
    count(*), min(position)
FROM "transactions" GROUP BY 1, 2, 3, 4, 5, 6;

GRANT SELECT ON "transaction_counts" TO ledger_app;
