-- contract: 0.1.0, the check of challenges takes all that it took before; no version before has written to sessions.way
-- Accounts at the identity provider that people sign in with. Of an account there is a keyed hash alone: who it is, the provider knows.
CREATE TABLE identities (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  account_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_person_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
-- An account signs one person in, and a person has one at a time.
CREATE UNIQUE INDEX identities_of_account ON identities (account_hash) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX identities_of_person ON identities (person_id) WHERE removed_at IS NULL;

CREATE FUNCTION refuse_other_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.removed_at IS NOT NULL
    OR (OLD.id, OLD.person_id, OLD.account_hash) IS DISTINCT FROM (NEW.id, NEW.person_id, NEW.account_hash) THEN
    RAISE EXCEPTION 'an account stays whose it is, and removed once it was';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER identities_stay BEFORE UPDATE ON identities FOR EACH ROW EXECUTE FUNCTION refuse_other_identity();

-- A way to the provider and back is a challenge as well: answered once, within minutes, for one purpose and, where an account is
-- connected to a person, for that person's session.
ALTER TABLE challenges DROP CONSTRAINT challenges_purpose;
ALTER TABLE challenges ADD CONSTRAINT challenges_purpose CHECK (
  (purpose IN ('sign-in', 'oidc-sign-in') AND session_id IS NULL)
  OR (purpose IN ('registration', 'step-up', 'oidc-connection') AND session_id IS NOT NULL)
);

-- How it began. Null: by a version that did not say.
ALTER TABLE sessions ADD COLUMN way text;
ALTER TABLE sessions ADD CONSTRAINT sessions_way CHECK (way IN ('link', 'passkey', 'oidc'));

GRANT SELECT, INSERT ON identities TO backoffice_app;
GRANT UPDATE (last_used_at, removed_at) ON identities TO backoffice_app;
