-- What the faucet has sent, by the command that asked for it: the same command again is the same transaction, and no other.
CREATE TABLE faucet_transfers (
  command_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  input_hash text NOT NULL,
  network text NOT NULL,
  nonce bigint NOT NULL,
  transaction_hash bytea NOT NULL,
  raw bytea NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT faucet_transfers_pkey PRIMARY KEY (command_id)
);

GRANT SELECT, INSERT, UPDATE ON faucet_transfers TO chain_app;
