-- contract: 0.1.0, no version has changed anything but these three columns of a key
-- What a key is (whose, of which mode, what it may, from where, and of which person) is said once, by the act that makes it. The
-- service's role could change all of it: a live merchant's key became one of the sandbox, two keys of one person those of two, and a key
-- that was revoked came back. All that happens to a key afterwards is that it is used, and that its time is over.
REVOKE UPDATE ON api_keys FROM customer_app;
GRANT UPDATE (expires_at, revoked_at, last_used_at) ON api_keys TO customer_app;

CREATE FUNCTION refuse_to_give_back_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a key whose time is over stays revoked or expired';
END $$;

CREATE TRIGGER api_keys_are_not_given_back BEFORE UPDATE OF expires_at, revoked_at ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
    OR (OLD.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > OLD.expires_at)))
  EXECUTE FUNCTION refuse_to_give_back_api_key();
