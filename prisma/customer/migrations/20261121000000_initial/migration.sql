-- Merchants, API keys, customers and their documents. Personal data stands only in sealed_ columns (AES-256-GCM under
-- a data key of the owner's own) and, where it must be found or kept unique, as a keyed fingerprint in _index columns.

CREATE TABLE merchants (
  id                      uuid           NOT NULL,
  sn                      text           NOT NULL,
  -- Drawn from the id once and kept: a merchant's money never moves to another shard.
  shard                   integer        NOT NULL CHECK (shard >= 0),
  sealed_profile          text           NOT NULL,
  payout_fee_flat         numeric(26, 8) CHECK (payout_fee_flat >= 0 AND payout_fee_flat <> 'NaN'),
  payout_fee_basis_points integer        CHECK (payout_fee_basis_points BETWEEN 0 AND 10000),
  created_at              timestamptz(3) NOT NULL,
  updated_at              timestamptz(3) NOT NULL,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  -- A fee schedule is there as a whole or not at all.
  CONSTRAINT merchants_fee_whole CHECK ((payout_fee_flat IS NULL) = (payout_fee_basis_points IS NULL))
);
CREATE UNIQUE INDEX merchants_sn_unique ON merchants (sn);

CREATE TABLE api_keys (
  id          uuid           NOT NULL,
  merchant_id uuid           NOT NULL,
  -- SHA-256 of the whole key in hex; the key itself is shown once, when it is made, and never stored.
  key_hash    text           NOT NULL CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  mode        text           NOT NULL CHECK (mode IN ('test', 'live')),
  scopes      text[]         CHECK (scopes IS NOT NULL AND cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'payout']),
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3),
  revoked_at  timestamptz(3),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION
);
-- Every request of a merchant is looked up by it; no two keys may be the same one.
CREATE UNIQUE INDEX api_keys_hash_unique ON api_keys (key_hash);
-- Rotation and listing go through a merchant's keys, newest first.
CREATE INDEX api_keys_of_merchant ON api_keys (merchant_id, created_at);

-- The data key of each merchant and customer, wrapped by the master key. A table of its own, because deleting an
-- owner's row is what erases the owner: nothing that was sealed with it can be read again, in backups neither.
CREATE TABLE data_keys (
  owner_id    uuid NOT NULL,
  wrapped_key text NOT NULL,
  CONSTRAINT data_keys_pkey PRIMARY KEY (owner_id)
);

CREATE TABLE customers (
  id                   uuid           NOT NULL,
  -- Breaks ties between customers of one millisecond, in the order of arrival.
  sequence             bigserial      NOT NULL,
  merchant_id          uuid           NOT NULL,
  customer_type        text           NOT NULL CHECK (customer_type IN ('individual', 'business')),
  status               text           NOT NULL CHECK (status IN ('active', 'closed')),
  kyc_status           text           NOT NULL CHECK (kyc_status IN ('not_started', 'under_review', 'approved', 'rejected')),
  sn                   text           NOT NULL,
  email_index          text,
  phone_index          text,
  sealed_profile       text           NOT NULL,
  -- The intent to close, stored before the ledger is asked; whoever finds it on an active customer may ask again.
  closing_requested_at timestamptz(3),
  erased_at            timestamptz(3),
  created_at           timestamptz(3) NOT NULL,
  updated_at           timestamptz(3) NOT NULL,
  CONSTRAINT customers_pkey PRIMARY KEY (id),
  CONSTRAINT customers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  -- Only an erased customer gives its e-mail address and phone number free; a closed one keeps them.
  CONSTRAINT customers_indexed CHECK (erased_at IS NOT NULL OR (email_index IS NOT NULL AND phone_index IS NOT NULL))
);
CREATE UNIQUE INDEX customers_sn_unique ON customers (sn);
-- email_taken and phone_taken: what decides when two requests arrive at once. The e-mail's is made first and so
-- checked first.
CREATE UNIQUE INDEX customers_email_unique ON customers (merchant_id, email_index);
CREATE UNIQUE INDEX customers_phone_unique ON customers (merchant_id, phone_index);
-- GET /customers, newest first.
CREATE INDEX customers_newest_first ON customers (merchant_id, created_at, sequence);

-- A document on its way, in parts. Its content key is wrapped by the master key until a customer refers to it; then
-- the customer's own data key seals it (documents.sealed_content_key), so that erasing the customer erases it too.
CREATE TABLE document_uploads (
  id                   uuid           NOT NULL,
  merchant_id          uuid           NOT NULL,
  parts                smallint       NOT NULL CHECK (parts BETWEEN 1 AND 16),
  digest_index         text           NOT NULL,
  wrapped_key          text,
  whole_at             timestamptz(3),
  attached_customer_id uuid,
  created_at           timestamptz(3) NOT NULL,
  CONSTRAINT document_uploads_pkey PRIMARY KEY (id),
  CONSTRAINT document_uploads_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT document_uploads_key_once CHECK ((attached_customer_id IS NULL) = (wrapped_key IS NOT NULL))
);
-- The clean-up looks for the oldest uploads that nobody refers to; attached ones are not in it.
CREATE INDEX document_uploads_unattached ON document_uploads (created_at) WHERE attached_customer_id IS NULL;

CREATE TABLE document_parts (
  upload_id    uuid     NOT NULL,
  part         smallint NOT NULL CHECK (part BETWEEN 0 AND 15),
  sealed_bytes bytea    NOT NULL,
  CONSTRAINT document_parts_pkey PRIMARY KEY (upload_id, part),
  CONSTRAINT document_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES document_uploads (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
-- Ciphertext doesn't compress: store it out of line as it is.
ALTER TABLE document_parts ALTER COLUMN sealed_bytes SET STORAGE EXTERNAL;

CREATE TABLE documents (
  id                 uuid           NOT NULL,
  customer_id        uuid           NOT NULL,
  sealed_description text           NOT NULL,
  upload_id          uuid,
  sealed_content_key text,
  created_at         timestamptz(3) NOT NULL,
  CONSTRAINT documents_pkey PRIMARY KEY (id),
  CONSTRAINT documents_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT documents_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES document_uploads (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT documents_content_key CHECK ((upload_id IS NULL) = (sealed_content_key IS NULL))
);
-- An upload is one document of one customer.
CREATE UNIQUE INDEX documents_upload_unique ON documents (upload_id);
CREATE INDEX documents_of_customer ON documents (customer_id);

-- What each command answered when it took effect, for ever: a retry gets the same. The views inside are sealed.
CREATE TABLE command_results (
  command_id  uuid           NOT NULL,
  merchant_id uuid           NOT NULL,
  input_hash  text           NOT NULL,
  result      text           NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT command_results_pkey PRIMARY KEY (command_id)
);

-- Which facts of the ledger each consumer has taken; they arrive at least once.
CREATE TABLE inbox (
  consumer   text           NOT NULL,
  shard      integer        NOT NULL,
  position   bigint         NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, shard, position)
);

-- The service's own role: it changes what lives, adds what happened, and deletes only keys and uploads.
GRANT USAGE ON SCHEMA public TO customer_app;
GRANT SELECT, INSERT, UPDATE ON merchants, api_keys, customers TO customer_app;
GRANT SELECT, INSERT, DELETE ON data_keys TO customer_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON document_uploads TO customer_app;
GRANT SELECT, INSERT, DELETE ON document_parts TO customer_app;
GRANT SELECT, INSERT ON documents, command_results, inbox TO customer_app;
GRANT USAGE ON SEQUENCE customers_sequence_seq TO customer_app;
