-- Lists of addresses and names that an operator supplies, what was screened against them, and what compliance decided on hits.
-- A list is a version of the content under its name: loaded beside the one before, put in its place in one commit.
CREATE TABLE "screening_lists" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    -- Of the file as it was supplied, in hex; null until it is whole.
    "sha256" TEXT,
    -- When its publisher published it, or else when it was loaded: its age counts from then.
    "dated" TIMESTAMPTZ(3) NOT NULL,
    "max_age_days" INTEGER NOT NULL,
    "addresses" INTEGER NOT NULL DEFAULT 0,
    "names" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'loading',
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "current_at" TIMESTAMPTZ(3),
    -- The act in the operators' log by which it became what it is.
    "act_number" BIGINT,
    -- Past screenings up to this number are to be held against it, and were.
    "rescan_to" BIGINT NOT NULL DEFAULT 0,
    "rescanned_to" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "screening_lists_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "screening_lists_state" CHECK ("state" IN ('loading', 'current', 'former')),
    CONSTRAINT "screening_lists_whole" CHECK ("state" = 'loading' OR ("sha256" IS NOT NULL AND "act_number" IS NOT NULL)),
    CONSTRAINT "screening_lists_max_age" CHECK ("max_age_days" BETWEEN 1 AND 3650)
);
CREATE UNIQUE INDEX "screening_lists_current" ON "screening_lists" ("name") WHERE "state" = 'current';

-- An entry matches where keys are equal: SHA-256 over what libs/screening makes of a name or an address.
CREATE TABLE "screening_entries" (
    "key" BYTEA NOT NULL,
    "list_id" UUID NOT NULL,
    "entry" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "screening_entries_pkey" PRIMARY KEY ("key", "list_id", "entry"),
    CONSTRAINT "screening_entries_list" FOREIGN KEY ("list_id") REFERENCES "screening_lists" ("id")
);
-- Those of a list that another has replaced are deleted.
CREATE INDEX "screening_entries_of_list" ON "screening_entries" ("list_id");

-- What was screened, by the movement's id at the ledger. The party is sealed with the owner's data key.
CREATE TABLE "screenings" (
    "id" UUID NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "movement" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "customer_id" UUID,
    "sealed_party" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    -- Canonical JSON: name and hash of each list that it was held against.
    "lists" TEXT NOT NULL,
    "screened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "screenings_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "screenings_movement" CHECK ("movement" IN ('payout', 'deposit')),
    CONSTRAINT "screenings_decision" CHECK ("decision" IN ('clear', 'held', 'released', 'rejected'))
);
-- A new list goes through the past in this order.
CREATE UNIQUE INDEX "screenings_number" ON "screenings" ("number");

-- Hits of one screening that nobody has decided on before. What was hit names a person: it is sealed as the party is.
CREATE TABLE "screening_cases" (
    "id" UUID NOT NULL,
    "screening_id" UUID NOT NULL,
    "sealed_hits" TEXT NOT NULL,
    -- `screening`: before the money moved. `list`: by a list that came later.
    "opened_by" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "decided_at" TIMESTAMPTZ(3),
    "act_number" BIGINT,

    CONSTRAINT "screening_cases_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "screening_cases_screening" FOREIGN KEY ("screening_id") REFERENCES "screenings" ("id"),
    CONSTRAINT "screening_cases_opened_by" CHECK ("opened_by" IN ('screening', 'list')),
    CONSTRAINT "screening_cases_state" CHECK ("state" IN ('open', 'released', 'rejected')),
    CONSTRAINT "screening_cases_decided" CHECK (
        ("state" = 'open') = ("decided_at" IS NULL) AND ("state" = 'open') = ("act_number" IS NULL))
);
CREATE INDEX "screening_cases_of_screening" ON "screening_cases" ("screening_id");
CREATE INDEX "screening_cases_open" ON "screening_cases" ("opened_at") WHERE "state" = 'open';

