-- Addresses and networks from which a key may be used; none: from everywhere. When it was last used, to about a minute.
ALTER TABLE "api_keys"
    ADD COLUMN "allowed_addresses" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "last_used_at" TIMESTAMPTZ(3);

-- Whoever changes what a key may do, and however, tells the customer service at the commit, which tells the gateways.
CREATE FUNCTION "tell_of_changed_api_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('api_key_changed', NEW."key_hash");
    RETURN NULL;
END $$;
CREATE TRIGGER "changed_api_keys_are_told" AFTER UPDATE OF "expires_at", "revoked_at", "scopes", "allowed_addresses"
    ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "tell_of_changed_api_key"();
