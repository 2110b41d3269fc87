-- What payouts count for (payout_usage) follows the log some moments later: a row for each destination is too much for the
-- commit that a payout waits for. A holder of the shard says up to which position the rows have everything.
ALTER TABLE "ledger_shards"
    ADD COLUMN "counted_position" BIGINT NOT NULL DEFAULT 0,
    -- The epoch of the last holder that counts beside its commits. Under any other epoch a version before has written, whose
    -- commits have the counts in them: the rows are then as the log's head.
    ADD COLUMN "counting_epoch" BIGINT;

-- A version before judges by the rows alone. It gets no shard whose rows lack something, until a holder of this version has
-- added what lacks, which takes it a moment: after a hand-over nothing lacks.
CREATE FUNCTION "refuse_an_uncounted_shard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN NULL;
END $$;
CREATE TRIGGER "shards_are_counted_before_they_are_taken" BEFORE UPDATE OF "epoch" ON "ledger_shards"
    FOR EACH ROW
    WHEN (NEW."counting_epoch" IS DISTINCT FROM NEW."epoch" AND OLD."counting_epoch" = OLD."epoch"
        AND OLD."counted_position" < OLD."head_position")
    EXECUTE FUNCTION "refuse_an_uncounted_shard"();
