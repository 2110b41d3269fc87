-- Customers are screened by their own names, and stand in "screenings" by their own ids. A trigger instead of the constraint: while
-- services of the version before are at work, a migration adds none to a table of theirs.
ALTER TABLE "screenings" DROP CONSTRAINT "screenings_movement";
CREATE FUNCTION "refuse_unknown_screening"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'nothing is screened as %', NEW."movement" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "screenings_are_of_what_is_known" BEFORE INSERT OR UPDATE OF "movement" ON "screenings" FOR EACH ROW
    WHEN (NEW."movement" NOT IN ('payout', 'deposit', 'customer')) EXECUTE FUNCTION "refuse_unknown_screening"();

-- How far customers from before have been held against the lists, in the order of ids: once all of them, and once more those that an
-- instance of the version before has registered, renamed, or passed by with a new list during the upgrade.
CREATE TABLE "past_screening" (
    "only_row" BOOLEAN NOT NULL DEFAULT true,
    "after" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    "moved_before" TIMESTAMPTZ(6) NOT NULL DEFAULT now() + interval '1 day',
    "rounds_left" INTEGER NOT NULL DEFAULT 2,

    CONSTRAINT "past_screening_pkey" PRIMARY KEY ("only_row"),
    CONSTRAINT "past_screening_one" CHECK ("only_row")
);
INSERT INTO "past_screening" DEFAULT VALUES;
GRANT SELECT, UPDATE ON "past_screening" TO customer_app;

-- The service's role approves no one against whom a case stands: only a decision in the operators' log changes that.
CREATE FUNCTION "refuse_approval_of_held_customer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "screening_cases" WHERE "screening_id" = NEW."id" AND "state" <> 'released') THEN
        RAISE EXCEPTION 'a case of the screening stands against this customer';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "customers_held_are_not_approved" BEFORE UPDATE OF "kyc_status" ON "customers" FOR EACH ROW
    WHEN (NEW."kyc_status" = 'approved' AND OLD."kyc_status" <> 'approved') EXECUTE FUNCTION "refuse_approval_of_held_customer"();
