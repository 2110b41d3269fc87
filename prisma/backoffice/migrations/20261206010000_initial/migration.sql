-- People who sign in to the console. No query reads names and addresses: they are sealed by the service.
CREATE TABLE people (
  id uuid NOT NULL,
  sealed_name text NOT NULL,
  sealed_email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT people_pkey PRIMARY KEY (id)
);

-- The merchants that have members, as the operator who invited the first one found them; neither mode nor shard ever changes.
CREATE TABLE merchants (
  id uuid NOT NULL,
  sealed_name text NOT NULL,
  mode text NOT NULL,
  shard integer NOT NULL,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  CONSTRAINT merchants_mode CHECK (mode IN ('test', 'live'))
);

-- What a person is: a member of one merchant, or of the operator. It is invited, then active, then removed, and stays that.
CREATE TABLE members (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  side text NOT NULL,
  merchant_id uuid,
  role text NOT NULL,
  status text NOT NULL DEFAULT 'invited',
  last_seen_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT members_pkey PRIMARY KEY (id),
  CONSTRAINT members_person_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT members_merchant_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT members_status CHECK (status IN ('invited', 'active', 'removed')),
  CONSTRAINT members_role CHECK (
    (side = 'merchant' AND merchant_id IS NOT NULL AND role IN ('viewer', 'developer', 'payer', 'approver', 'admin'))
    OR (side = 'operator' AND merchant_id IS NULL AND role IN ('support', 'operations', 'compliance', 'auditor'))
  )
);
CREATE INDEX members_of_merchant ON members (merchant_id, created_at);
CREATE INDEX members_of_person ON members (person_id);

-- Links that sign in once. Only the hash of what stands in a link is kept.
CREATE TABLE links (
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  member_id uuid NOT NULL,
  only_here boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_member_fkey FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX links_token_unique ON links (token_hash);
-- Those that have expired are forgotten after a while.
CREATE INDEX links_by_end ON links (expires_at);

-- Only the hash of a cookie is kept.
CREATE TABLE sessions (
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  member_id uuid NOT NULL,
  address_family integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  stepped_up_until timestamptz(3),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_member_fkey FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT sessions_family CHECK (address_family IN (4, 6))
);
CREATE UNIQUE INDEX sessions_token_unique ON sessions (token_hash);
CREATE INDEX sessions_of_member ON sessions (member_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- What was done, by whom: added to, and never changed.
CREATE TABLE acts (
  number bigint GENERATED ALWAYS AS IDENTITY,
  acted_at timestamptz(3) NOT NULL DEFAULT now(),
  action text NOT NULL,
  -- Null: by an operator's command line, which has a record of its own.
  person_id uuid,
  member_id uuid,
  merchant_id uuid,
  details jsonb NOT NULL,
  CONSTRAINT acts_pkey PRIMARY KEY (number)
);
CREATE INDEX acts_of_merchant ON acts (merchant_id, number);

CREATE FUNCTION refuse_changed_acts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'acts are added to, and never changed';
END $$;
CREATE TRIGGER acts_stay BEFORE UPDATE OR DELETE ON acts FOR EACH ROW EXECUTE FUNCTION refuse_changed_acts();
CREATE TRIGGER acts_are_not_emptied BEFORE TRUNCATE ON acts FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_acts();

-- A member that was removed comes back as a new one; a link that was used, or a session that has ended, stays so.
CREATE FUNCTION refuse_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'members' AND OLD.status = 'removed' AND NEW.status <> 'removed' THEN
    RAISE EXCEPTION 'a member that was removed stays removed';
  ELSIF TG_TABLE_NAME = 'members'
    AND (OLD.person_id, OLD.side, OLD.merchant_id) IS DISTINCT FROM (NEW.person_id, NEW.side, NEW.merchant_id) THEN
    RAISE EXCEPTION 'a member stays a member of the same';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER members_stay_removed BEFORE UPDATE ON members FOR EACH ROW EXECUTE FUNCTION refuse_return();

CREATE FUNCTION refuse_another_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR (OLD.token_hash, OLD.member_id) IS DISTINCT FROM (NEW.token_hash, NEW.member_id) THEN
    RAISE EXCEPTION 'a link is used once, for whom it was made';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER links_are_used_once BEFORE UPDATE ON links FOR EACH ROW EXECUTE FUNCTION refuse_another_use();

CREATE FUNCTION refuse_awakening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL
    OR (OLD.token_hash, OLD.member_id, OLD.expires_at) IS DISTINCT FROM (NEW.token_hash, NEW.member_id, NEW.expires_at) THEN
    RAISE EXCEPTION 'a session ends when it was said, or before';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_stay_ended BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_awakening();

-- What signed somebody in is there to be looked up until it is over, and the service keeps it for a while then.
CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.expires_at > now() THEN
    RAISE EXCEPTION 'it is kept until it has expired';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER links_stay BEFORE DELETE ON links FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();
CREATE TRIGGER sessions_stay BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();

GRANT USAGE ON SCHEMA public TO backoffice_app;
GRANT SELECT, INSERT ON people, merchants, acts TO backoffice_app;
GRANT SELECT, INSERT, UPDATE ON members, links, sessions TO backoffice_app;
GRANT DELETE ON links, sessions TO backoffice_app;

-- The service says that it is ready only when its database has every migration it was built with: it has to see them.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO backoffice_app;
  END IF;
END $$;
