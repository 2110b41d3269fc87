-- How far each network is walked: the lease of the one instance that walks it, the tip, and what is known to be final.
CREATE TABLE walks (
  network text NOT NULL,
  chain_id bigint NOT NULL,
  start_number bigint NOT NULL,
  tip_number bigint NOT NULL,
  tip_hash bytea NOT NULL,
  tip_timestamp bigint NOT NULL,
  head_number bigint NOT NULL,
  final_number bigint NOT NULL,
  checked_number bigint NOT NULL,
  knows_finality boolean NOT NULL DEFAULT false,
  rescan_from bigint,
  walked_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT walks_pkey PRIMARY KEY (network)
);

CREATE TABLE walk_leases (
  network text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  CONSTRAINT walk_leases_pkey PRIMARY KEY (network)
);

-- The blocks that may still be replaced, and some final ones before them.
CREATE TABLE walked_blocks (
  network text NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  parent_hash bytea NOT NULL,
  timestamp bigint NOT NULL,
  CONSTRAINT walked_blocks_pkey PRIMARY KEY (network, number)
);

-- Wallets and their deposit addresses, from the ledger's facts.
CREATE TABLE wallets (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  customer_id uuid,
  shard integer NOT NULL,
  currency text NOT NULL,
  CONSTRAINT wallets_pkey PRIMARY KEY (id)
);

CREATE TABLE deposit_addresses (
  address bytea NOT NULL,
  network text NOT NULL,
  wallet_id uuid NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  unchecked boolean NOT NULL DEFAULT true,
  CONSTRAINT deposit_addresses_pkey PRIMARY KEY (address, network)
);

-- Addresses that became known since the walker last looked back for them: nearly always none.
CREATE INDEX deposit_addresses_unchecked ON deposit_addresses (network, recorded_at) WHERE unchecked;

-- Transfers to addresses of ours: one row for each deposit, and a further round for one that came again
-- after it had failed or been reversed.
CREATE TABLE deposits (
  id uuid NOT NULL,
  network text NOT NULL,
  transaction_hash bytea NOT NULL,
  token bytea NOT NULL,
  ordinal integer NOT NULL,
  round integer NOT NULL,
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  currency text,
  units numeric(78, 0) NOT NULL,
  amount text,
  rest_units numeric(78, 0) NOT NULL,
  block_number bigint NOT NULL,
  block_hash bytea NOT NULL,
  confirmations_required integer,
  standing text NOT NULL,
  booked text NOT NULL,
  unrecognised_reason text,
  wallet_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  shard integer NOT NULL,
  command_name text NOT NULL,
  transaction_id text,
  ledger_id uuid,
  version integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_step_at timestamptz(6),
  seen_at timestamptz(6) NOT NULL DEFAULT now(),
  updated_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT deposits_pkey PRIMARY KEY (id),
  CONSTRAINT deposits_standing CHECK (standing IN ('included', 'final', 'orphaned', 'gone')),
  CONSTRAINT deposits_booked CHECK (
    booked IN ('nothing', 'recording', 'recorded', 'completed', 'failed', 'reversed', 'unrecognised', 'resolved')
  ),
  CONSTRAINT deposits_reason CHECK (booked <> 'unrecognised' OR unrecognised_reason IS NOT NULL),
  -- What is on no list of tokens has neither currency nor amount, and is never credited.
  CONSTRAINT deposits_token CHECK (
    (currency IS NULL) = (amount IS NULL)
    AND (currency IS NOT NULL OR (unrecognised_reason = 'unknown_token' AND booked IN ('unrecognised', 'resolved')))
  ),
  CONSTRAINT deposits_whole CHECK (units > 0 AND rest_units >= 0 AND rest_units <= units)
);

-- A deposit's name: where the log stands in its transaction, never in its block, which changes when a block is replaced.
CREATE UNIQUE INDEX deposits_name ON deposits (network, transaction_hash, token, ordinal, round);

