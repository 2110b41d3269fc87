CREATE TABLE payout_methods (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  customer_id uuid,
  type text NOT NULL,
  currency text NOT NULL,
  network text,
  sealed_details text NOT NULL,
  created_at timestamptz(6) NOT NULL,
  updated_at timestamptz(6) NOT NULL,
  CONSTRAINT payout_methods_pkey PRIMARY KEY (id),
  CONSTRAINT payout_methods_type CHECK (type IN ('BANK', 'WALLET')),
  CONSTRAINT payout_methods_network CHECK ((type = 'WALLET') = (network IS NOT NULL))
);

-- Lists are a merchant's own, newest first; its filters leave few rows behind.
CREATE INDEX payout_methods_newest ON payout_methods (merchant_id, created_at, id);

CREATE TABLE payouts (
  id uuid NOT NULL,
  transaction_id text NOT NULL,
  merchant_id uuid NOT NULL,
  customer_id uuid,
  shard integer NOT NULL,
  rail text NOT NULL,
  network text,
  bank_code text,
  currency text NOT NULL,
  amount numeric(38, 8) NOT NULL,
  recipient_currency text,
  sealed_destination text,
  provider_reference text NOT NULL,
  rail_reference text,
  state text NOT NULL,
  settled_by_hand boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  next_step_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  updated_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT payouts_pkey PRIMARY KEY (id),
  CONSTRAINT payouts_rail CHECK (rail IN ('bank', 'wallet')),
  CONSTRAINT payouts_state CHECK (
    state IN ('accepted', 'submitting', 'submitted', 'completed', 'failed', 'reversed')
  )
);

-- The reference is what a provider recognises a repeated payout by: two payouts never share one.
CREATE UNIQUE INDEX payouts_one_per_reference ON payouts (provider_reference);

-- The worker asks for what is due, many times a second; nearly all rows are done and not in here.
CREATE INDEX payouts_due ON payouts (next_step_at) WHERE next_step_at IS NOT NULL;

-- A payout settled by hand may be named by its short id.
CREATE INDEX payouts_transaction_id ON payouts (transaction_id);

CREATE TABLE deposit_confirmations (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  shard integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_step_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT deposit_confirmations_pkey PRIMARY KEY (id)
);

-- As for payouts: what is due, out of many that are done.
CREATE INDEX deposit_confirmations_due ON deposit_confirmations (next_step_at) WHERE next_step_at IS NOT NULL;

CREATE TABLE sandbox_rail (
  reference text NOT NULL,
  outcome text NOT NULL,
  rail_reference text NOT NULL,
  settles_at timestamptz(6),
  returns_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT sandbox_rail_pkey PRIMARY KEY (reference),
  CONSTRAINT sandbox_rail_outcome CHECK (outcome IN ('complete', 'fail', 'return', 'hold'))
);

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

-- Only saved methods are ever deleted, and never changed.
GRANT USAGE ON SCHEMA public TO payout_app;
GRANT SELECT, INSERT, DELETE ON payout_methods TO payout_app;
GRANT SELECT, INSERT, UPDATE ON payouts, deposit_confirmations TO payout_app;
GRANT SELECT, INSERT ON sandbox_rail, command_results, inbox TO payout_app;
