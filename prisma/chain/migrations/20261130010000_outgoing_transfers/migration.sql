-- What leaves an address of ours. A nonce is taken by storing it: no other row of its lane can have it.
CREATE TABLE outgoing_transfers (
  id uuid NOT NULL,
  reference text NOT NULL,
  network text NOT NULL,
  kind text NOT NULL,
  from_address bytea NOT NULL,
  from_index integer,
  to_index integer,
  to_address bytea NOT NULL,
  currency text,
  units numeric(78, 0) NOT NULL,
  state text NOT NULL,
  held_by text,
  failure text,
  nonce bigint,
  transaction_hash bytea,
  block_number bigint,
  block_hash bytea,
  fee_wei numeric(78, 0),
  cancelled_by text,
  cancel_reason text,
  cancelled_at timestamptz(6),
  retry_at timestamptz(6),
  sent_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  updated_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT outgoing_transfers_pkey PRIMARY KEY (id),
  CONSTRAINT outgoing_transfers_reference UNIQUE (reference),
  CONSTRAINT outgoing_transfers_nonce UNIQUE (network, from_address, nonce),
  CONSTRAINT outgoing_transfers_kind CHECK (kind IN ('payout', 'sweep', 'to-cold', 'gas')),
  CONSTRAINT outgoing_transfers_state CHECK (state IN ('waiting', 'sent', 'completed', 'failed')),
  -- A sweep leaves a deposit address, everything else the hot wallet; gas goes to a deposit address, in native coins.
  CONSTRAINT outgoing_transfers_from CHECK ((kind = 'sweep') = (from_index IS NOT NULL)),
  CONSTRAINT outgoing_transfers_to CHECK ((kind = 'gas') = (to_index IS NOT NULL)),
  CONSTRAINT outgoing_transfers_coins CHECK ((kind = 'gas') = (currency IS NULL)),
  CONSTRAINT outgoing_transfers_units CHECK (units > 0),
  CONSTRAINT outgoing_transfers_failure CHECK ((state = 'failed') = (failure IS NOT NULL)),
  CONSTRAINT outgoing_transfers_sent CHECK (state <> 'sent' OR (nonce IS NOT NULL AND transaction_hash IS NOT NULL)),
  CONSTRAINT outgoing_transfers_completed CHECK (
    state <> 'completed' OR (nonce IS NOT NULL AND transaction_hash IS NOT NULL AND block_number IS NOT NULL)
  ),
  CONSTRAINT outgoing_transfers_cancelled CHECK (
    (cancelled_by IS NULL) = (cancelled_at IS NULL) AND (cancelled_by IS NULL) = (cancel_reason IS NULL)
  )
);

-- What a lane still has to do, out of many transfers that are done; the oldest first.
CREATE INDEX outgoing_transfers_open ON outgoing_transfers (network, from_address, created_at, id)
  WHERE state IN ('waiting', 'sent');

-- Sweeps, coins for them and transfers to the cold address, by the address that they are about; payouts are many more.
CREATE INDEX outgoing_transfers_of_treasury ON outgoing_transfers (network, kind, from_index, to_index)
  WHERE kind <> 'payout';

-- Each transaction that was, or may have been, signed for a transfer.
CREATE TABLE transfer_attempts (
  transfer_id uuid NOT NULL,
  number integer NOT NULL,
  cancels boolean NOT NULL DEFAULT false,
  gas bigint NOT NULL,
  max_fee_per_gas numeric(78, 0) NOT NULL,
  max_priority_fee_per_gas numeric(78, 0) NOT NULL,
  raw bytea,
  hash bytea,
  -- The signer would not sign these terms: there are no such bytes.
  refused text,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  broadcast_at timestamptz(6),
  CONSTRAINT transfer_attempts_pkey PRIMARY KEY (transfer_id, number),
  CONSTRAINT transfer_attempts_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES outgoing_transfers (id),
  CONSTRAINT transfer_attempts_signed CHECK ((raw IS NULL) = (hash IS NULL)),
  CONSTRAINT transfer_attempts_refused CHECK (refused IS NULL OR raw IS NULL),
  -- Nothing is sent whose bytes and name are not stored.
  CONSTRAINT transfer_attempts_broadcast CHECK (broadcast_at IS NULL OR raw IS NOT NULL)
);

-- What operators look through, the newest first.
CREATE INDEX outgoing_transfers_by_age ON outgoing_transfers (created_at DESC, id);

CREATE INDEX transfer_attempts_hash ON transfer_attempts (hash);

CREATE TABLE sender_leases (
  network text NOT NULL,
  from_address bytea NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  -- From this one on nonces are ours to give: what the address sent before is not asked about. Null: as the chain says.
  first_nonce bigint,
  resumed_by text,
  resume_reason text,
  CONSTRAINT sender_leases_pkey PRIMARY KEY (network, from_address)
);

-- The treasury's own book of native coins, which are no currency of the ledger: only ever added to.
CREATE TABLE treasury_entries (
  id uuid NOT NULL,
  network text NOT NULL,
  kind text NOT NULL,
  transfer_id uuid NOT NULL,
  transaction_hash bytea NOT NULL,
  wei numeric(78, 0) NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT treasury_entries_pkey PRIMARY KEY (id),
  CONSTRAINT treasury_entries_of_transfer UNIQUE (transfer_id, kind),
  CONSTRAINT treasury_entries_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES outgoing_transfers (id),
  CONSTRAINT treasury_entries_kind CHECK (kind IN ('fee', 'gas')),
  CONSTRAINT treasury_entries_wei CHECK (wei >= 0)
);

-- The signer is asked for a deposit address by its index, which the ledger's facts don't tell.
CREATE TABLE derived_addresses (
  index integer NOT NULL,
  address bytea NOT NULL,
  CONSTRAINT derived_addresses_pkey PRIMARY KEY (index),
  CONSTRAINT derived_addresses_address UNIQUE (address)
);

GRANT SELECT, INSERT, UPDATE ON outgoing_transfers, transfer_attempts, sender_leases TO chain_app;
GRANT SELECT, INSERT ON treasury_entries, derived_addresses TO chain_app;
