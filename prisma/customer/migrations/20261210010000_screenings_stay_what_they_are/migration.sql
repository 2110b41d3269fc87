-- contract: 0.1.0, no version has written any other column of a screening, or changed a list while it was loaded
-- What was screened is held against each list that comes later, in the order of its number. The service's role could take a screening
-- out of that order, or give it to a customer whom no one knows, as if he had been erased: with one statement no later list finds it.
REVOKE INSERT, UPDATE ON "screenings" FROM customer_app;
GRANT INSERT ("id", "movement", "merchant_id", "customer_id", "sealed_party", "decision", "lists", "screened_at") ON "screenings" TO customer_app;
GRANT UPDATE ("customer_id", "sealed_party", "decision", "lists", "screened_at") ON "screenings" TO customer_app;

-- What moves for a customer who was erased is sealed for the merchant from then on.
CREATE FUNCTION "require_erased_customer_of_screening"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."customer_id" IS NULL AND (
        EXISTS (SELECT FROM "customers" WHERE "id" = OLD."customer_id" AND "erased_at" IS NOT NULL)
        OR NOT EXISTS (SELECT FROM "data_keys" WHERE "owner_id" = OLD."customer_id")) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a screening stays of the customer of whom it is, until he is erased';
END $$;
CREATE TRIGGER "screenings_stay_of_their_customers" BEFORE UPDATE OF "customer_id" ON "screenings" FOR EACH ROW
    WHEN (NEW."customer_id" IS DISTINCT FROM OLD."customer_id") EXECUTE FUNCTION "require_erased_customer_of_screening"();

-- How far the past was held against a list, with a MAC by a key that is in no database: what the service's role writes there counts as
-- nothing, and the list begins with the first screening again. "rescanned_to" is what the version before goes by.
ALTER TABLE "screening_lists" ADD COLUMN "rescan_proof" TEXT
    CONSTRAINT "screening_lists_rescan_proof" CHECK ("rescan_proof" ~ '^[0-9]{1,18}[.]');

-- A list becomes current as it was begun, and as the act says it: with its date and its limit of age, and as many entries. While it is
-- current only the progress through the past moves, and that to which past it is held does not.
CREATE OR REPLACE FUNCTION "require_act_of_screening_list"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    content JSONB := jsonb_build_object('list', NEW."id", 'name', NEW."name", 'sha256', NEW."sha256");
    loaded JSONB := content || jsonb_build_object(
        'format', NEW."format", 'addresses', NEW."addresses", 'names', NEW."names", 'max_age_days', NEW."max_age_days",
        'dated', to_char(NEW."dated" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
    becomes TEXT := OLD."state" || ' to ' || NEW."state";
    may_change TEXT[] := CASE becomes
        WHEN 'loading to current' THEN '{state,act_number,sha256,addresses,names,current_at,rescan_to}'::text[]
        WHEN 'current to former' THEN '{state,act_number}'::text[]
        WHEN 'current to current' THEN '{rescanned_to,rescan_proof}'::text[]
        ELSE '{}'::text[] END;
BEGIN
    IF (to_jsonb(NEW) - may_change) = (to_jsonb(OLD) - may_change) AND (
        (OLD."state" = NEW."state" AND NEW."rescanned_to" >= OLD."rescanned_to")
        OR (becomes = 'loading to current'
            AND "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening load', 'details', loaded)))
        -- By a later act than the one that made it current.
        OR (becomes = 'current to former' AND NEW."act_number" > OLD."act_number" AND (
            "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening load', 'details', jsonb_build_object('name', NEW."name")))
            OR "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening retire', 'details', content))))) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a list becomes current, or is one no longer, by an act of the operators'' log';
END $$;

-- Entries of a list that is being loaded stay as well, until its loading counts as given up.
CREATE OR REPLACE FUNCTION "require_open_screening_list"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM changed JOIN "screening_lists" ON "screening_lists"."id" = changed."list_id"
        WHERE "screening_lists"."state" = 'current' OR (TG_OP = 'INSERT' AND "screening_lists"."state" = 'former')
            OR (TG_OP = 'DELETE' AND "screening_lists"."state" = 'loading' AND "screening_lists"."begun_at" >= now() - interval '1 day')) THEN
        RAISE EXCEPTION 'the entries of a list stay as they were loaded';
    END IF;
    RETURN NULL;
END $$;

-- An answer is replaced by its sealed form alone, where the version before has stored it with a URL in it.
CREATE FUNCTION "refuse_to_change_answer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what a command was answered stays, or is sealed';
END $$;
CREATE TRIGGER "answers_stay" BEFORE UPDATE ON "command_results" FOR EACH ROW
    WHEN (OLD."result" NOT LIKE '%"url":"%' OR NEW."result" !~ '^[{]"sealed_answer":"[^"]+"[}]$')
    EXECUTE FUNCTION "refuse_to_change_answer"();
