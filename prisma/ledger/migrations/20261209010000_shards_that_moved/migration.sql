-- Shards can lie on several databases (docs/adr/0066). A row without a name here says that the shard is in this database; with one,
-- that it is in the database of that name, where it went or from where it will come. A database without the row has no part of it.
ALTER TABLE "ledger_shards"
    ADD COLUMN "moved_to" TEXT,
    -- The mover that works on the shard. One that begins later takes it over: what the earlier one writes after that is refused.
    ADD COLUMN "mover" TEXT;

-- What is not here can't be held or appended to here, whichever version of the service asks. Two changes are let through: the arrival, which
-- takes the name away, and how far its mover's copy goes, which only who owns the tables may say.
CREATE FUNCTION "refuse_a_shard_that_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."mover" IS NOT NULL AND NEW."epoch" = OLD."epoch" AND NEW."holder" IS NULL AND NEW."lease_expires_at" IS NULL
        AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    THEN
        RETURN NEW;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "shards_that_moved_are_not_taken" BEFORE UPDATE OF "epoch", "holder", "lease_expires_at", "head_position" ON "ledger_shards"
    FOR EACH ROW
    WHEN (OLD."moved_to" IS NOT NULL AND NEW."moved_to" IS NOT NULL)
    EXECUTE FUNCTION "refuse_a_shard_that_moved"();
