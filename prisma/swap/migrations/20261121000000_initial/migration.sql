CREATE TABLE quotes (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  customer_id uuid,
  from_currency text NOT NULL,
  to_currency text NOT NULL,
  from_amount numeric(38, 8) NOT NULL,
  to_amount numeric(38, 8) NOT NULL,
  quoted_price numeric(30, 12) NOT NULL,
  state text NOT NULL DEFAULT 'open',
  claim_command_id uuid,
  claim_input_hash text,
  claim_shard integer,
  claim_attempt integer NOT NULL DEFAULT 0,
  running_until timestamptz(6),
  priced_at timestamptz(6) NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  created_at timestamptz(6) NOT NULL,
  updated_at timestamptz(6) NOT NULL,
  CONSTRAINT quotes_pkey PRIMARY KEY (id),
  CONSTRAINT quotes_owner CHECK (owner_id = coalesce(customer_id, merchant_id)),
  CONSTRAINT quotes_pair CHECK (from_currency <> to_currency),
  -- NaN is numeric and greater than everything: it has to be named.
  CONSTRAINT quotes_amounts CHECK (
    from_amount > 0 AND to_amount > 0 AND quoted_price > 0
    AND from_amount <> 'NaN' AND to_amount <> 'NaN' AND quoted_price <> 'NaN'
  ),
  CONSTRAINT quotes_state CHECK (state IN ('open', 'claimed', 'used')),
  -- A claim is whole or not there, so that whoever finds one can send the very same ledger command again.
  CONSTRAINT quotes_claim CHECK (
    (state = 'open' AND claim_command_id IS NULL AND claim_input_hash IS NULL AND claim_shard IS NULL AND running_until IS NULL)
    OR (state = 'claimed' AND claim_command_id IS NOT NULL AND claim_input_hash IS NOT NULL AND claim_shard IS NOT NULL
        AND running_until IS NOT NULL)
    OR state = 'used'
  )
);

-- One command executes one quote, also when it arrives at two instances at once.
CREATE UNIQUE INDEX quotes_one_per_command ON quotes (claim_command_id) WHERE claim_command_id IS NOT NULL;

-- "The most recent open quote of this owner, pair and amount": few rows are unexpired, whatever their owner's history.
CREATE INDEX quotes_unexpired ON quotes (owner_id, from_currency, to_currency, from_amount, expires_at) WHERE state <> 'used';

-- "The newest one", for telling used from expired from never quoted.
CREATE INDEX quotes_newest ON quotes (owner_id, from_currency, to_currency, from_amount, priced_at);

CREATE TABLE command_results (
  command_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  input_hash text NOT NULL,
  result text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT command_results_pkey PRIMARY KEY (command_id)
);

CREATE TABLE inbox (
  consumer text NOT NULL,
  shard integer NOT NULL,
  position bigint NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, shard, position)
);

-- What took effect and what was seen is never taken back; quotes are never deleted: a swap can be looked up for ever.
GRANT USAGE ON SCHEMA public TO swap_app;
GRANT SELECT, INSERT, UPDATE ON quotes TO swap_app;
GRANT SELECT, INSERT ON command_results, inbox TO swap_app;
