-- Documents may travel by themselves, before a customer refers to them. How many parts such a document has, and its
-- digest, are known only when it is whole.
ALTER TABLE document_uploads
  ALTER COLUMN parts DROP NOT NULL,
  ALTER COLUMN digest_index DROP NOT NULL;
-- How much is stored of it, for the merchant's share, and how long it is kept while no customer refers to it. Services of
-- the version before know neither: theirs have the defaults.
ALTER TABLE document_uploads
  ADD COLUMN bytes      integer        NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 hour';
