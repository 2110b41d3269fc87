-- Compliance officers read documents; the service itself no longer can once they are a customer's, whatever a merchant
-- asks it. The role customer_compliance exists already when this runs, like the service's own; officers log in as it, or
-- better as logins of their own that are members of it.

-- Who read what, when and why. Only ever added to, and without foreign keys: it outlives what it names.
CREATE TABLE document_accesses (
  id            bigint         GENERATED ALWAYS AS IDENTITY,
  recorded_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- The login, as the database knows it, and the transaction that recorded the access: nobody may insert these two.
  database_user text           NOT NULL DEFAULT session_user,
  recorded_in   xid8           NOT NULL DEFAULT pg_current_xact_id(),
  officer       text           NOT NULL,
  reason        text           NOT NULL,
  action        text           NOT NULL CHECK (action IN ('list', 'export')),
  customer_id   uuid           NOT NULL,
  document_id   uuid,
  CONSTRAINT document_accesses_pkey PRIMARY KEY (id),
  CONSTRAINT document_accesses_names_document CHECK ((action = 'export') = (document_id IS NOT NULL))
);
CREATE INDEX document_accesses_of_customer ON document_accesses (customer_id, id);
-- What was recorded in the last minutes, for the policy below.
CREATE INDEX document_accesses_recorded_at ON document_accesses (recorded_at);

CREATE FUNCTION refuse_to_change_document_accesses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of document accesses is append-only';
END $$;
CREATE TRIGGER document_accesses_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON document_accesses
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_document_accesses();

ALTER TABLE document_parts ENABLE ROW LEVEL SECURITY;
-- The service takes the parts of an upload and judges the whole; from then on the content is none of its business.
CREATE POLICY document_parts_until_attached ON document_parts TO customer_app
  USING (EXISTS (SELECT FROM document_uploads WHERE id = upload_id AND attached_customer_id IS NULL));
-- An officer's login reads what it has recorded in the last minutes, and in a transaction before: a read whose record
-- could still be rolled back gives nothing.
CREATE POLICY document_parts_of_recorded_reads ON document_parts FOR SELECT TO customer_compliance
  USING (upload_id IN (
    SELECT documents.upload_id FROM documents JOIN document_accesses ON document_id = documents.id
    WHERE database_user = session_user AND recorded_at > now() - interval '5 minutes'
      AND recorded_in IS DISTINCT FROM pg_current_xact_id_if_assigned()));

-- Documents and what opens them, and of the customers no more than whose they are: no profile, no fingerprint.
DO $$ BEGIN
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO customer_compliance', current_database());
END $$;
GRANT USAGE ON SCHEMA public TO customer_compliance;
GRANT SELECT ON documents, document_parts, document_accesses, data_keys TO customer_compliance;
GRANT SELECT (id, merchant_id, customer_type, status, kyc_status, created_at, erased_at) ON customers TO customer_compliance;
GRANT SELECT (id, parts) ON document_uploads TO customer_compliance;
GRANT INSERT (officer, reason, action, customer_id, document_id) ON document_accesses TO customer_compliance;