-- Lists and decisions follow from the operators' log, which can only be added to: the service's role decides nothing alone, and a
-- decision is neither changed nor taken back. The triggers are the owner's.
CREATE FUNCTION "is_operator_act"(wanted BIGINT, said JSONB) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM "operator_acts" WHERE "number" = wanted AND "act"::jsonb @> said)
$$;

CREATE FUNCTION "require_act_of_screening_list"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    content JSONB := jsonb_build_object('list', NEW."id", 'name', NEW."name", 'sha256', NEW."sha256");
    -- All that changes while the list is what it is.
    unchanged BOOLEAN := (to_jsonb(NEW) - '{rescan_to,rescanned_to,state,act_number}'::text[])
        = (to_jsonb(OLD) - '{rescan_to,rescanned_to,state,act_number}'::text[]);
BEGIN
    IF OLD."state" = 'loading' AND NEW."state" = 'current'
        AND "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening load', 'details', content)) THEN
        RETURN NEW;
    END IF;
    -- By a later act than the one that made it current.
    IF OLD."state" = 'current' AND NEW."state" = 'former' AND unchanged AND NEW."act_number" > OLD."act_number" AND (
        "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening load', 'details', jsonb_build_object('name', NEW."name")))
        OR "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening retire', 'details', content))) THEN
        RETURN NEW;
    END IF;
    IF OLD."state" = NEW."state" AND (OLD."state" = 'loading'
        OR (unchanged AND OLD."act_number" = NEW."act_number" AND NEW."rescanned_to" >= OLD."rescanned_to")) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a list becomes current, or is one no longer, by an act of the operators'' log';
END $$;
CREATE TRIGGER "screening_lists_follow_the_log" BEFORE UPDATE ON "screening_lists"
    FOR EACH ROW EXECUTE FUNCTION "require_act_of_screening_list"();

CREATE FUNCTION "require_new_screening_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a list begins by being loaded, and a case by being open';
END $$;
CREATE TRIGGER "screening_lists_begin_loading" BEFORE INSERT ON "screening_lists"
    FOR EACH ROW WHEN (NEW."state" <> 'loading') EXECUTE FUNCTION "require_new_screening_row"();
CREATE TRIGGER "screening_cases_begin_open" BEFORE INSERT ON "screening_cases"
    FOR EACH ROW WHEN (NEW."state" <> 'open') EXECUTE FUNCTION "require_new_screening_row"();

CREATE FUNCTION "require_open_screening_list"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM changed JOIN "screening_lists" ON "screening_lists"."id" = changed."list_id"
        WHERE "screening_lists"."state" = 'current' OR (TG_OP = 'INSERT' AND "screening_lists"."state" = 'former')) THEN
        RAISE EXCEPTION 'the entries of a list stay as they were loaded';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "screening_entries_are_loaded" AFTER INSERT ON "screening_entries"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "require_open_screening_list"();
CREATE TRIGGER "screening_entries_stay" AFTER DELETE ON "screening_entries"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "require_open_screening_list"();

CREATE FUNCTION "require_act_of_screening_case"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."state" = 'open'
        AND (to_jsonb(NEW) - '{state,decided_at,act_number}'::text[]) = (to_jsonb(OLD) - '{state,decided_at,act_number}'::text[])
        AND "is_operator_act"(NEW."act_number", jsonb_build_object('action', 'screening decide',
            'details', jsonb_build_object('case', NEW."id", 'decision', NEW."state"))) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a case is decided once, by an act of the operators'' log';
END $$;
CREATE TRIGGER "screening_cases_follow_the_log" BEFORE UPDATE ON "screening_cases"
    FOR EACH ROW EXECUTE FUNCTION "require_act_of_screening_case"();

-- Neither lists, screenings nor cases are ever deleted; entries only of lists that are current no longer.
GRANT SELECT, INSERT, UPDATE ON "screening_lists", "screenings", "screening_cases" TO customer_app;
GRANT SELECT, INSERT, DELETE ON "screening_entries" TO customer_app;
GRANT USAGE ON SEQUENCE "screenings_number_seq" TO customer_app;
