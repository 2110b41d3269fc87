-- What people sign in with: the public half of a key that their device holds.
CREATE TABLE passkeys (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  -- As the device counts its uses; 0 for ever where it does not.
  uses bigint NOT NULL,
  transports text[] NOT NULL,
  sealed_name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_person_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX passkeys_credential_unique ON passkeys (credential_id);
CREATE INDEX passkeys_of_person ON passkeys (person_id) WHERE removed_at IS NULL;

CREATE FUNCTION refuse_other_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.removed_at IS NOT NULL
    OR (OLD.person_id, OLD.credential_id, OLD.public_key) IS DISTINCT FROM (NEW.person_id, NEW.credential_id, NEW.public_key) THEN
    RAISE EXCEPTION 'a passkey stays whose it is, and removed once it was';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER passkeys_stay BEFORE UPDATE ON passkeys FOR EACH ROW EXECUTE FUNCTION refuse_other_passkey();

-- What a device has to sign, once. Only its hash is kept; of a session, except for signing in.
CREATE TABLE challenges (
  hash bytea NOT NULL,
  purpose text NOT NULL,
  session_id uuid,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT challenges_pkey PRIMARY KEY (hash),
  CONSTRAINT challenges_session_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT challenges_purpose CHECK (
    (purpose = 'sign-in' AND session_id IS NULL) OR (purpose IN ('registration', 'step-up') AND session_id IS NOT NULL)
  )
);
CREATE INDEX challenges_by_end ON challenges (expires_at);
CREATE INDEX challenges_of_session ON challenges (session_id);

CREATE FUNCTION refuse_another_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL
    OR (OLD.hash, OLD.purpose, OLD.session_id, OLD.expires_at) IS DISTINCT FROM (NEW.hash, NEW.purpose, NEW.session_id, NEW.expires_at) THEN
    RAISE EXCEPTION 'a challenge is answered once, for what it was made';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER challenges_are_answered_once BEFORE UPDATE ON challenges FOR EACH ROW EXECUTE FUNCTION refuse_another_answer();
CREATE TRIGGER challenges_stay BEFORE DELETE ON challenges FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();

GRANT SELECT, INSERT ON passkeys, challenges TO backoffice_app;
GRANT UPDATE (uses, last_used_at, removed_at) ON passkeys TO backoffice_app;
GRANT UPDATE (used_at) ON challenges TO backoffice_app;
GRANT DELETE ON challenges TO backoffice_app;
