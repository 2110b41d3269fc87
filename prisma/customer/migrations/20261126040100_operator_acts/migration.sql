-- Who did what, when and why, from the operators' command line. Each row's hash covers the hash before it and its own
-- text, so that a row that was changed, taken out or put in between shows (operator log --verify). The text is canonical
-- JSON and holds no personal data: ids, statuses, and a reason that names a case. Without foreign keys: it outlives what
-- it names.
CREATE TABLE "operator_acts" (
    "number" BIGINT NOT NULL,
    "act" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "operator_acts_pkey" PRIMARY KEY ("number"),
    CONSTRAINT "operator_acts_number_counts_from_one" CHECK ("number" >= 1),
    CONSTRAINT "operator_acts_hash_is_sha256" CHECK (octet_length("hash") = 32)
);

-- Not even the owner of the table edits it by accident; whoever means to must drop this first.
CREATE FUNCTION "refuse_to_change_operator_acts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of operators'' acts is append-only';
END $$;
CREATE TRIGGER "operator_acts_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "operator_acts"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_change_operator_acts"();

-- A row continues the chain, and says truly which login wrote it and when: a login that may insert can't write under
-- another's name, at another time, or so that the chain breaks there. Acts are appended one after the other.
CREATE FUNCTION "require_next_operator_act"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_number BIGINT;
    last_hash BYTEA;
    said JSONB := NEW."act"::jsonb;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('operator-acts', 0));
    SELECT "number", "hash" INTO last_number, last_hash FROM "operator_acts" ORDER BY "number" DESC LIMIT 1;
    IF NOT FOUND THEN
        last_number := 0;
        last_hash := decode(repeat('00', 32), 'hex');
    END IF;
    IF NEW."number" <> last_number + 1 OR NEW."hash" <> sha256(
        convert_to(E'stablecoin-operator-act/1\n', 'UTF8') || last_hash || convert_to(NEW."act", 'UTF8')) THEN
        RAISE EXCEPTION 'the act does not follow act % of the log', last_number;
    END IF;
    IF said->>'number' IS DISTINCT FROM NEW."number"::text OR said->>'database_user' IS DISTINCT FROM session_user::text
        OR coalesce(abs(extract(epoch FROM (said->>'recorded_at')::timestamptz - clock_timestamp())) > 10, true) THEN
        RAISE EXCEPTION 'the act names another number, login or time than its own';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "operator_acts_continue_the_chain" BEFORE INSERT ON "operator_acts"
    FOR EACH ROW EXECUTE FUNCTION "require_next_operator_act"();

GRANT SELECT, INSERT ON "operator_acts" TO customer_app, customer_compliance;