-- What may still change on the chain, out of many that are final.
CREATE INDEX deposits_open ON deposits (network, block_number) WHERE standing IN ('included', 'orphaned');

-- A replaced block is looked up by its hash, final ones among them.
CREATE INDEX deposits_of_block ON deposits (network, block_hash);

-- A rescan looks for them a few blocks at a time.
CREATE INDEX deposits_by_height ON deposits (network, block_number);

-- The worker asks for what is due, many times a second.
CREATE INDEX deposits_due ON deposits (next_step_at) WHERE next_step_at IS NOT NULL;

-- The operators' list, newest first.
CREATE INDEX deposits_unrecognised ON deposits (seen_at, id) WHERE booked = 'unrecognised';

CREATE INDEX deposits_transaction_id ON deposits (transaction_id);

-- What an operator decided on a deposit that could not be credited by itself: only ever added to.
CREATE TABLE resolutions (
  id uuid NOT NULL,
  deposit_id uuid NOT NULL,
  resolution text NOT NULL,
  wallet_id uuid,
  transaction_hash text,
  actor text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT resolutions_pkey PRIMARY KEY (id),
  CONSTRAINT resolutions_kind CHECK (resolution IN ('credit', 'ignore', 'returned')),
  CONSTRAINT resolutions_credit CHECK ((resolution = 'credit') = (wallet_id IS NOT NULL)),
  CONSTRAINT resolutions_returned CHECK ((resolution = 'returned') = (transaction_hash IS NOT NULL))
);

CREATE INDEX resolutions_of_deposit ON resolutions (deposit_id);

CREATE TABLE inbox (
  consumer text NOT NULL,
  shard integer NOT NULL,
  position bigint NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, shard, position)
);
CREATE INDEX inbox_by_age ON inbox USING brin (created_at);

CREATE TABLE parked_facts (
  consumer text NOT NULL,
  shard integer NOT NULL,
  position bigint NOT NULL,
  movement text NOT NULL,
  concerns text NOT NULL,
  sealed_fact bytea NOT NULL,
  reason text,
  attempts integer NOT NULL,
  parked_at timestamptz(6) NOT NULL DEFAULT now(),
  retry_requested_at timestamptz(6),
  CONSTRAINT parked_facts_pkey PRIMARY KEY (consumer, shard, position),
  -- One that was tried says why it failed; one that was only held back says nothing.
  CONSTRAINT parked_facts_tried CHECK ((attempts > 0) = (reason IS NOT NULL))
);
CREATE INDEX parked_facts_of_one ON parked_facts (consumer, concerns, position);
CREATE INDEX parked_facts_requested ON parked_facts (consumer) WHERE retry_requested_at IS NOT NULL;

CREATE TABLE fact_progress (
  consumer text NOT NULL,
  shard integer NOT NULL,
  position bigint NOT NULL,
  stream_created_at timestamptz(3) NOT NULL,
  stream_sequence bigint NOT NULL,
  CONSTRAINT fact_progress_pkey PRIMARY KEY (consumer, shard)
);

-- Wallets were opened before this service was there, and the stream keeps facts for a week only: with a progress that is
-- older than any stream, the consumer reads what the stream lacks from the beginning of the log.
INSERT INTO fact_progress (consumer, shard, position, stream_created_at, stream_sequence) VALUES ('chain', 0, 0, 'epoch', 0);

GRANT USAGE ON SCHEMA public TO chain_app;
GRANT SELECT, INSERT, UPDATE ON walks, walk_leases, wallets, deposit_addresses, deposits, fact_progress TO chain_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON walked_blocks, parked_facts TO chain_app;
GRANT SELECT, INSERT, DELETE ON inbox TO chain_app;
GRANT SELECT, INSERT ON resolutions TO chain_app;

-- The service says that it is ready only when its database has every migration it was built with: it has to see them.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO chain_app;
  END IF;
END $$;
