-- The code of each listed token as it was when it was first seen: another code is another contract, and counts as nothing.
CREATE TABLE token_codes (
  network text NOT NULL,
  token text NOT NULL,
  code_hash text NOT NULL,
  first_seen_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT token_codes_pkey PRIMARY KEY (network, token)
);

GRANT SELECT, INSERT ON token_codes TO chain_app;
